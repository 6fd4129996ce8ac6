package doctest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

// Every block of YAML can be read, save those that stand there as bad ones. A part
// of an object will do.
func TestYAMLBlocks(t *testing.T) {
	parts := []string{parser.RuleMissingKind, parser.RuleMissingAPIVersion, parser.RuleNotObject}
	blocks := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			if b.language != "yaml" || b.before == "Bad:" {
				continue
			}
			blocks++
			for _, err := range parser.Bytes(p.name, []byte(b.text), nil) {
				var fault *parser.Error
				if errors.As(err, &fault) && !slices.Contains(parts, fault.Rule) {
					t.Errorf("%s:%d: the block cannot be read: %s", p.name, b.line, strings.TrimPrefix(err.Error(), p.name+":"))
				}
			}
		}
	}
	if blocks < 50 {
		t.Errorf("only %d blocks were seen", blocks)
	}
}
