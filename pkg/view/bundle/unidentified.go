package bundle

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// identified returns the error of an object without a UID that is an owner of another: the
// file does not say whether that is its owner still, or one of its name was, whose dependents
// the garbage collector deletes (isDangling, garbagecollector.go, v1.37.1). Objects of an API
// server have a UID; manifests, and what was edited, may have none.
func (c *content) identified() error {
	lack := map[string]string{}
	for _, some := range [][]found{c.anonymous, c.objects.all} {
		for _, f := range some {
			if f.Obj.GetUID() == "" {
				lack[f.kind.GroupKind().String()+" "+f.Obj.GetNamespace()+"/"+f.Obj.GetName()] = f.place() + ": " + f.ref()
			}
		}
	}
	if len(lack) == 0 {
		return nil
	}
	for _, f := range c.objects.all {
		for _, ref := range f.Obj.GetOwnerReferences() {
			gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind().String()
			for _, namespace := range []string{f.Obj.GetNamespace(), ""} {
				if o := lack[gk+" "+namespace+"/"+ref.Name]; o != "" {
					return &placed{fmt.Errorf("%s: metadata.uid is missing, and an ownerReference of %s names the object: save it with kubectl get -o yaml, or ask about a manifest with plan -f",
						o, f.ref())}
				}
			}
		}
	}
	return nil
}
