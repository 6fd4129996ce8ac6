package legacy_test

import (
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// tree makes a file system of a txtar archive.
func tree(archive string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys
}

// crd is a definition.
func crd(kind, version string) string {
	lower := map[string]string{"MySQL": "mysql", "Redis": "redis"}[kind]
	return "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: " + lower + "s.example.org}\n" +
		"spec:\n  group: example.org\n  names: {kind: " + kind + ", plural: " + lower + "s, singular: " + lower + "}\n  scope: Namespaced\n  version: " + version + "\n"
}

// read reads a package and returns it with the text of its faults.
func read(t *testing.T, archive string, o *legacy.Options) (*legacy.Package, parser.ErrorList) {
	t.Helper()
	p, err := legacy.Read(t.Context(), tree(archive), o)
	if p == nil {
		t.Fatalf("there is no package: %v", err)
	}
	if err == nil {
		return p, nil
	}
	list, ok := err.(parser.ErrorList)
	if !ok {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	return p, list
}

// faultsOf returns the faults of an error of Read.
func faultsOf(t *testing.T, err error) parser.ErrorList {
	t.Helper()
	list, ok := err.(parser.ErrorList)
	if !ok {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	return list
}
