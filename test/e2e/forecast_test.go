package e2e

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// forecast is what an answer about owners says will become of a namespace.
type forecast struct {
	answer string
	// fates lists what may become of an object; one without an entry stays as
	// it is.
	fates map[types.UID][]string
	// choices are objects some of which go.
	choices []choice
	// makes is how many objects a controller creates.
	makes map[string]int
	// patches are the requests that change owners, by object.
	patches map[types.UID]string
}

type choice struct {
	k     int
	among []types.UID
}

func newForecast(answer string) *forecast {
	return &forecast{answer: answer, fates: map[types.UID][]string{}, makes: map[string]int{}, patches: map[types.UID]string{}}
}

func (f *forecast) allowed(uid types.UID) []string {
	if fates, ok := f.fates[uid]; ok {
		return fates
	}
	return []string{unchanged}
}

func (f *forecast) only(uid types.UID, fate string) { f.fates[uid] = []string{fate} }

func (f *forecast) also(uid types.UID, fate string) { f.fates[uid] = append(f.allowed(uid), fate) }

// compare lists the objects of the population before that met another fate.
func (f *forecast) compare(before, after population) error {
	var errs []error
	for uid, was := range before {
		if got := after.fateOf(uid, was); !slices.Contains(f.allowed(uid), got) {
			errs = append(errs, fmt.Errorf("%s: %s, predicted %s", was.label(), got, strings.Join(f.allowed(uid), " or ")))
		}
	}
	for _, c := range f.choices {
		gone := 0
		for _, uid := range c.among {
			if after.fateOf(uid, before[uid]) == "deleted" {
				gone++
			}
		}
		if gone != c.k {
			errs = append(errs, fmt.Errorf("%d of %d went, predicted %d", gone, len(c.among), c.k))
		}
	}
	made := madeBy(before, after)
	for controller, n := range f.makes {
		if made[controller] != n {
			errs = append(errs, fmt.Errorf("%s made %d, predicted %d", controller, made[controller], n))
		}
	}
	return errors.Join(errs...)
}

// madeBy counts the objects that were not there before, by controller. Revisions come with
// the Pods that they are of, and are not predicted.
func madeBy(before, after population) map[string]int {
	made := map[string]int{}
	for uid, b := range after {
		if _, known := before[uid]; !known && b.kind != "controllerrevisions" {
			made[controllerOf(b)]++
		}
	}
	return made
}

func (f *forecast) text(before population) string {
	var p phrases
	for _, uid := range byLabel(before) {
		if _, ok := f.fates[uid]; ok {
			p = append(p, before[uid].label()+" "+strings.Join(f.allowed(uid), " or "))
		}
	}
	for _, controller := range slices.Sorted(maps.Keys(f.makes)) {
		p.count(controller+" makes", f.makes[controller])
	}
	return p.String()
}

// happened is what became of everything, in the words of a forecast.
func (f *forecast) happened(before, after population) string {
	var p phrases
	for _, uid := range byLabel(before) {
		if got := after.fateOf(uid, before[uid]); got != unchanged || f.fates[uid] != nil {
			p = append(p, before[uid].label()+" "+got)
		}
	}
	made := madeBy(before, after)
	for _, controller := range slices.Sorted(maps.Keys(f.makes)) {
		p.count(controller+" makes", made[controller])
	}
	return p.String()
}

func byLabel(p population) []types.UID {
	return slices.SortedFunc(maps.Keys(p), func(a, b types.UID) int { return strings.Compare(p[a].label(), p[b].label()) })
}

// uid is how a population knows an object.
func uid(ref decision.Ref) types.UID { return types.UID(ref.UID) }
