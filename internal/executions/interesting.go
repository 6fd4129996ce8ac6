package executions

import (
	"fmt"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// interesting are the inputs in the folder that XPKG_INTERESTING names. Some may be of a
// target that had other arguments once, and are left out.
func interesting(t *testing.T, body reflect.Type) [][]reflect.Value {
	var inputs [][]reflect.Value
	folder := os.Getenv("XPKG_INTERESTING")
	if folder == "" {
		return nil
	}
	files, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if args, err := decode(string(text), body); err == nil {
			inputs = append(inputs, args)
		}
	}
	return inputs
}

// decode reads the file format of Go's fuzzing: a line that tells its version, and a line
// for each argument, which is a conversion in Go.
func decode(text string, body reflect.Type) ([]reflect.Value, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "go test fuzz v1" || len(lines) != body.NumIn() {
		return nil, fmt.Errorf("it is not an input of %s", body)
	}
	var args []reflect.Value
	for i, line := range lines[1:] {
		e, err := parser.ParseExpr(line)
		if err != nil {
			return nil, err
		}
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return nil, fmt.Errorf("it is not a conversion: %s", line)
		}
		literal := line[call.Lparen : call.Rparen-1]
		arg := reflect.New(body.In(i + 1)).Elem()
		switch {
		case arg.Kind() == reflect.Slice || arg.Kind() == reflect.String:
			s, err := strconv.Unquote(literal)
			if err != nil {
				return nil, err
			}
			arg.Set(reflect.ValueOf(s).Convert(arg.Type()))
		case arg.CanUint():
			n, err := strconv.ParseUint(literal, 0, 64)
			if err != nil {
				return nil, err
			}
			arg.SetUint(n)
		case arg.CanInt():
			n, err := strconv.ParseInt(literal, 0, 64)
			if err != nil {
				return nil, err
			}
			arg.SetInt(n)
		default:
			return nil, fmt.Errorf("no argument of a target is one: %s", line)
		}
		args = append(args, arg)
	}
	return args, nil
}
