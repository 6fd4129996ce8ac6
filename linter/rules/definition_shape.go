package rules

// The shapes of definitions: the fields of spec, of spec.names and of each version
// are fixed by the API versions named; other fields are known by name only. The
// schemas of composite resources are read whole, since nobody else looks at them
// before Crossplane makes definitions of them; others are never entered.

// object is the shape of an object with a spec.
func object(spec *shape) *shape {
	return fields(map[string]*shape{
		"apiVersion": anything, "kind": anything, "metadata": objectMetaShape, "status": anything,
		"spec": spec,
	})
}

// objectMetaShape has the texts of metadata that a number or boolean without quotes
// gets into by accident.
var objectMetaShape = &shape{
	form: mapping, others: anything,
	fields: map[string]*shape{"labels": texts, "annotations": texts},
}

var (
	namesShape = fields(map[string]*shape{
		"plural": aText, "singular": aText, "kind": aText, "listKind": aText,
		"shortNames": listOf(aText), "categories": listOf(aText),
	})

	// crdShape is that of apiextensions.k8s.io/v1.
	crdShape = object(fields(map[string]*shape{
		"group": aText, "scope": aText, "names": namesShape,
		"conversion": conversionShape, "preserveUnknownFields": aTruth,
		"versions": listOf(crdVersionShape),
	}))

	// conversionShape is that of apiextensions.k8s.io/v1, in an XRD too.
	conversionShape = fields(map[string]*shape{
		"strategy": aText,
		"webhook":  fields(map[string]*shape{"clientConfig": aMapping, "conversionReviewVersions": listOf(aText)}),
	})

	// mrdShape is that of apiextensions.crossplane.io/v1alpha1: a definition of
	// apiextensions.k8s.io/v1 with more around it.
	mrdShape = object(fields(map[string]*shape{
		"group": aText, "scope": aText, "names": namesShape,
		"conversion": conversionShape, "preserveUnknownFields": aTruth,
		"versions":          listOf(crdVersionShape),
		"connectionDetails": listOf(fields(map[string]*shape{"name": aText, "description": aText})),
		"state":             aText,
	}))

	// crdBetaShape is that of apiextensions.k8s.io/v1beta1, where what versions have
	// in common may be in spec.
	crdBetaShape = object(fields(map[string]*shape{
		"group": aText, "scope": aText, "names": namesShape,
		"conversion": aMapping, "preserveUnknownFields": aTruth,
		"version": aText, "validation": aMapping, "subresources": aMapping,
		"additionalPrinterColumns": aList, "selectableFields": aList,
		"versions": listOf(crdVersionShape),
	}))

	crdVersionShape = fields(map[string]*shape{
		"name": aText, "served": aTruth, "storage": aTruth,
		"deprecated": aTruth, "deprecationWarning": aText,
		"schema": aMapping, "subresources": aMapping,
		"additionalPrinterColumns": aList, "selectableFields": aList,
	})

	// xrdShape is that of apiextensions.crossplane.io/v1beta1, v1 and v2. What v2
	// alone has is taken in the others as well: releases from v2.0 on read it there.
	xrdShape = object(fields(map[string]*shape{
		"group": aText, "scope": aText, "names": namesShape, "claimNames": namesShape,
		"connectionSecretKeys": listOf(aText), "conversion": conversionShape,
		"metadata":                     fields(map[string]*shape{"labels": texts, "annotations": texts}),
		"defaultCompositeDeletePolicy": aText, "defaultCompositionUpdatePolicy": aText,
		"defaultCompositionRef": nameShape, "enforcedCompositionRef": nameShape,
		"versions": listOf(fields(map[string]*shape{
			"name": aText, "served": aTruth, "referenceable": aTruth,
			"deprecated": aTruth, "deprecationWarning": aText,
			"schema": fields(map[string]*shape{"openAPIV3Schema": {form: mapping, fields: whole.fields, others: whole}}),

			"additionalPrinterColumns": aList,
		})),
	}))

	nameShape = fields(map[string]*shape{"name": aText})

	// xrdAlphaShape is that of apiextensions.crossplane.io/v1alpha1, whose spec had a
	// whole CustomResourceDefinition in it.
	xrdAlphaShape = object(aMapping)
)
