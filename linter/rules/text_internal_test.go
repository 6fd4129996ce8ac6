package rules

import "testing"

func TestSure(t *testing.T) {
	for _, tc := range []struct{ reason, name, near, want string }{
		{"another case", "Function-A", "function-a", "function-a"},
		{"letters that changed places", "fucntion-a", "function-a", "function-a"},
		{"another function may be called so", "function-b", "function-a", ""},
		{"a plural may be another kind", "XBuckets", "XBucket", ""},
		{"nothing is near", "function-b", "", ""},
	} {
		if got := sure(tc.name, tc.near); got != tc.want {
			t.Errorf("%s: %s for %s is %q, want %q", tc.reason, tc.near, tc.name, got, tc.want)
		}
	}
}
