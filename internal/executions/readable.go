package executions

import (
	"bytes"
	"io"

	"go.yaml.in/yaml/v3"
)

// Readable says whether go-yaml reads the text, for targets that have nothing to say of others.
// Most mutants are none, and to tell where a text cannot be read, as the parser does, takes
// five times as long.
func Readable(text []byte) (ok bool) {
	defer func() {
		if recover() != nil { // of what its authors held for impossible
			ok = false
		}
	}()
	for dec := yaml.NewDecoder(bytes.NewReader(text)); ; {
		switch err := dec.Decode(new(yaml.Node)); {
		case err == io.EOF:
			return true
		case err != nil:
			return false
		}
	}
}
