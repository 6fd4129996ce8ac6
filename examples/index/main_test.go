package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"index": func() { cli.Main(newProgram()) }})
}

const configuration = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: sample
  annotations:
    meta.crossplane.io/license: Apache-2.0
spec:
  crossplane:
    version: ">=v1.14.0"
  dependsOn:
  - provider: acme.io/org/provider
    version: ">=v1.0.0"
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xapps.acme.io
spec:
  group: acme.io
  names: {kind: XApp, plural: xapps}
  claimNames: {kind: App, plural: apps}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema: {type: object}
---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: app
spec:
  compositeTypeRef: {apiVersion: acme.io/v1, kind: XApp}
  mode: Pipeline
  pipeline:
  - step: one
    functionRef: {name: function-one}
`

// The scripts call index as a user does and look at what it prints, at its exit code and
// at what is left behind.
func TestScripts(t *testing.T) {
	host := clitest.Registry(t)
	clitest.Push(t, host+"/org/sample:v1.0.0", configuration)
	clitest.Run(t, map[string]string{"HOST": host})
}
