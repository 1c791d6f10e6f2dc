package kruise

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// The feature gates of the manager that the CloneSet controller consults, and of its
// webhooks those that refuse what it does.
const (
	CloneSetShortHash         = "CloneSetShortHash"
	CloneSetPartitionRollback = "CloneSetPartitionRollback"
	PreparingUpdateAsUpdate   = "PreparingUpdateAsUpdate"
	EnvFromMetadata           = "InPlaceUpdateEnvFromMetadata"
	VerticalScaling           = "InPlaceWorkloadVerticalScaling"
	RecreateOnVCTChange       = "RecreatePodWhenChangeVCTInCloneSetGate"
	ForceDeleteExpectation    = "ForceDeleteTimeoutExpectationGate"
	UnavailableBudgetUpdate   = "PodUnavailableBudgetUpdateGate"
	UnavailableBudgetDelete   = "PodUnavailableBudgetDeleteGate"
	PreDownloadImage          = "PreDownloadImageForInPlaceUpdate"
	KruiseDaemon              = "KruiseDaemon"
	PodWebhook                = "PodWebhook"
	EventHandlerOptimization  = "CloneSetEventHandlerOptimization"
)

// ExcludePreparingDelete is the flag that keeps Pods in PreparingDelete from counting when
// a CloneSet is scaled (init of pkg/controller/cloneset/sync/cloneset_sync_utils.go, v1.9.1).
const ExcludePreparingDelete = "cloneset-scaling-exclude-preparing-delete"

// gates are the lives of the feature gates (pkg/features/kruise_features.go of each
// release). What the absence of a component does to them is in the table of controllers
// (SetDefaultFeatureGates of the same file).
var gates = []profile.Gate{
	{Name: CloneSetShortHash},
	{Name: CloneSetPartitionRollback},
	{Name: PreparingUpdateAsUpdate},
	{Name: EnvFromMetadata, On: 1, Beta: 8},
	{Name: VerticalScaling, Since: 8},
	{Name: RecreateOnVCTChange, Since: 7},
	{Name: ForceDeleteExpectation, Since: 8},
	{Name: UnavailableBudgetUpdate},
	{Name: UnavailableBudgetDelete, On: 1, Beta: 8},
	{Name: PreDownloadImage},
	{Name: KruiseDaemon, On: 1},
	{Name: PodWebhook, On: 1},
	{Name: EventHandlerOptimization},
}

// retagged are the releases with the code of another one: the tag v1.7.5 names the commit
// of v1.8.3.
var retagged = map[profile.Version]profile.Version{profile.V1(7, 5): profile.V1(8, 3)}
