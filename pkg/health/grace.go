package health

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Class groups causes that turn from waited for into blocked by the same rule.
type Class string

// The classes of causes.
const (
	Unschedulable   Class = "Unschedulable"
	ScalingUp       Class = "TriggeredScaleUp"
	PlaceFreed      Class = "PlaceFreed"
	ImageRefused    Class = "ImageRefused"
	ImageTransient  Class = "ImageTransient"
	ConfigMissing   Class = "CreateContainerConfigError"
	CrashLoop       Class = "CrashLoopBackOff"
	Flapping        Class = "Flapping"
	Step            Class = "Step"
	Failing         Class = "Failing"
	FailedBefore    Class = "FailedBefore"
	Queued          Class = "Queued"
	Provisioning    Class = "Provisioning"
	Quota           Class = "Quota"
	QuotaFreed      Class = "QuotaFreed"
	WebhookDenied   Class = "WebhookDenied"
	WebhookFailed   Class = "WebhookFailed"
	CreateForbidden Class = "FailedCreateForbidden"
	CreateFailed    Class = "FailedCreate"
	CreateRetried   Class = "FailedCreateRetried"
	NamespaceGone   Class = "NamespaceTerminating"
	Paused          Class = "Paused"
	Budget          Class = "PodUnavailableBudget"
	BudgetNever     Class = "PodUnavailableBudgetNever"
	Deadline        Class = "ProgressDeadlineExceeded"
	MinReady        Class = "MinReadySeconds"
	Hook            Class = "LifecycleHook"
	Expectation     Class = "Expectation"
	NoLeader        Class = "NoActiveLeader"
	Deletion        Class = "Terminating"
	Collection      Class = "GarbageCollection"
	Finished        Class = "Finished"
)

// grace is when a cause of a class blocks.
type grace struct {
	// After is how long it is waited for.
	After time.Duration
	// Never: no time makes it block.
	Never bool
	// Deadline: progressDeadlineSeconds of the target comes before After.
	Deadline bool
	// Usual: every rollout passes through it.
	Usual bool
	// Source is the upstream file and name that writes what shows the cause.
	Source string
}

// atOnce reports whether no time has to pass.
func (g grace) atOnce() bool { return g.After == 0 && !g.Never }

// crashes is how often a container restarts before a crash loop blocks.
const crashes = view.CrashLoop

// cleared is how long a Pod has to be ready until a crash loop is over.
const cleared = 60 * time.Second

// Passes reports whether what a Pod waits for normally ends by itself, as in every rollout.
func Passes(c decision.Cause) bool {
	class := Class(c.Class)
	return graces[class].Usual || graces[class].Never && class != CrashLoop || class == ScalingUp
}

