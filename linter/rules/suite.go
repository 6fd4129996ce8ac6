package rules

import "github.com/xpkg-go/sdk/linter"

// The documents that rules point to.
const (
	specURL   = "https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md"
	formatURL = "https://github.com/crossplane/crossplane/blob/main/design/one-pager-package-format-v2.md"
)

// Suite returns the rules of this package: those of the metadata object, then
// those of all objects, then those of definitions. The values are the caller's
// own, who may leave some out, add others or change a severity.
func Suite() []*linter.Rule {
	return []*linter.Rule{
		metadataName(),
		metadataGroup(),
		metadataFile(),
		metadataRequired(),
		metadataLabels(),
		metadataUnknownField(),
		annotationKey(),
		annotationSize(),
		annotationMissing(),
		annotationPlain(),
		annotationLicense(),
		annotationSource(),
		annotationDescription(),
		crossplaneUnversioned(),
		crossplaneRange(),
		rangeUnsatisfiable(),
		rangePartial(),
		rangePrerelease(),
		dependencySource(),
		dependencyKind(),
		dependencyItself(),
		dependencyDuplicate(),
		dependencyUnversioned(),
		controllerImage(),
		controllerRequired(),
		permissionInvalid(),
		permissionVerb(),
		permissionBroad(),

		objectNotAllowed(),
		objectPartlyAllowed(),
		objectName(),
		objectDuplicate(),
		kindDuplicate(),
		yamlAmbiguous(),
		numberChanged(),
		yamlBinary(),
		yamlMerge(),
		webhookIncomplete(),
		webhookInvalid(),
		objectWrongType(),
		objectUnknownField(),
		objectEmpty(),

		crdWrongType(),
		crdUnknownField(),
		crdName(),
		crdScope(),
		crdVersions(),
		crdStorage(),
		crdNotServed(),
		crdConversion(),
		crdV1beta1(),
		xrdWrongType(),
		xrdUnknownField(),
		xrdName(),
		xrdVersions(),
		xrdReferenceable(),
		xrdConversion(),
		xrdClaimNames(),
		xrdScope(),
		xrdLegacyField(),
		xrdConnectionKeys(),
		xrdSchema(),
		xrdSchemaMeaning(),
		xrdComposition(),
		mrdWrongType(),
		mrdUnknownField(),
		mrdInvalid(),
		compositionDefinition(),
		compositionResources(),
		compositionRemovedField(),
		compositionMode(),
		compositionPatch(),
		compositionPatchPath(),
		pipelineStep(),
		pipelineFunction(),
		operationInvalid(),
		activationPolicyInvalid(),

		imageBase(),
		imageOverwritten(),
		imagePlatform(),
		imageTag(),
	}
}
