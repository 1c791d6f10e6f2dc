// Command oracle answers what the CloneSet controller of kruise v1.5.5 does in
// one reconcile. Everything but what differs between versions is in the driver
// module.
package main

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver"
)

func main() {
	kruisedriver.Main(kruisedriver.Upstream{
		NewImagePullJob: func() client.Object { return &appsv1alpha1.ImagePullJob{} },
	})
}
