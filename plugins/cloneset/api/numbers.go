package api

import (
	"math"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Percent mirrors the deprecated GetValueFromIntOrPercent of
// k8s.io/apimachinery/pkg/util/intstr, whose error upstream ignores: "5" is
// five percent, and what is no whole number of percent is 0.
func Percent(v *intstr.IntOrString, total int, roundUp bool) (value int, valid bool) {
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

// PartitionOf mirrors CalculatePartitionReplicas of pkg/util/tools.go
// (v1.9.1): the number of pods that keep the current revision.
func PartitionOf(v *intstr.IntOrString, replicas int) (value int, valid bool) {
	if v == nil {
		return 0, true
	}
	value = v.IntValue()
	if v.Type == intstr.String {
		var ok bool
		if value, ok = PercentUp(*v, replicas); !ok {
			return 0, false
		}
		if replicas > 1 && value == replicas && v.StrVal != "100%" {
			value = replicas - 1
		}
	}
	return max(min(value, replicas), 0), true
}

// PercentUp returns a percentage of replicas, which may have decimals, rounded up.
func PercentUp(v intstr.IntOrString, replicas int) (value int, valid bool) {
	text, ok := strings.CutSuffix(v.StrVal, "%")
	percent, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		return 0, false
	}
	return int(math.Ceil(percent * float64(replicas) / 100)), true
}

// OrDefault returns a number, or another for one that is unset.
func OrDefault(v *intstr.IntOrString, otherwise intstr.IntOrString) *intstr.IntOrString {
	if v == nil {
		return &otherwise
	}
	return v
}
