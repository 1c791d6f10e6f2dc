// Command oracle answers what the CloneSet controller of kruise v1.9.1 does in
// one reconcile. Everything but what differs between versions is in the driver
// module.
package main

import (
	_ "unsafe" // for go:linkname

	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1beta1 "github.com/openkruise/kruise/apis/apps/v1beta1"
	_ "github.com/openkruise/kruise/pkg/client" // holds curVersion

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/events"
)

// curVersion is what upstream's NewRegistry reads from the API server.
//
//go:linkname curVersion github.com/openkruise/kruise/pkg/client.curVersion
var curVersion *version.Info

func main() {
	kruisedriver.Main(kruisedriver.Upstream{
		SetServerVersion: func(gitVersion string) { curVersion = &version.Info{GitVersion: gitVersion} },
		NewImagePullJob:  func() client.Object { return &appsv1beta1.ImagePullJob{} },
		Events:           events.Serve,
	})
}
