package apiserver_test

import (
	"os"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/json"

	"github.com/xpkg-go/sdk/parser"
)

// The manifest of the example program index is one that a cluster takes: nothing in it is
// unknown, twice or of another type. The test is here because this module has the types; go
// test does not notice changes of files of another module, so it is run with -count=1.
func TestIndexJob(t *testing.T) {
	const file = "../../examples/index/job.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	var claim corev1.PersistentVolumeClaim
	into := map[string]any{"batch/v1 Job": &job, "v1 PersistentVolumeClaim": &claim}
	for d, err := range parser.Bytes(file, text, nil) {
		if err != nil {
			t.Fatal(err)
		}
		v := into[d.APIVersion+" "+d.Kind]
		if v == nil {
			t.Fatalf("%s: a %s %s, or a second one", d.Range, d.APIVersion, d.Kind)
		}
		delete(into, d.APIVersion+" "+d.Kind)
		data, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if strict, err := json.UnmarshalStrict(data, v); err != nil || len(strict) > 0 {
			t.Errorf("%s: %v %v", d.Range, err, strict)
		}
	}
	if len(into) > 0 {
		t.Fatalf("there is no %v", into)
	}
	// What the API demands of such jobs (Job v1 batch), and what makes the parts the whole.
	s, pod := job.Spec, job.Spec.Template.Spec
	switch {
	case s.CompletionMode == nil || *s.CompletionMode != batchv1.IndexedCompletion:
		t.Error("it is not indexed")
	case s.Completions == nil || s.BackoffLimitPerIndex == nil || s.MaxFailedIndexes == nil || *s.MaxFailedIndexes > *s.Completions:
		t.Error("it has other numbers than a job by index")
	case pod.RestartPolicy != corev1.RestartPolicyNever:
		t.Error("a policy of failures wants pods that are not restarted")
	case len(pod.Containers) != 1 || !strings.HasSuffix(pod.Containers[0].Args[2], "=$(JOB_COMPLETION_INDEX)/7") || *s.Completions != 7:
		t.Error("its parts are others than its completions")
	case pod.Volumes[0].PersistentVolumeClaim.ClaimName != claim.Name:
		t.Error("it claims another volume")
	}
	c := pod.Containers[0]
	if x := c.SecurityContext; x == nil || *x.AllowPrivilegeEscalation || !*x.ReadOnlyRootFilesystem || len(x.Capabilities.Drop) != 1 || !*pod.SecurityContext.RunAsNonRoot ||
		pod.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Error("it is not restricted as the pod security standard has it")
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
		t.Error("it says nothing of its resources")
	}
}
