package kruisedriver

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	appsv1beta1 "github.com/openkruise/kruise/apis/apps/v1beta1"
	policyv1alpha1 "github.com/openkruise/kruise/apis/policy/v1alpha1"
	"github.com/openkruise/kruise/pkg/control/pubcontrol"
	"github.com/openkruise/kruise/pkg/controller/cloneset"
	"github.com/openkruise/kruise/pkg/controller/cloneset/revision"
	"github.com/openkruise/kruise/pkg/controller/cloneset/sync"
	"github.com/openkruise/kruise/pkg/util/controllerfinder"
	"github.com/openkruise/kruise/pkg/util/history"
)

// controller is the real reconciler with the driver's edges around it. It
// lives for the whole process.
type controller struct {
	reconciler *cloneset.ReconcileCloneSet
	client     *recordingClient
	events     *eventRecorder
}

// newController does what upstream's newReconciler does, with the recording
// client in place of the manager's.
func newController() *controller {
	scheme := kruiseScheme()
	c := &controller{client: &recordingClient{scheme: scheme}, events: &eventRecorder{}}
	r := &cloneset.ReconcileCloneSet{Client: c.client}
	set(r, "scheme", scheme)
	set(r, "recorder", c.events)
	set(r, "statusUpdater", newStatusUpdater(c.client))
	set(r, "controllerHistory", history.NewHistory(c.client))
	set(r, "revisionControl", revision.NewRevisionControl())
	set(r, "syncControl", sync.New(c.client, c.events))
	c.reconciler = r
	pubcontrol.InitPubControl(c.client, &controllerfinder.ControllerFinder{Client: c.client}, c.events)
	return c
}

// kruiseScheme is client-go's: the revision control encodes with it.
func kruiseScheme() *runtime.Scheme {
	for _, add := range []func(*runtime.Scheme) error{appsv1alpha1.AddToScheme, appsv1beta1.AddToScheme, policyv1alpha1.AddToScheme} {
		utilruntime.Must(add(clientgoscheme.Scheme))
	}
	return clientgoscheme.Scheme
}

// reconcile returns the error text of the reconcile, "panic: …" if it panicked.
func (c *controller) reconcile(key types.NamespacedName) (result reconcile.Result, failure string) {
	defer func() {
		if r := recover(); r != nil {
			failure = fmt.Sprintf("panic: %v", r)
		}
	}()
	result, err := doReconcile(c.reconciler, reconcile.Request{NamespacedName: key})
	if err != nil {
		failure = err.Error()
	}
	return result, failure
}
