package rules

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const exampleOperation = `apiVersion: ops.crossplane.io/v1alpha1
kind: CronOperation
metadata:
  name: demo
spec:
  operationTemplate:
    spec:
      mode: Pipeline
      pipeline:
      - step: run
        functionRef:
          name: functions-function-demo
`

func operationInvalid() *linter.Rule {
	return &linter.Rule{
		ID: "operation-invalid",
		Doc: "An Operation has a pipeline of at least one step and the mode Pipeline, a CronOperation also a schedule in the " +
			"form of cron, and a WatchOperation the API version and kind of what it watches. The API server or Crossplane " +
			"refuses it otherwise.",
		Bad:      exampleConfiguration + exampleOperation + "  schedule: daily\n",
		Good:     exampleConfiguration + exampleOperation + "  schedule: \"@daily\"\n",
		URL:      "https://docs.crossplane.io/latest/operations/operation/",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) { reportOperation(p, t) }, operation, cronOperation, watchOperation)
		},
	}
}

func reportOperation(p *linter.Pass, t *typed) {
	spec := t.body.get("spec")
	if spec.form != mapping {
		return // it may have none
	}
	f := &findings{pass: p, doc: t.doc}
	reportChoice(f, meta.Path{"spec", "concurrencyPolicy"}, spec.get("concurrencyPolicy"), "a concurrency policy", false, "Allow", "Forbid", "Replace")
	switch t.doc.Kind {
	case cronOperation:
		schedule, ok := spec.get("schedule").asText()
		switch at := (meta.Path{"spec", "schedule"}); {
		case ok && schedule == "":
			f.addf(at, "there is no schedule, such as \"0 3 * * *\"")
		case ok && !isSchedule(schedule):
			f.addf(at, "%s is not a schedule (five fields as in cron, or @hourly, @daily, @weekly, @monthly, @yearly, @every 2h)", quote(schedule))
		}
	case watchOperation:
		watch := spec.get("watch")
		reportRequired(f, meta.Path{"spec", "watch", "apiVersion"}, watch.get("apiVersion"), "API version to watch")
		reportRequired(f, meta.Path{"spec", "watch", "kind"}, watch.get("kind"), "kind to watch")
	}
	template := operationPath(t.doc.Kind)
	run := t.runs()
	reportChoice(f, below(template, "mode"), run.get("mode"), "a mode", false, modePipeline)
	if steps, ok := run.get("pipeline").asList(); ok && len(steps) == 0 {
		f.addf(below(template, "pipeline"), "there is no step of a pipeline")
	}
	f.done()
}

// isSchedule reports whether a schedule may be one that cron takes: its form, and the
// bounds of its numbers.
func isSchedule(s string) bool {
	for _, zone := range []string{"TZ=", "CRON_TZ="} {
		if strings.HasPrefix(s, zone) {
			_, s, _ = strings.Cut(s, " ")
			s = strings.TrimSpace(s)
		}
	}
	switch s {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly":
		return true
	}
	if every, ok := strings.CutPrefix(s, "@every "); ok {
		return strings.IndexFunc(every, func(r rune) bool { return r >= '0' && r <= '9' }) == 0
	}
	bounds := [][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}}
	parts := strings.Fields(s)
	if len(parts) != len(bounds) {
		return false
	}
	for i, part := range parts {
		for item := range strings.SplitSeq(part, ",") {
			span, step, stepped := strings.Cut(item, "/")
			if n, err := strconv.Atoi(step); stepped && (err != nil || n < 1) {
				return false
			}
			from, to, ranged := strings.Cut(span, "-")
			if !isTimeField(from, bounds[i]) || ranged && !isTimeField(to, bounds[i]) {
				return false
			}
		}
	}
	return true
}

// isTimeField reports whether a field is *, ?, a number within bounds or a name.
func isTimeField(s string, bounds [2]int) bool {
	if s == "*" || s == "?" {
		return true
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n >= bounds[0] && n <= bounds[1]
	}
	const months, days = " jan feb mar apr may jun jul aug sep oct nov dec ", " sun mon tue wed thu fri sat "
	names := map[int]string{12: months, 6: days}[bounds[1]]
	return len(s) == 3 && strings.Contains(names, " "+strings.ToLower(s)+" ")
}

func activationPolicyInvalid() *linter.Rule {
	const head = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata:
  name: demo
spec:
`
	return &linter.Rule{
		ID: "activation-policy",
		Doc: "A ManagedResourceActivationPolicy names at least one ManagedResourceDefinition that it activates, PLURAL.GROUP or " +
			"a pattern with * for a part of it.",
		Bad:      exampleConfiguration + head + "  activate: []\n",
		Good:     exampleConfiguration + head + "  activate:\n  - \"*.s3.example.org\"\n",
		URL:      "https://docs.crossplane.io/latest/managed-resources/managed-resource-activation-policies/",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) { reportActivations(p, t) }, activationPolicy)
		},
	}
}

func reportActivations(p *linter.Pass, t *typed) {
	spec := t.body.get("spec")
	patterns, ok := spec.get("activate").asList()
	if spec.form != mapping || !ok {
		return
	}
	f := &findings{pass: p, doc: t.doc}
	list := meta.Path{"spec", "activate"}
	if len(patterns) == 0 {
		f.addf(list, "there is nothing to activate")
	}
	for i, v := range patterns {
		pattern, ok := v.asText()
		at := fault{path: below(list, i)}
		switch {
		case !ok:
		case pattern == "":
			f.add(at, "there is no name of a ManagedResourceDefinition")
		case isBadPattern(pattern):
			f.add(at, "%s is not a pattern: a bracket or an escape is not complete", quote(pattern))
		case strings.Trim(pattern, "*?") == "":
			at.severity = linter.Info
			f.add(at, "%s activates every ManagedResourceDefinition in the cluster", quote(pattern))
		case !strings.ContainsAny(pattern, "*?[.\\"):
			at.severity = linter.Warning
			f.add(at, "%s matches nothing, as every name is made of a plural and a group with a dot between them", quote(pattern))
		}
	}
	f.done()
}

func isBadPattern(s string) bool {
	_, err := path.Match(s, "")
	return err != nil
}
