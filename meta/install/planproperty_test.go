package install_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta/install"
)

// TestPlanProperties plans through random histories and holds every plan to
// what is promised of all plans. The seeds are fixed, so a failure comes again.
func TestPlanProperties(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		story := newStory(t, random.IntN)
		for range 60 {
			story.event()
			story.plan()
			if t.Failed() {
				t.Fatalf("history of seed %d: %v", seed, story.told)
			}
		}
	}
}

// FuzzPlanRevisions lets the fuzzer choose what happens; the oracle is that of
// TestPlanProperties.
func FuzzPlanRevisions(f *testing.F) {
	f.Add([]byte("upgrade, upgrade, roll back"))
	f.Add([]byte{0, 1, 0, 2, 3, 1, 4, 0, 7, 5, 2, 0, 3, 6, 9, 8})
	f.Fuzz(executions.Many(func(t *testing.T, choices []byte) {
		if len(choices) > 400 {
			return // long histories only take longer
		}
		story := newStory(t, func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := choices[0]
			choices = choices[1:]
			return int(c) % n
		})
		for len(choices) > 0 {
			story.event()
			story.plan()
		}
	}))
}

// A story is a package and what happens to it.
type story struct {
	t      *testing.T
	choose func(n int) int // a number below n

	parent  install.Parent
	history install.History
	res     install.Resolution
	given   int64 // the highest number that was ever given
	forgets bool  // nobody keeps History.Highest
	told    []string
}

func newStory(t *testing.T, choose func(int) int) *story {
	s := &story{t: t, choose: choose, parent: parent("", 1), res: install.Resolution{Digest: digestOf(1)}}
	s.forgets = choose(2) == 0
	return s
}

func (s *story) event() {
	pick := func() *install.Revision {
		if len(s.history.Revisions) == 0 {
			return nil
		}
		return &s.history.Revisions[s.choose(len(s.history.Revisions))]
	}
	what := ""
	switch s.choose(10) {
	case 0, 1:
		what = "something new is pushed, or something old again"
		s.res = install.Resolution{Digest: digestOf(1 + s.choose(12))}
	case 2, 3:
		what = "a user activates a revision"
		if r := pick(); r != nil {
			r.Desired = install.Active
		}
	case 4:
		what = "a user deactivates a revision"
		if r := pick(); r != nil {
			r.Desired = install.Inactive
		}
	case 5:
		what = "a user deletes a revision"
		if r := pick(); r != nil {
			gone := r.Name
			s.history.Revisions = slices.DeleteFunc(s.history.Revisions, func(r install.Revision) bool { return r.Name == gone })
		}
	case 6:
		what = "the activation policy changes"
		s.parent.Activation = []install.ActivationPolicy{"", install.ActivateAutomatic, install.ActivateManual}[s.choose(3)]
	case 7:
		what = "the history limit changes"
		limit := int64(s.choose(5))
		s.parent.HistoryLimit = &limit
	case 8:
		what = "the pull fails"
		s.res = install.Resolution{Failed: &install.Attempt{Package: "a/b"}}
	case 9:
		what = "the cluster is restored from a backup, and nobody remembers what was observed"
		s.parent.Ref.UID += "'"
		for i := range s.history.Revisions {
			s.history.Revisions[i].Observed = ""
		}
	}
	s.told = append(s.told, what)
}

func (s *story) plan() {
	t := s.t
	t.Helper()
	before := clone(s.history)
	plan, err := install.PlanRevisions(s.parent, s.history, s.res)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "planning does not change the history", before, s.history)

	shuffled := clone(before)
	slices.Reverse(shuffled.Revisions)
	other, err := install.PlanRevisions(s.parent, shuffled, s.res)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "the order of the revisions does not matter", plan, other)

	again, err := install.PlanRevisions(s.parent, plan.History, s.res)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "planning twice changes nothing", 0, len(again.Actions))
	diff(t, "planning twice changes nothing", plan.History, again.History)

	s.check(before, plan)
	s.history = plan.History
	if s.forgets {
		s.history.Highest = 0
	}
}

// check carries the plan out, one action after the other, and looks at what
// there is.
func (s *story) check(before install.History, plan *install.Plan) {
	t := s.t
	t.Helper()
	there := make(map[string]install.Revision)
	for _, r := range before.Revisions {
		there[r.Name] = r
	}
	highest := func() (n int64) {
		for _, r := range there {
			n = max(n, r.Number)
		}
		return n
	}
	for _, a := range plan.Actions {
		r := a.Revision
		switch a.Op {
		case install.OpCreate, install.OpActivate:
			if _, exists := there[r.Name]; exists != (a.Op == install.OpActivate) {
				t.Errorf("%s %s: it exists: %v", a.Op, r.Name, exists)
			}
			if s.res.Failed != nil && a.Op == install.OpCreate {
				t.Errorf("%s is created after a failed pull", r.Name)
			}
			if r.Number <= highest() {
				t.Errorf("%s %s gets number %d, and %d exists", a.Op, r.Name, r.Number, highest())
			}
			if !s.forgets && r.Number <= s.given {
				t.Errorf("%s %s gets number %d, and %d was given before", a.Op, r.Name, r.Number, s.given)
			}
			s.given = max(s.given, r.Number)
		case install.OpCollect:
			if r.Desired == install.Active || there[r.Name].Desired == install.Active {
				t.Errorf("%s is collected, and it is Active", r.Name)
			}
			if s.res.Failed == nil && r.Digest == s.res.Digest {
				t.Errorf("%s is collected, and the package resolves to it", r.Name)
			}
			delete(there, r.Name)
			continue
		}
		there[r.Name] = r
		if n := count(there, install.Active); n > 1 && a.Op != install.OpDeactivate {
			t.Errorf("%d revisions are Active after %s %s", n, a.Op, r.Name)
		}
	}
	var after []install.Revision
	for _, r := range there {
		after = append(after, r)
	}
	slices.SortFunc(after, func(a, b install.Revision) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Name, b.Name))
	})
	for i := range after {
		// What the plan does not touch is remembered from now on.
		after[i].Observed = after[i].Desired
	}
	diff(t, "the actions lead to the history that the plan promises", after, plan.History.Revisions)

	if n := count(there, install.Active); n > 1 {
		t.Errorf("%d revisions are Active", n)
	}
	limit := int64(install.DefaultHistoryLimit)
	if s.parent.HistoryLimit != nil {
		limit = *s.parent.HistoryLimit
	}
	if n := int64(count(there, install.Inactive)); limit > 0 && n > limit {
		t.Errorf("%d revisions are Inactive, and the limit is %d", n, limit)
	}
	if s.res.Failed == nil && s.parent.Activation.OrDefault() == install.ActivateAutomatic {
		for _, r := range there {
			if (r.Desired == install.Active) != (r.Digest == s.res.Digest) {
				t.Errorf("%s is %s, and the package resolves to %s", r.Name, r.Desired, s.res.Digest)
			}
		}
	}
	if _, exists := there[plan.History.Current]; !exists && plan.History.Current != "" {
		t.Errorf("the current revision %s does not exist", plan.History.Current)
	}
}

func count(there map[string]install.Revision, state install.State) (n int) {
	for _, r := range there {
		if r.Desired == state {
			n++
		}
	}
	return n
}

func clone(h install.History) install.History {
	h.Revisions = slices.Clone(h.Revisions)
	for i, r := range h.Revisions {
		h.Revisions[i].Owners = slices.Clone(r.Owners)
	}
	return h
}
