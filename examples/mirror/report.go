package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// answer is what mirror prints with -o json.
type answer struct {
	Copied  int          `json:"copied"`  // packages and images
	Present int          `json:"present"` // that were there already
	Blobs   int          `json:"blobs"`   // that were written
	Bytes   int64        `json:"bytes"`   // of these
	Lock    *mirror.Lock `json:"lock"`
	Error   *cli.Fault   `json:"error,omitempty"`
}

// tell prints what was done, and on standard error what was not.
func (j *job) tell(r *mirror.Result, err error) error {
	if j.env.JSON() {
		a := &answer{Copied: r.Copied, Present: r.Present, Blobs: r.Blobs, Bytes: r.Bytes, Lock: r.Lock}
		if err != nil {
			a.Error = cli.NewFault(err)
		}
		return j.env.Print(a)
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DECLARED\tMIRRORED\tATTACHED")
	for _, e := range r.Lock.Entries {
		// The digest is the same on both sides.
		declared, mirrored := e.Declared, e.Mirrored
		if declared.Tag != "" {
			declared.Digest, mirrored.Digest = "", ""
		}
		fmt.Fprintf(w, "%s\t%s\t%d\n", cli.Printable(declared.String()), cli.Printable(mirrored.String()), len(e.Attached))
	}
	_ = w.Flush()
	fmt.Fprintf(&b, "%d copied, %d there already; %s of %d bytes written\n", r.Copied, r.Present, cli.Count(r.Blobs, "blob"), r.Bytes)
	if _, werr := j.env.Stdout.Write(b.Bytes()); werr != nil {
		return werr
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(j.env.Stderr, "%s\n", cli.Printable(strings.TrimRight(line, "\n")))
		}
	}
	return nil
}

// imageConfigs is a YAML stream of what tells Crossplane where the mirror is.
func imageConfigs(l *mirror.Lock) ([]byte, error) {
	var b bytes.Buffer
	for i, c := range l.ImageConfigs("mirror") {
		text, err := yaml.Marshal(c)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}
