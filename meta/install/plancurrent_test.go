package install_test

import (
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// design is a Package of the design. Its revisions do not hold their image, so
// that nothing but their name tells which image they are of.
func design(t *testing.T, policy install.ActivationPolicy) *install.Package {
	t.Helper()
	p, err := install.DecodePackage([]byte(`{"apiVersion":"packages.crossplane.io/v1beta1","kind":"Package","metadata":{"name":"p","uid":"u1"},` +
		`"spec":{"package":"example.org/a/p:v1","revisionActivationPolicy":"` + string(policy) + `"}}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stored is what a cluster gives back of the revisions of a plan.
func stored(t *testing.T, p *install.Package, revisions []install.Revision) []install.Revision {
	t.Helper()
	var all []install.Revision
	for _, r := range revisions {
		data, err := install.NewPackageRevision(p, r, nil).Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := install.DecodeRevision(data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, back)
	}
	return all
}

func TestPlanCurrent(t *testing.T) {
	const reason = "packages v2 design, Package Controller: status.currentRevision is the full image name of the revision that was active, so that the other one was just activated; "
	p := design(t, install.ActivateManual)
	name := func(source meta.Source, n int) string {
		s, err := meta.DigestName(source, digestOf(n))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	other, err := meta.ParseSource("mirror.example.org/a/p")
	if err != nil {
		t.Fatal(err)
	}
	a, b := name(p.Parent().Source, 1), name(p.Parent().Source, 2)
	for what, tc := range map[string]struct {
		reason  string
		current string
		digest  string // of the revision B, where the cluster tells it
		image   string
		b       string
	}{
		"Name":        {"its name", b, "", "", b},
		"Image":       {"its image, which only its name tells", "example.org/a/p@" + digestOf(2), "", "", b},
		"TaggedImage": {"its image with a tag", "example.org/a/p:v1@" + digestOf(2), "", "", b},
		"Digest":      {"its digest, under a name of another rule", "example.org/a/p@" + digestOf(2), digestOf(2), "", "old-name"},
		"Mirror":      {"its digest, which is the same in a mirror", "mirror.example.org/a/p@" + digestOf(2), "", "", b},
		"OtherSource": {"the name for the source that it came from", "mirror.example.org/a/p@" + digestOf(2), "", "", name(other, 2)},
		"OtherImage":  {"its digest, though the image is written in another way", "example.org/a/p:v1@" + digestOf(2), "", "example.org/a/p@" + digestOf(2), "old-name"},
		"Tag":         {"its image, which has no digest", "example.org/a/p:v2", "", "example.org/a/p:v2", b},
	} {
		t.Run(what, func(t *testing.T) {
			history := install.History{Current: tc.current, Revisions: []install.Revision{
				{Name: a, Number: 1, Desired: install.Active},
				{Name: tc.b, Digest: tc.digest, Image: tc.image, Number: 2, Desired: install.Active},
			}}
			plan, err := install.PlanRevisions(p.Parent(), history, install.Resolution{})
			if err != nil {
				t.Fatal(err)
			}
			_, after := brief(plan)
			diff(t, reason+tc.reason, []string{tc.b + "=2 Inactive", a + "=3 Active"}, after)
			diff(t, reason+tc.reason, a, plan.History.Current)
		})
	}
}

func TestPlanCurrentImage(t *testing.T) {
	const reason = "packages v2 design, Package Controller: status.currentRevision is set to the full image name, whenever anything tells it"
	image := func(n int) string { return "example.org/a/p@" + digestOf(n) }
	p := design(t, install.ActivateManual)
	plan, err := install.PlanRevisions(p.Parent(), install.History{}, install.Resolution{Digest: digestOf(1)})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, reason, image(1), plan.CurrentImage)

	for name, tc := range map[string]struct {
		reason  string
		current string
		res     install.Resolution
		want    string
	}{
		"Resolution":      {"the resolution", plan.History.Current, install.Resolution{Digest: digestOf(1)}, image(1)},
		"ResolutionImage": {"the resolution, with its image", "", install.Resolution{Digest: digestOf(1), Image: "r/p@" + digestOf(1)}, "r/p@" + digestOf(1)},
		"Current":         {"what was current", image(1), install.Resolution{Digest: digestOf(2)}, image(1)},
		"PullFailed":      {"what was current, after a failed pull", image(1), install.Resolution{Failed: &install.Attempt{Cause: "timeout"}}, image(1)},
		"Nothing":         {"nothing", plan.History.Current, install.Resolution{Digest: digestOf(2)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			history := install.History{Revisions: stored(t, p, plan.History.Revisions), Current: tc.current}
			history.Revisions[0].Desired = install.Active // a user activated it
			got, err := install.PlanRevisions(p.Parent(), history, tc.res)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, reason+": "+tc.reason, tc.want, got.CurrentImage)
			again, err := install.PlanRevisions(p.Parent(), got.History, tc.res)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, "planning twice changes nothing", 0, len(again.Actions))
			diff(t, "planning twice changes nothing", got.History, again.History)
		})
	}

	tagged := revision(1, 1, install.Active)
	tagged.Image = "r/p:v1"
	got, err := install.PlanRevisions(parent("", 1), install.History{Revisions: []install.Revision{tagged}}, install.Resolution{Digest: digestOf(1)})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, reason+": an image with a tag alone, and its digest", "r/p@"+digestOf(1), got.CurrentImage)
}
