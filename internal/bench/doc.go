// Package bench compares the library with the way the field goes today, in the
// same run and on the same bytes, so that every figure is a ratio that a noisy
// machine cannot move far. It is a module of its own because the conventional
// way needs Kubernetes' API machinery.
//
//	go test -run='^$' -bench=. ./internal/bench
//
// The command figures runs them for docs/performance.md.
//
// The input is made by internal/fixture; where XPKG_CORPUS names a folder with
// provider-aws-monolith.package.yaml.gz, that package is read as well.
package bench
