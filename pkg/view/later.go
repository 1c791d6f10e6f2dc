package view

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Later is the version in which releases after those that are modelled serve a
// kind, too. Objects of it are brought into the form of the kind's own version
// when they are read: nothing downstream knows of it.
func (k Kind) Later() (Kind, bool) {
	if k.GroupKind() != CloneSets.GroupKind() || k.Version == kruiseBeta.Version {
		return Kind{}, false
	}
	k.Version = kruiseBeta.Version
	return k, true
}

// OwnVersion is a kind in its own version, where it is in another one.
func OwnVersion(k *Kind) (Kind, bool) {
	return CloneSets, k.GroupKind() == CloneSets.GroupKind() && k.Version != CloneSets.Version
}

// Form is how much of an object there is.
type Form int

// A Whole object has what its server defaults; a Partial one, such as a
// manifest, says nothing about fields that it lacks.
const (
	Whole Form = iota
	Partial
)

// ReadAsLater is the note on answers about objects of a later version.
const (
	ReadAsLater        = "ReadAsLaterVersion"
	ReadAsLaterMessage = "CloneSets were read as apps.kruise.io/v1beta1, and are shown under the field names of v1alpha1"
)

// FromLater brings the fields of an object of a later version into the form of
// the kind's own version, in place, and reports whether it was one. It mirrors
// ConvertFrom (apis/apps/v1alpha1/cloneset_conversion.go of Kruise after 1.9).
func FromLater(object map[string]any, f Form) bool {
	if object["kind"] != CloneSets.Kind || object["apiVersion"] != kruiseBeta.String() {
		return false
	}
	object["apiVersion"] = CloneSets.GroupVersion().String()
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return true // metadata alone
	}
	if update, ok := spec["updateStrategy"].(map[string]any); ok {
		updateFromLater(update, f)
		imagesFromLater(object, update)
	}
	scaleFromLater(spec, f)
	return true
}

// updateFromLater lifts what stands under rollingUpdate, and makes one type of
// the type and the policy.
func updateFromLater(update map[string]any, f Form) {
	rolling, _ := update["rollingUpdate"].(map[string]any)
	delete(update, "rollingUpdate")
	for field, value := range rolling {
		if field != "podUpdatePolicy" {
			update[field] = value
		}
	}
	if kind := update["type"]; kind != nil && kind != "" && kind != "RollingUpdate" {
		return // OnDelete
	}
	delete(update, "type")
	if policy, _ := rolling["podUpdatePolicy"].(string); policy != "" {
		update["type"] = policy
	} else if f == Whole {
		update["type"] = "ReCreate"
	}
}

// scaleFromLater turns the reuse of claims around: there it is off unless asked for.
func scaleFromLater(spec map[string]any, f Form) {
	scale, _ := spec["scaleStrategy"].(map[string]any)
	reuse, said := scale["enablePVCReuse"].(bool)
	if !said && f == Partial {
		return
	}
	if scale == nil {
		scale = map[string]any{}
		spec["scaleStrategy"] = scale
	}
	delete(scale, "enablePVCReuse")
	scale["disablePVCReuse"] = !reuse
}

// imagesFromLater puts what is said about pulling images beforehand into the
// annotations that said it before.
func imagesFromLater(object, update map[string]any) {
	strategy, _ := update["inPlaceUpdateStrategy"].(map[string]any)
	for field, key := range map[string]string{
		"imagePreDownloadParallelism":         "apps.kruise.io/image-predownload-parallelism",
		"imagePreDownloadTimeoutSeconds":      "apps.kruise.io/image-predownload-timeout-seconds",
		"imagePreDownloadMinUpdatedReadyPods": "apps.kruise.io/image-predownload-min-updated-ready-pods",
	} {
		value, said := strategy[field]
		delete(strategy, field)
		if meta, ok := object["metadata"].(map[string]any); ok && said {
			annotations, _ := meta["annotations"].(map[string]any)
			if annotations == nil {
				annotations = map[string]any{}
				meta["annotations"] = annotations
			}
			annotations[key] = text(value)
		}
	}
}

func text(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// FromLaterJSON is FromLater for JSON. What is of no later version comes back
// as it is. Errors: JSON that does not parse.
func FromLaterJSON(raw []byte, f Form) (known []byte, later bool, err error) {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, false, err
	}
	if !FromLater(object, f) {
		return raw, false, nil
	}
	known, err = json.Marshal(object)
	return known, true, err
}
