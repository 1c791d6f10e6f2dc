package core

import (
	"math"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
)

// LimitsOf reads the numbers that calculateDiffsWithExpectation starts from,
// and names those that do not parse.
func LimitsOf(s *api.Set) (l Limits, invalid []string) {
	u := s.Spec.UpdateStrategy
	note := func(field string, valid bool) {
		if !valid {
			invalid = append(invalid, field)
		}
	}
	l.Replicas = s.Desired()
	var ok bool
	l.Partition, ok = api.PartitionOf(u.Partition, l.Replicas)
	note("updateStrategy.partition", ok)
	if u.MaxSurge != nil {
		l.MaxSurge, ok = api.Percent(u.MaxSurge, l.Replicas, true)
		note("updateStrategy.maxSurge", ok)
		if u.Paused {
			l.MaxSurge = 0
		}
	}
	l.MaxUnavailable, ok = api.Percent(api.OrDefault(u.MaxUnavailable, intstr.FromString("20%")), l.Replicas, l.MaxSurge == 0)
	note("updateStrategy.maxUnavailable", ok)
	l.ScaleMaxUnavailable, ok = api.Percent(api.OrDefault(s.Spec.ScaleStrategy.MaxUnavailable, intstr.FromInt32(math.MaxInt32)), l.Replicas, true)
	note("scaleStrategy.maxUnavailable", ok)
	return l, invalid
}
