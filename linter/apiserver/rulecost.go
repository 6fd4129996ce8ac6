package apiserver

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// maxTotalCost is what the rules of one schema may cost together.
const maxTotalCost = validation.StaticEstimatedCRDCostLimit

// ruleCosts knows what rules (x-kubernetes-validations) cost that differ in the
// names of fields only: a provider of a thousand definitions has a dozen of such.
// It is for any number of goroutines.
type ruleCosts struct {
	mu    sync.Mutex
	known map[string]*ruleCost
}

type ruleCost struct {
	once sync.Once
	cost uint64
	ok   bool
}

// maxKnown bounds how many are remembered.
const maxKnown = 1000

// of returns what the rules of a schema cost, which is ordinary but for them; false
// when it is not certain that the API server accepts each of them.
func (r *ruleCosts) of(node, rules []byte) (uint64, bool) {
	c := cursor{b: rules}
	if !c.open('[') {
		return 0, false
	}
	total := uint64(0)
	for c.more(']') {
		rule, ok := plainRule(c.skip())
		if !ok {
			return 0, false
		}
		p := projection{names: map[string]string{}}
		text, ok := p.rule(node, rule)
		if !ok {
			return 0, false
		}
		cost, ok := r.cost(text, &p.root)
		if !ok {
			return 0, false
		}
		total += cost
	}
	return total, !c.lost
}

// plainRule returns the expression of a rule that has no more than that and a
// message.
func plainRule(object []byte) (string, bool) {
	c := cursor{b: object}
	if !c.open('{') {
		return "", false
	}
	var rule, message string
	for c.more('}') {
		key := string(c.key())
		text, ok := unquote(c.skip())
		switch {
		case !ok:
			return "", false
		case key == "rule" && rule == "":
			rule = text
		case key == "message" && message == "" && strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\r\n"):
			message = text
		default:
			return "", false
		}
	}
	if c.lost || strings.TrimSpace(rule) == "" || message == "" && strings.ContainsAny(rule, "\r\n") {
		return "", false
	}
	return rule, true
}

// cost asks the API server's code about a rule and the part of a schema that the
// rule speaks of, once.
func (r *ruleCosts) cost(rule string, p *part) (uint64, bool) {
	key := rule + "\x00" + p.String()
	r.mu.Lock()
	k := r.known[key]
	if k == nil {
		if r.known == nil || len(r.known) == maxKnown {
			r.known = map[string]*ruleCost{}
		}
		k = &ruleCost{}
		r.known[key] = k
	}
	r.mu.Unlock()
	k.once.Do(func() { k.cost, k.ok = compile(rule, p) })
	return k.cost, k.ok
}

func compile(rule string, p *part) (uint64, bool) {
	s := p.structural()
	s.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
	found, err := cel.Compile(&s, model.SchemaDeclType(&s, false), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
	if err != nil || len(found) != 1 {
		return 0, false
	}
	f := found[0]
	ok := f.Error == nil && f.Program != nil && !f.UsesOldSelf && f.MaxCost <= validation.StaticEstimatedCostLimit
	return f.MaxCost, ok
}

// token is what the rules are made of that can be certain: fields of self, whether
// there are such, texts, and the operators between.
var token = regexp.MustCompile(`^(?:\s+|self(?:\s*\.\s*[A-Za-z][A-Za-z0-9_]*)+|[A-Za-z_][A-Za-z0-9_]*|'[^'\\\r\n]*'|"[^"\\\r\n]*"|&&|\|\||[!=]=|[!()])`)

// reserved are names that CEL writes otherwise than they are, beside those with two
// underscores.
const reserved = " true false null in as break const continue else for function if import let loop package namespace return var void while "

// projection is a rule and the part of its schema that it speaks of, with the names
// of fields replaced: the same for all rules that differ in names only.
type projection struct {
	names map[string]string
	root  part
}

// part is a field, with those within that a rule speaks of.
type part struct {
	fields map[string]*part
	kind   string // of a field without others within: a type, or listOfText
}

const listOfText = "[]string"

// rule returns the rule in other names.
func (p *projection) rule(node []byte, rule string) (string, bool) {
	var out strings.Builder
	var last [2]string // tokens that are no space
	for rest := rule; rest != ""; {
		t := token.FindString(rest)
		if t == "" {
			return "", false
		}
		rest = rest[len(t):]
		text := strings.TrimSpace(t)
		if steps := strings.Split(text, "."); len(steps) > 1 && t[0] == 's' {
			follows := strings.TrimSpace(rest)
			asked := last == [2]string{"has", "("} && strings.HasPrefix(follows, ")")
			if strings.HasPrefix(follows, "(") || strings.HasPrefix(follows, ".") {
				return "", false // a call
			}
			for i := range steps {
				steps[i] = strings.TrimSpace(steps[i])
			}
			var ok bool
			if text, ok = p.field(node, steps[1:], asked); !ok {
				return "", false
			}
		} else if isWord(text) && text != "has" && text != "in" && text != "true" && text != "false" {
			return "", false
		}
		if text != "" {
			last = [2]string{last[1], text}
			out.WriteString(text + " ")
		}
	}
	return out.String(), true
}

func isWord(s string) bool {
	return s != "" && (s[0] == '_' || s[0] >= 'A' && s[0] <= 'Z' || s[0] >= 'a' && s[0] <= 'z')
}

// field makes the fields of a path part of the projection, and returns the path in
// other names.
func (p *projection) field(node []byte, steps []string, asked bool) (string, bool) {
	path, at := "self", &p.root
	for i, step := range steps {
		if strings.Contains(step, "__") || strings.Contains(reserved, " "+step+" ") {
			return "", false
		}
		node = lookup(lookup(node, "properties"), step) // an object, as it is ordinary
		if node == nil {
			return "", false
		}
		name := p.names[step]
		if name == "" {
			name = "p" + strconv.Itoa(len(p.names))
			p.names[step] = name
		}
		path += "." + name
		if at.fields == nil {
			at.fields = map[string]*part{}
		}
		if at.fields[name] == nil {
			at.fields[name] = &part{}
		}
		at = at.fields[name]
		if i < len(steps)-1 {
			continue
		}
		if asked {
			at.kind = cmp.Or(at.kind, "string") // any will do
			continue
		}
		var ok bool
		if at.kind, ok = plainKind(node); !ok {
			return "", false
		}
	}
	return path, true
}

// plainKind returns the type of the values of a field, without bounds: they could
// only make a rule cheaper.
func plainKind(node []byte) (string, bool) {
	kind, _ := unquote(lookup(node, "type"))
	if lookup(node, "format") != nil {
		return "", false
	}
	switch kind {
	case "string", "boolean", "integer", "number":
		return kind, true
	case "array":
		if item, ok := plainKind(lookup(node, "items")); ok && item == "string" {
			return listOfText, true
		}
	}
	return "", false
}

// String writes the part in one way, whatever the order of its fields was.
func (p *part) String() string {
	if p.fields == nil {
		return p.kind
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.fields)) {
		b.WriteString(name + "{" + p.fields[name].String() + "}")
	}
	return b.String()
}

// structural returns the part as a schema.
func (p *part) structural() structuralschema.Structural {
	s := structuralschema.Structural{ValueValidation: &structuralschema.ValueValidation{}}
	switch {
	case p.fields != nil:
		s.Type = "object"
		s.Properties = map[string]structuralschema.Structural{}
		for name, field := range p.fields {
			s.Properties[name] = field.structural()
		}
	case p.kind == listOfText:
		item := (&part{kind: "string"}).structural()
		s.Type, s.Items = "array", &item
	default:
		s.Type = p.kind
	}
	return s
}