// graces are the rules, by class.
var graces = map[Class]grace{
	Unschedulable:   {After: 2 * time.Minute, Source: "k8s.io/api/core/v1 PodReasonUnschedulable"},
	ScalingUp:       {After: 15 * time.Minute, Source: "kubernetes/autoscaler cluster-autoscaler/processors/status/eventing_scale_up_processor.go TriggeredScaleUp"},
	PlaceFreed:      {Never: true, Source: "pkg/scheduler/eventhandlers.go deletePod (v1.37.1)"}, // until the Pod is overdue that leaves it
	ImageRefused:    {Source: "pkg/kubelet/images/types.go ErrImagePull, ErrInvalidImageName, ErrImageNeverPull (v1.37.1)"},
	ImageTransient:  {After: 2 * time.Minute, Source: "pkg/kubelet/images/types.go ErrImagePull, ErrImagePullBackOff (v1.37.1)"},
	ConfigMissing:   {After: 30 * time.Second, Source: "pkg/kubelet/kuberuntime/kuberuntime_container.go ErrCreateContainerConfig (v1.37.1)"},
	CrashLoop:       {Never: true, Source: "pkg/kubelet/container/sync_result.go ErrCrashLoopBackOff (v1.37.1)"}, // its restarts decide
	Flapping:        {Never: true, Source: "pkg/kubelet/container/sync_result.go ErrCrashLoopBackOff (v1.37.1)"}, // it is available
	Step:            {After: 10 * time.Minute, Deadline: true, Usual: true, Source: "pkg/kubelet/status/generate.go ContainersNotReady, ReadinessGatesNotReady (v1.37.1)"},
	Failing:         {After: 10 * time.Minute, Deadline: true, Source: "pkg/kubelet/events/event.go ContainerUnhealthy, FailedMountVolume (v1.37.1)"},
	FailedBefore:    {After: 10 * time.Minute, Deadline: true, Source: "pkg/kubelet/lifecycle/predicate.go PodAdmitResult, pkg/kubelet/eviction/helpers.go Reason (v1.37.1)"},
	Queued:          {After: 2 * time.Minute, Usual: true, Source: "k8s.io/api/core/v1 PodScheduled"},
	Provisioning:    {After: 2 * time.Minute, Usual: true, Source: "pkg/scheduler/framework/plugins/volumebinding/volume_binding.go PreBind (v1.37.1)"},
	Quota:           {Source: "staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go CheckRequest (v1.37.1)"},
	QuotaFreed:      {Never: true, Source: "pkg/quota/v1/evaluator/core/pods.go QuotaV1Pod (v1.37.1)"},
	WebhookDenied:   {Source: "staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go ToStatusErr (v1.37.1)"},
	WebhookFailed:   {After: 60 * time.Second, Source: "staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go (v1.37.1)"},
	CreateForbidden: {Source: "pkg/controller/replicaset/replica_set_utils.go FailedCreate (v1.37.1)"},
	CreateFailed:    {After: 60 * time.Second, Source: "pkg/controller/replicaset/replica_set_utils.go FailedCreate (v1.37.1)"},
	CreateRetried:   {After: retries, Source: "k8s.io/client-go/util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter (v0.37.1)"},
	NamespaceGone:   {Source: "staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go (v1.37.1)"},
	Budget:          {Never: true, Source: "openkruise/kruise pkg/control/pubcontrol/utils.go (v1.9.1)"},
	BudgetNever:     {Source: "openkruise/kruise pkg/control/pubcontrol/utils.go (v1.9.1)"},
	Paused:          {Source: "pkg/controller/deployment/sync.go checkPausedConditions (v1.37.1)"},
	Deadline:        {Source: "pkg/controller/deployment/util/deployment_util.go TimedOutReason (v1.37.1)"},
	MinReady:        {Never: true, Source: "pkg/api/v1/pod/util.go IsPodAvailable (v1.37.1)"},
	Hook:            {After: 5 * time.Minute, Source: "openkruise/kruise pkg/util/lifecycle/lifecycle_utils.go (v1.9.1)"},
	Expectation:     {After: 5 * time.Minute, Usual: true, Source: "openkruise/kruise pkg/util/expectations/scale_expectations.go (v1.9.1)"},
	NoLeader:        {After: 60 * time.Second, Source: "k8s.io/api/coordination/v1 LeaseSpec.RenewTime"},
	Deletion:        {After: 30 * time.Second, Source: "k8s.io/apimachinery/pkg/apis/meta/v1 ObjectMeta.DeletionTimestamp"},
	Collection:      {After: retries, Source: "pkg/controller/garbagecollector/garbagecollector.go processAttemptToOrphanWorker (v1.37.1)"},
	Finished:        {Source: "k8s.io/api/core/v1 PodFailed"},
}

// blocks tells from when a cause of a class blocks that began at an instant;
// zero for never, and where the instant is not known.
func (o Options) blocks(c Class, began time.Time) time.Time {
	g := graces[c]
	if g.Never || began.IsZero() {
		return time.Time{}
	}
	after := g.After
	if g.Deadline && o.Deadline > 0 {
		after = o.Deadline
	}
	return began.Add(after)
}

// Judge completes a cause of a class that began at an instant: whether it blocks,
// and from when.
func (o Options) Judge(c decision.Cause, class Class, began time.Time) decision.Cause {
	c.Class, c.Began, c.Follows = string(class), began, class == Deadline
	c.BlockedAt = o.blocks(class, began)
	c.Blocked = graces[class].atOnce() || o.blockedBy(c.BlockedAt)
	if c.Label == "" {
		c.Label = c.Reason
	}
	return c
}

// blockedBy reports whether an instant from which something blocks has come.
//
//go:noinline // it is called at many places
func (o Options) blockedBy(at time.Time) bool { return !at.IsZero() && !at.After(o.Now) }
