package cli

import "flag"

// JudgeFlags adds the flags that say what packages are judged for.
func JudgeFlags(flags *flag.FlagSet, target, profile *string) {
	flags.StringVar(target, "target", "", "the Crossplane `version` to judge for, such as v1.20 (default: those that spec.crossplane admits, else the newest)")
	flags.StringVar(profile, "profile", "", "what to judge for, as a `profile`: install or publish (default publish)")
}
