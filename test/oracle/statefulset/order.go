package statefulset

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// sorted puts requests whose order upstream leaves open into one, of what is predicted
// as of what is observed: those of goroutines that run side by side, by ordinal; the
// adoptions and releases, which go by the order of a cache; the claims of one Pod,
// which go by the order of a map. observed says which ones are concurrent.
func sorted(writes, observed []contract.Write) []contract.Write {
	writes = slices.Clone(writes)
	for i := 0; i < len(writes); {
		j := i + 1
		for j < len(writes) && j < len(observed) && observed[i].Concurrent && observed[j].Concurrent {
			j++
		}
		slices.SortStableFunc(writes[i:j], func(a, b contract.Write) int { return ordinal(a.Name) - ordinal(b.Name) })
		i = j
	}
	byName := func(a, b contract.Write) int { return strings.Compare(a.Name, b.Name) }
	for i := 0; i < len(writes); {
		j := i + 1
		for j < len(writes) && open(writes[i], writes[j]) {
			j++
		}
		slices.SortStableFunc(writes[i:j], byName)
		i = j
	}
	return writes
}

// open reports whether the order of two requests, one after the other, is open.
func open(a, b contract.Write) bool {
	if a.Call != b.Call {
		return false
	}
	switch a.Call {
	case contract.CallPatchPod, contract.CallPatchRevision:
		return true
	case contract.CallCreateClaim:
		return ordinal(a.Name) == ordinal(b.Name)
	}
	return false
}

var trailing = regexp.MustCompile(`[0-9]+$`)

// ordinal is that of a Pod or claim.
func ordinal(name string) int {
	n, err := strconv.Atoi(trailing.FindString(name))
	if err != nil {
		return -1
	}
	return n
}
