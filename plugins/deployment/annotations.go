package deployment

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The annotations that the controller keeps (util/deployment_util.go, v1.37.1).
const (
	revisionKey = "deployment.kubernetes.io/revision"
	historyKey  = "deployment.kubernetes.io/revision-history"
	desiredKey  = "deployment.kubernetes.io/desired-replicas"
	maxKey      = "deployment.kubernetes.io/max-replicas"
)

// maxHistory is maxRevHistoryLengthInChars of sync.go.
const maxHistory = 2000

// own are the annotations that are not copied between Deployment and sets.
var own = map[string]bool{
	corev1.LastAppliedConfigAnnotation: true, revisionKey: true, historyKey: true,
	desiredKey: true, maxKey: true, appsv1.DeprecatedRollbackTo: true,
}

// revisionOf reads a set's revision: 0 without one, not ok when it is no number.
func revisionOf(rs *appsv1.ReplicaSet) (int64, bool) {
	text, has := rs.Annotations[revisionKey]
	if !has {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// annotate mirrors SetNewReplicaSetAnnotations: the Deployment's annotations
// are copied, and the revision only ever rises. A revision that is no number
// ends it there, and hides that anything was copied.
func annotate(d *appsv1.Deployment, rs *appsv1.ReplicaSet, next int64) (changed bool) {
	changed = copyAnnotations(d, rs)
	old, had := rs.Annotations[revisionKey]
	was, err := strconv.ParseInt(old, 10, 64)
	if err != nil && old != "" {
		return false
	}
	if err != nil {
		was = 0
	}
	if was >= next {
		return changed
	}
	rs.Annotations[revisionKey] = strconv.FormatInt(next, 10)
	if had {
		remember(rs, old)
	}
	return true
}

func copyAnnotations(d *appsv1.Deployment, rs *appsv1.ReplicaSet) (changed bool) {
	if rs.Annotations == nil {
		rs.Annotations = map[string]string{}
	}
	for k, v := range d.Annotations {
		if has, ok := rs.Annotations[k]; own[k] || ok && has == v {
			continue
		}
		rs.Annotations[k] = v
		changed = true
	}
	return changed
}

// remember appends a revision that the set had before to its history, dropping
// the oldest ones when it gets too long.
func remember(rs *appsv1.ReplicaSet, old string) {
	history := rs.Annotations[historyKey]
	entries := strings.Split(history, ",")
	if entries[0] == "" {
		rs.Annotations[historyKey] = old
		return
	}
	length, first := len(history)+len(old)+1, 0
	for length > maxHistory && first < len(entries) {
		length -= len(entries[first]) + 1
		first++
	}
	if length <= maxHistory {
		rs.Annotations[historyKey] = strings.Join(append(slices.Clone(entries[first:]), old), ",")
	}
}

// refreshFacts says what changes on the new set besides its size.
func refreshFacts(was, is *appsv1.ReplicaSet) []decision.Fact {
	var keys []string
	for k, v := range is.Annotations {
		if old, had := was.Annotations[k]; !had || old != v {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	facts := []decision.Fact{decision.F(keyAnnotations, strings.Join(keys, ", "))}
	if a, b := was.Annotations[revisionKey], is.Annotations[revisionKey]; a != b {
		facts = append(facts, decision.At(keyWas, a, "metadata.annotations["+revisionKey+"]"), decision.F(keyRevision, b))
	}
	if a, b := was.Spec.MinReadySeconds, is.Spec.MinReadySeconds; a != b {
		facts = append(facts, decision.F(keyMinReadySeconds, fmt.Sprintf("%d → %d", a, b)))
	}
	return facts
}

// sizes are what the annotations of a set that this sync scales say.
func (s *sync) sizes() map[string]string {
	return map[string]string{
		desiredKey: fmt.Sprint(s.limits.desired),
		maxKey:     fmt.Sprint(s.limits.desired + s.limits.surge),
	}
}

func (s *sync) setSizes(rs *appsv1.ReplicaSet) {
	if rs.Annotations == nil {
		rs.Annotations = map[string]string{}
	}
	maps.Copy(rs.Annotations, s.sizes())
}

// sizesDiffer mirrors ReplicasAnnotationsNeedUpdate.
func (s *sync) sizesDiffer(rs *appsv1.ReplicaSet) bool {
	for k, v := range s.sizes() {
		if rs.Annotations[k] != v {
			return true
		}
	}
	return rs.Annotations == nil
}

// size reads an annotation that holds a number of replicas.
func (b behaviour) size(rs *appsv1.ReplicaSet, key string) (int32, bool) {
	text, has := rs.Annotations[key]
	if !has {
		return 0, false
	}
	if !b.strictSizes {
		n, err := strconv.Atoi(text)
		return int32(n), err == nil
	}
	n, err := strconv.ParseUint(text, 10, 32)
	return int32(n), err == nil && n <= math.MaxInt32
}
