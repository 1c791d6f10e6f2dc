package replicaset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const (
	checkRequest = "k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go CheckRequest (v0.37.1)"
	podQuota     = "pkg/quota/v1/evaluator/core/pods.go podEvaluator.Constraints (v1.37.1)"
	limitRanger  = "plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc (v1.37.1)"
	validatePod  = "pkg/apis/core/validation/validation.go ValidatePodCreate (v1.37.1)"
)

// admissionRules say why the API server refuses pods.
var admissionRules = decision.Catalogue{
	{
		ID: QuotaShortfall, Title: "A resource quota leaves too little room", Source: checkRequest,
		Text: "Admission refuses Pods beyond the quota. A Pod counts with what its containers request together, or what an init container needs more, sidecars and overhead included. What is used is taken from the quota's status, which follows the cluster with a delay; terminating Pods count until they are gone.",
		Keys: []decision.Key{keyEach, keyHard, keyMissing, keyResource, keyRoom, keyUsed},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %s of %s used, each Pod takes %s: room for %d of %d missing Pods",
				fs.Str(keyResource), fs.Str(keyUsed), fs.Str(keyHard), fs.Str(keyEach), fs.Int(keyRoom), fs.Int(keyMissing))
		},
	},
	{
		ID: QuotaDemandsRequest, Title: "A resource quota refuses Pods that do not specify what it limits", Source: podQuota,
		Text: "Under a quota of cpu or memory, of requests or limits, every container and init container has to specify that one, unless the Pod itself does. A limit stands for a missing request; a LimitRange can set defaults.",
		Keys: []decision.Key{keyMessage},
		Line: func(fs decision.Facts) string { return fs.Str(keyMessage) },
	},
	{
		ID: QuotaNotCounted, Title: "A resource quota refuses Pods until it has counted", Source: checkRequest,
		Text: "The quota's status has limits without what is used of them. The quota controller fills that in.",
		Keys: []decision.Key{keyMessage},
		Line: func(fs decision.Facts) string { return fs.Str(keyMessage) },
	},
	{
		ID: LimitRangeForbids, Title: "A LimitRange forbids the Pods of the template", Source: limitRanger,
		Text: "Its minimum, maximum or ratio of limit to request is not kept by a container or by the Pod, once the defaults of the namespace's LimitRanges are set.",
		Keys: []decision.Key{keyMessage},
		Line: func(fs decision.Facts) string { return fs.Str(keyMessage) },
	},
	{
		ID: PodInvalid, Title: "The Pods of the template are invalid", Source: validatePod,
		Text: "A template can be accepted although its Pods are not: defaults of a LimitRange can bring a request above its limit.",
		Keys: []decision.Key{keyMessage},
		Line: func(fs decision.Facts) string { return fs.Str(keyMessage) },
	},
}
