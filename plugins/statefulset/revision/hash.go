package revision

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/rand"
)

// HashLabel is the label with the hash of a ControllerRevision.
const HashLabel = "controller.kubernetes.io/hash"

// Hash mirrors HashControllerRevision (pkg/controller/history/controller_history.go,
// v1.37.1): FNV-1 of the data and the count of collisions.
func Hash(data []byte, collisions int32) string {
	h := fnv.New32()
	h.Write(data)
	h.Write([]byte(strconv.FormatInt(int64(collisions), 10)))
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}

// longest is up to how many bytes of the owner's name the name of a ControllerRevision
// has (ControllerRevisionName of the same file).
const longest = 223

// Name is the name of a ControllerRevision with a hash.
func Name(owner, hash string) string {
	return owner[:min(len(owner), longest)] + "-" + hash
}

// Compare orders ControllerRevisions as byRevision does (same file): by number, then
// by creation, then by name.
func Compare(a, b *appsv1.ControllerRevision) int {
	return cmp.Or(
		cmp.Compare(a.Revision, b.Revision),
		a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
		cmp.Compare(a.Name, b.Name),
	)
}

// OtherHash reports whether the labels of two ControllerRevisions have hashes that are
// numbers and differ, by which EqualRevision told them apart before 1.34.2 (same file,
// v1.34.1).
func OtherHash(a, b *appsv1.ControllerRevision) bool {
	x, isNumber := number(a)
	y, too := number(b)
	return isNumber && too && x != y
}

func number(r *appsv1.ControllerRevision) (uint32, bool) {
	text, found := r.Labels[HashLabel]
	if !found {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return uint32(n), err == nil
}
