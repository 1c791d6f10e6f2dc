package cloneset

import (
	"math"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// scaled mirrors the deprecated GetValueFromIntOrPercent of
// k8s.io/apimachinery/pkg/util/intstr, whose error upstream ignores: "5" is
// five percent, and what is no whole number of percent is 0.
func scaled(v *intstr.IntOrString, total int, roundUp bool) (value int, valid bool) {
	if v.Type == intstr.Int {
		return v.IntValue(), true
	}
	percent, err := strconv.Atoi(strings.ReplaceAll(v.StrVal, "%", ""))
	if err != nil {
		return 0, false
	}
	exact := float64(percent) * float64(total) / 100
	if roundUp {
		return int(math.Ceil(exact)), true
	}
	return int(math.Floor(exact)), true
}

// partitioned mirrors CalculatePartitionReplicas of pkg/util/tools.go
// (v1.9.1): the number of pods that keep the current revision.
func partitioned(v *intstr.IntOrString, replicas int) (value int, valid bool) {
	if v == nil {
		return 0, true
	}
	value = v.IntValue()
	if v.Type == intstr.String {
		var ok bool
		if value, ok = scaledUp(*v, replicas); !ok {
			return 0, false
		}
		if replicas > 1 && value == replicas && v.StrVal != "100%" {
			value = replicas - 1
		}
	}
	return max(min(value, replicas), 0), true
}

// scaledUp is a percentage of replicas, which may have decimals, rounded up.
func scaledUp(v intstr.IntOrString, replicas int) (value int, valid bool) {
	text, ok := strings.CutSuffix(v.StrVal, "%")
	percent, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		return 0, false
	}
	return int(math.Ceil(percent * float64(replicas) / 100)), true
}

// limits reads the numbers that calculateDiffsWithExpectation starts from,
// and names those that do not parse.
func (s *set) limits() (l Limits, invalid []string) {
	u := s.spec.UpdateStrategy
	note := func(field string, valid bool) {
		if !valid {
			invalid = append(invalid, field)
		}
	}
	l.Replicas = s.want()
	var ok bool
	l.Partition, ok = partitioned(u.Partition, l.Replicas)
	note("updateStrategy.partition", ok)
	if u.MaxSurge != nil {
		l.MaxSurge, ok = scaled(u.MaxSurge, l.Replicas, true)
		note("updateStrategy.maxSurge", ok)
		if u.Paused {
			l.MaxSurge = 0
		}
	}
	l.MaxUnavailable, ok = scaled(orDefault(u.MaxUnavailable, intstr.FromString("20%")), l.Replicas, l.MaxSurge == 0)
	note("updateStrategy.maxUnavailable", ok)
	l.ScaleMaxUnavailable, ok = scaled(orDefault(s.spec.ScaleStrategy.MaxUnavailable, intstr.FromInt32(math.MaxInt32)), l.Replicas, true)
	note("scaleStrategy.maxUnavailable", ok)
	return l, invalid
}

func orDefault(v *intstr.IntOrString, otherwise intstr.IntOrString) *intstr.IntOrString {
	if v == nil {
		return &otherwise
	}
	return v
}
