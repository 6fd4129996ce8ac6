// Package executions runs fuzz targets many more times than Go's fuzzing does in the
// same time: in the process of the test, and without counting what is covered.
//
//	XPKG_EXECUTIONS=100000 go test -run '^FuzzVersion$' ./meta
//
// runs the target that often for each of its seeds, with mutants of them and of the
// inputs in the folder that XPKG_INTERESTING names, which is where Go's fuzzing keeps
// those that it has found: $(go env GOCACHE)/fuzz/PACKAGE/TARGET. Each XPKG_SEED, a
// number, makes other mutants.
package executions

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// batch is how many executions share a subtest, and with it the folders of t.TempDir and
// what t.Cleanup puts off.
const batch = 500

// Many returns body, the argument of [testing.F.Fuzz]; or, where XPKG_EXECUTIONS is a
// number, a function that runs body that often with mutants of its arguments. A mutant
// that fails is told.
func Many[Body any](body Body) Body {
	n, err := strconv.Atoi(os.Getenv("XPKG_EXECUTIONS"))
	if err != nil {
		return body
	}
	run := reflect.ValueOf(body)
	var bases [][]reflect.Value
	many := func(in []reflect.Value) []reflect.Value {
		t := in[0].Interface().(*testing.T)
		if bases == nil {
			bases = interesting(t, run.Type())
		}
		bases = append(bases, in[1:])
		run.Call(in)
		seed, _ := strconv.ParseUint(os.Getenv("XPKG_SEED"), 10, 64)
		m := mutator{rand.New(rand.NewPCG(seed, uint64(len(bases)))), bases}
		for done := 0; done < n && !t.Failed(); done += batch {
			t.Run("mutants", func(t *testing.T) {
				for range min(batch, n-done) {
					execute(t, run, m.mutant(in[1:]))
				}
			})
		}
		return nil
	}
	return reflect.MakeFunc(run.Type(), many).Interface().(Body)
}

// execute runs the target once, and where that fails tells with what, and ends the batch. A
// target that skips would end it too, and what was not run would be counted.
func execute(t *testing.T, run reflect.Value, args []reflect.Value) {
	returned := false
	defer func() {
		if returned && !t.Failed() {
			return
		}
		if t.Skipped() {
			t.Error("a target has to return where it has nothing to say of an input, and not to skip")
		}
		var texts []string
		for _, a := range args {
			texts = append(texts, fmt.Sprintf("%s(%#v)", a.Type(), a.Interface()))
			if a.Kind() == reflect.Slice {
				texts[len(texts)-1] = fmt.Sprintf("[]byte(%q)", a.Bytes())
			}
		}
		t.Logf("the arguments: %s", strings.Join(texts, ", "))
		if returned {
			t.FailNow()
		}
	}()
	run.Call(append([]reflect.Value{reflect.ValueOf(t)}, args...))
	returned = true
}
