package states

import (
	"math/rand/v2"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// DrawDiffs draws n inputs of calculateDiffsWithExpectation, with the gates
// and flags that they share.
func DrawDiffs(seed, n int) *contract.Request {
	d := draw{rand.New(rand.NewPCG(uint64(seed), 8))}
	now := Now
	req := &contract.Request{Op: contract.OpDiffs, Now: &now, Gates: map[string]bool{
		kruise.CloneSetPartitionRollback: d.chance(50), kruise.PreparingUpdateAsUpdate: d.chance(30),
	}}
	req.Flags.ScalingExcludePreparingDelete = d.chance(15)
	for range n {
		req.Diffs = append(req.Diffs, d.diffsInput())
	}
	return req
}

func (d draw) diffsInput() contract.DiffsInput {
	in := contract.DiffsInput{
		Replicas: int32(mostly(d, d.between(0, 12), 10, 100, 1, 1000)), Paused: d.chance(10),
		MinReadySeconds: mostly[int32](d, 0, 30, 10, 600), ExcludePreparingDelete: d.chance(8), SameRevision: d.chance(20),
	}
	in.Partition, in.MaxSurge = d.maybeNumber(75), d.maybeNumber(60)
	in.MaxUnavailable, in.ScaleMaxUnavailable = d.maybeNumber(85), d.maybeNumber(30)
	for range d.between(0, 5) {
		in.Pods = append(in.Pods, d.podGroup())
	}
	return in
}

func (d draw) maybeNumber(percent int) *intstr.IntOrString {
	if !d.chance(percent) {
		return nil
	}
	if d.chance(50) {
		return new(intstr.FromInt32(int32(mostly(d, d.between(0, 6), 10, 100, 50))))
	}
	return new(intstr.FromString(pick(d, "0%", "1%", "10%", "20%", "25%", "33%", "50%", "66%", "99%", "100%", "150%", "12.5%", "5", "x", "")))
}

func (d draw) podGroup() contract.PodGroup {
	g := contract.PodGroup{
		Count: mostly(d, d.between(1, 5), 5, 40), Updated: d.chance(50), Specified: d.chance(10),
		State: mostly(d, "Normal", 40, "", "PreparingNormal", "PreparingUpdate", "Updating", "Updated", "PreparingDelete"),
		Phase: mostly(d, "", 10, "Pending", "Unknown", "Failed"), InPlace: mostly(d, "", 25, "True", "False"),
	}
	if d.chance(80) {
		g.ReadyFor = new(pick[int64](d, 1000, 5, 9, 10, 11, 599, 600, 601))
	}
	return g
}
