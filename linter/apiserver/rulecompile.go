package apiserver

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"sigs.k8s.io/json"
)

// selfType is the name of the type of self, one that no expression can write.
const selfType = "self-type"

// compiler compiles the rules of one schema as the API server does (schema/cel.Compile),
// with that server's own base environment and estimate of costs. It makes one environment of a
// schema where that function makes four, which takes most of its time, and a program only where
// making one can fail.
type compiler struct {
	base, now, optional *cel.Env // the environments of rules, made when they are needed
	self                *apiservercel.DeclType
}

// newCompiler returns the compiler of the rules of a schema; false when the values of
// the schema are nothing to CEL.
func newCompiler(schema []byte, root bool) (*compiler, bool) {
	external, internal := &apiextensionsv1.JSONSchemaProps{}, &apiextensions.JSONSchemaProps{}
	if json.UnmarshalCaseSensitivePreserveInts(schema, external) != nil ||
		apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil) != nil {
		return nil, false
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, false
	}
	self := model.SchemaDeclType(structural, root)
	if self == nil {
		return nil, false
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	return &compiler{base: base, self: self.MaybeAssignTypeName(selfType)}, true
}

// compiled is what there is to know of a rule that compiles.
type compiled struct {
	cost       uint64 // of one evaluation
	usesBefore bool   // does it speak of oldSelf
}

// compile compiles a rule; false when the API server's code would have something
// against it.
func (c *compiler) compile(rule string, optional bool) (compiled, bool) {
	env, err := c.env(optional)
	if err != nil {
		return compiled{}, false
	}
	ast, issues := env.Compile(rule)
	if issues != nil || ast.OutputType() != cel.BoolType {
		return compiled{}, false
	}
	estimator := &library.CostEstimator{SizeEstimator: sizes{c.self}}
	if !plannable(ast) {
		if _, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(estimator)); err != nil {
			return compiled{}, false
		}
	}
	cost, err := env.EstimateCost(ast, estimator)
	if err != nil {
		return compiled{}, false
	}
	result := compiled{cost: cost.Max}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		result.usesBefore = result.usesBefore || ref.Name == schemacel.OldScopedVarName
	}
	return result, true
}

// calls are the functions of which a program can be made whatever they are called with.
// Others look at arguments that are written out, such as patterns, when the program is made.
var calls = map[string]bool{
	operators.LogicalAnd: true, operators.LogicalOr: true, operators.LogicalNot: true, operators.Conditional: true,
	operators.Equals: true, operators.NotEquals: true, operators.Less: true, operators.LessEquals: true,
	operators.Greater: true, operators.GreaterEquals: true, operators.Add: true, operators.Subtract: true,
	operators.In: true, operators.NotStrictlyFalse: true,
	"size": true, "startsWith": true, "endsWith": true, "contains": true, "hasValue": true, "value": true,
}

// plannable reports whether it is certain that a program can be made of an expression that
// compiles: it speaks of self, oldSelf and names of its own, and calls no other function.
func plannable(a *cel.Ast) bool {
	tree, sure := a.NativeRep(), true
	celast.PostOrderVisit(tree.Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		switch ref := tree.ReferenceMap()[e.ID()]; e.Kind() {
		case celast.CallKind:
			sure = sure && calls[e.AsCall().FunctionName()]
		case celast.IdentKind: // types and constants have names too
			sure = sure && ref != nil && ref.Value == nil && tree.GetType(e.ID()).Kind() != types.TypeKind
		case celast.SelectKind:
			sure = sure && ref == nil
		case celast.LiteralKind, celast.ComprehensionKind, celast.ListKind:
		default:
			sure = false
		}
	}))
	return sure
}

// env returns the environment of rules, in which oldSelf may be optional.
func (c *compiler) env(optional bool) (*cel.Env, error) {
	kept, before := &c.now, c.self.CelType()
	if optional {
		kept, before = &c.optional, types.NewOptionalType(before)
	}
	if *kept != nil {
		return *kept, nil
	}
	provider := apiservercel.NewDeclTypeProvider(c.self)
	provider.SetRecognizeKeywordAsFieldName(true)
	options, err := provider.EnvOptions(c.base.CELTypeProvider())
	if err != nil {
		return nil, err
	}
	options = append(options, cel.Variable(schemacel.ScopedVarName, c.self.CelType()), cel.Variable(schemacel.OldScopedVarName, before))
	*kept, err = c.base.Extend(options...)
	return *kept, err
}

// sizes says how large the values of self are at most.
type sizes struct{ self *apiservercel.DeclType }

// EstimateSize is the size of what is at a path below self or oldSelf.
func (s sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	at := s.self
	for _, step := range path[1:] {
		switch step {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[step]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)}
}

// EstimateCallCost leaves calls to the estimate of the API server.
func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
