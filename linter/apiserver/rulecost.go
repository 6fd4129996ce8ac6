package apiserver

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// What rules may cost, and what their parts cost at most: to look for a text in a list
// that only a request's size bounds, where an item takes two quotes and a comma, and
// any other token.
const (
	maxRuleCost  = validation.StaticEstimatedCostLimit
	maxTotalCost = validation.StaticEstimatedCRDCostLimit
	listCost     = uint64(celconfig.MaxRequestSizeBytes)/3 + 100
	equalCost    = uint64(celconfig.MaxRequestSizeBytes) // of texts, the longest of which a request holds
	tokenCost    = 100
	maxRule      = 2000 // bytes of an expression
	maxNesting   = 20
)

// costOf returns what the rules (x-kubernetes-validations) of a schema cost at most,
// which is ordinary but for them; false when it is not certain that the API server
// accepts each of them.
func costOf(n *node, rules []byte) (uint64, bool) {
	c := cursor{b: rules}
	if !c.open('[') {
		return 0, false
	}
	total := uint64(0)
	for c.more(']') {
		rule, ok := plainRule(c.skip())
		if !ok || len(rule.text) > maxRule || rule.optional {
			return 0, false
		}
		e := expression{node: n.raw, scalar: n.scalar()}
		if !e.read(rule.text) || !e.isImmutable() && !e.or(0) || len(e.tokens) > 0 || e.cost > maxRuleCost {
			return 0, false
		}
		total += e.cost
	}
	return total, !c.lost
}

// rule is a rule of a schema that has no more than what it asks and a message.
type rule struct {
	text     string
	optional bool // is oldSelf there when there is no old value (optionalOldSelf)
}

// plainRule reads such a rule; false when it is another one.
func plainRule(object []byte) (rule, bool) {
	c := cursor{b: object}
	if !c.open('{') {
		return rule{}, false
	}
	var r rule
	var message string
	for c.more('}') {
		key, value := string(c.key()), c.skip()
		text, ok := unquote(value)
		switch {
		case key == "optionalOldSelf" && string(value) == "true":
			r.optional = true
		case !ok:
			return rule{}, false
		case key == "rule" && r.text == "":
			r.text = text
		case key == "message" && message == "" && strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\r\n"):
			message = text
		default:
			return rule{}, false
		}
	}
	if c.lost || strings.TrimSpace(r.text) == "" || message == "" && strings.ContainsAny(r.text, "\r\n") {
		return rule{}, false
	}
	return r, true
}

// token is what the expressions are made of that can be certain: fields of self, texts
// and the operators between. Anything else is left to the API server's code.
var token = regexp.MustCompile(`^(?:[ \t\r\n]+|self\b(?:\.[A-Za-z][A-Za-z0-9_]*)*|oldSelf\b|has\b|in\b|'[^'\\\r\n]*'|"[^"\\\r\n]*"|&&|\|\||[!=]=|[!()])`)

// reserved are names that CEL writes otherwise than they are, beside those with two
// underscores.
const reserved = " true false null in as break const continue else for function if import let loop package namespace return var void while "

// expression reads a rule: conditions joined by || and &&, where a condition asks
// whether there is a field, looks for a text in a list of texts, or compares a field
// with a text. A scalar may be compared with what it was before.
type expression struct {
	node   []byte // the schema of self
	scalar bool   // has it no fields
	tokens []string
	cost   uint64
}

func (e *expression) read(text string) bool {
	for text != "" {
		t := token.FindString(text)
		if t == "" {
			return false
		}
		text = text[len(t):]
		if t = strings.TrimSpace(t); t != "" {
			e.tokens = append(e.tokens, t)
			e.cost += tokenCost
		}
	}
	return true
}

// isImmutable reads the rule that a scalar never changes, which more rules say than
// anything else about one.
func (e *expression) isImmutable() bool {
	if !e.scalar || !slices.Equal(e.tokens, []string{"self", "==", "oldSelf"}) || !isPlain(e.node) {
		return false
	}
	e.cost += equalCost
	e.tokens = nil
	return true
}

// next takes the next token if it is the one that is given.
func (e *expression) next(t string) bool {
	if len(e.tokens) == 0 || e.tokens[0] != t {
		return false
	}
	e.tokens = e.tokens[1:]
	return true
}

// take takes the next token, whatever it is; empty at the end.
func (e *expression) take() string {
	if len(e.tokens) == 0 {
		return ""
	}
	t := e.tokens[0]
	e.tokens = e.tokens[1:]
	return t
}

func (e *expression) or(depth int) bool {
	for {
		if !e.and(depth) {
			return false
		}
		if !e.next("||") {
			return true
		}
	}
}

func (e *expression) and(depth int) bool {
	for {
		if !e.condition(depth) {
			return false
		}
		if !e.next("&&") {
			return true
		}
	}
}

func (e *expression) condition(depth int) bool {
	if depth > maxNesting {
		return false
	}
	switch t := e.take(); {
	case t == "!":
		// Before a comparison it would be of its left side.
		return len(e.tokens) > 0 && (e.tokens[0] == "(" || e.tokens[0] == "has" || e.tokens[0] == "!") && e.condition(depth+1)
	case t == "(":
		return e.or(depth+1) && e.next(")")
	case t == "has":
		return e.next("(") && e.field(e.take()) != nil && e.next(")")
	case isText(t) && e.next("in"):
		list := e.field(e.take())
		e.cost += listCost
		return kindOf(list) == "array" && isPlainText(lookup(list, "items"))
	case isText(t):
		return (e.next("==") || e.next("!=")) && isPlainText(e.field(e.take()))
	default:
		return isPlainText(e.field(t)) && (e.next("==") || e.next("!=")) && isText(e.take())
	}
}

func isText(t string) bool { return t != "" && (t[0] == '\'' || t[0] == '"') }

// field returns the schema of a field of self; nil when there is none of that name.
func (e *expression) field(path string) []byte {
	path, ok := strings.CutPrefix(path, "self.")
	if !ok {
		return nil
	}
	node := e.node
	for step := range strings.SplitSeq(path, ".") {
		if strings.Contains(step, "__") || strings.Contains(reserved, " "+step+" ") {
			return nil
		}
		node = lookup(lookup(node, "properties"), step) // of an object, as it is ordinary
	}
	return node
}

func kindOf(node []byte) string {
	kind, _ := unquote(lookup(node, "type"))
	return kind
}

// isPlain reports whether the values of a field are to CEL what their type says.
func isPlain(node []byte) bool { return lookup(node, "format") == nil }

// isPlainText reports whether the values of a field are texts to CEL: some formats make
// them times and others.
func isPlainText(node []byte) bool { return kindOf(node) == "string" && isPlain(node) }
