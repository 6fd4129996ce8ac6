package decode

import (
	"errors"
	"iter"
	"runtime"
	"sync"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/xpkg-go/sdk/parser"
)

// SDK hands the documents of a sequence to as many goroutines as there are cores,
// decodes them strictly, and returns how many there were.
func SDK(docs iter.Seq2[*parser.Document, error]) (n int, err error) {
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		errs    []error
	)
	failed := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	}
	queue := make(chan *parser.Document)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for d := range queue {
				if err := d.Decode(into(d)); err != nil {
					failed(err)
				}
			}
		})
	}
	for d, err := range docs {
		if err != nil {
			failed(err)
			continue
		}
		queue <- d
		n++
	}
	close(queue)
	workers.Wait()
	return n, errors.Join(errs...)
}

func into(d *parser.Document) any {
	if d.Kind == "Provider" {
		return new(any)
	}
	return new(extv1.CustomResourceDefinition)
}
