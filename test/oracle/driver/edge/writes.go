package edge

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// SetWrites makes a controller remember for an owner that it wrote
// contract.WroteVersion of these resources, and nothing else (1.36 and later):
// pkg/controller/util/consistency RealConsistencyStore.
func SetWrites(controller any, owner types.NamespacedName, resources []string) {
	if !HasField(controller, "consistencyStore") {
		return
	}
	store := Field(controller, "consistencyStore").Interface().(interface {
		Clear(types.NamespacedName, types.UID)
		WroteAt(types.NamespacedName, types.UID, schema.GroupResource, string)
	})
	store.Clear(owner, "")
	for _, resource := range resources {
		store.WroteAt(owner, "uid", schema.ParseGroupResource(resource), contract.WroteVersion)
	}
}
