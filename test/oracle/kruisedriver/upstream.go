package kruisedriver

import (
	"io"
	"testing"
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	"github.com/openkruise/kruise/pkg/controller/cloneset"
	"github.com/openkruise/kruise/pkg/controller/cloneset/sync"
)

// Upstream is what differs between kruise versions.
type Upstream struct {
	// SetServerVersion tells the controller the API server's version. Nil in
	// versions that do not ask for it.
	SetServerVersion func(gitVersion string)
	// NewImagePullJob is of the API version that this version reads and writes.
	NewImagePullJob func() client.Object
	// Events answers for the event handlers (package events), nil for versions
	// that are not asked. It is given what sets a request's gates.
	Events func(*testing.T, io.Reader, io.Writer, func(map[string]bool) error) error
}

// The names below are not exported upstream. A name that a version does not
// have fails at link time.

//go:linkname doReconcile github.com/openkruise/kruise/pkg/controller/cloneset.(*ReconcileCloneSet).doReconcile
func doReconcile(r *cloneset.ReconcileCloneSet, request reconcile.Request) (reconcile.Result, error)

//go:linkname newStatusUpdater github.com/openkruise/kruise/pkg/controller/cloneset.newStatusUpdater
func newStatusUpdater(c client.Client) cloneset.StatusUpdater

// isPreDownloadDisabled is set by upstream's Add from the gates.
//
//go:linkname isPreDownloadDisabled github.com/openkruise/kruise/pkg/controller/cloneset.isPreDownloadDisabled
var isPreDownloadDisabled bool

// scalingExcludePreparingDelete is the flag cloneset-scaling-exclude-preparing-delete.
//
//go:linkname scalingExcludePreparingDelete github.com/openkruise/kruise/pkg/controller/cloneset/sync.scalingExcludePreparingDelete
var scalingExcludePreparingDelete bool

//go:linkname calculateDiffsWithExpectation github.com/openkruise/kruise/pkg/controller/cloneset/sync.calculateDiffsWithExpectation
func calculateDiffsWithExpectation(cs *appsv1alpha1.CloneSet, pods []*corev1.Pod, currentRevision, updateRevision string, isPodUpdate sync.IsPodUpdateFunc) expectationDiffs

// expectationDiffs has the layout of the type of the same name in
// pkg/controller/cloneset/sync/cloneset_sync_utils.go. A change of it there
// would go unnoticed at link time; TestExpectationDiffs reads the source.
type expectationDiffs struct {
	scaleUpNum              int
	scaleUpNumOldRevision   int
	scaleDownNum            int
	scaleDownNumOldRevision int
	scaleUpLimit            int
	deleteReadyLimit        int
	useSurge                int
	useSurgeOldRevision     int
	updateNum               int
	updateMaxUnavailable    int
}
