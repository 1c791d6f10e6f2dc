// Package memory answers: what does the CloneSet controller remember between syncs,
// and what may the real one wait for?
package memory

import (
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
)

// Memory is that of CloneSets. The names of pods that the manager will
// create are not known: any that comes fulfils one that is expected.
// Neither are the resource versions that its updates of pods will lead to: any
// newer one than that before fulfils what is expected.
type Memory struct {
	*expectations.Scale
	versions *expectations.Versions
	// written are the pods, by CloneSet and name, of which a version is expected.
	written map[string]map[string]bool
}

// Placeholders stand for names that are not known before.
const newPod, onePod = "a new Pod #", "one of several #"

// maxPlaceholders is far more than a namespace holds Pods, and bounds what a
// CloneSet that wants 2³¹ of them takes.
const maxPlaceholders = 100_000

// New returns the memory of a controller that has just started.
func New(c clock.PassiveClock) Memory {
	return Memory{expectations.NewScale(c), expectations.NewVersions(c), map[string]map[string]bool{}}
}

// Observe takes in what an event handler observes.
func (m Memory) Observe(what handlers.Observation, t view.Target, of metav1.Object) {
	key := t.Key()
	switch what {
	case handlers.Creation:
		m.Scale.Observe(key, expectations.ScaleCreate, m.expected(key, of, newPod))
	case handlers.Deletion:
		m.Scale.Observe(key, expectations.ScaleDelete, m.expected(key, of, onePod))
		m.versions.Delete(of)
	case handlers.Forget:
		m.Delete(key)
		delete(m.written, key)
	}
}

// expected is the name that an object fulfils: its own, or a placeholder.
func (m Memory) expected(key string, of metav1.Object, placeholder string) string {
	creates, deletes := m.Get(key).Outstanding()
	names := deletes
	if placeholder == newPod {
		names = creates
	}
	if slices.Contains(names, of.GetName()) {
		return of.GetName()
	}
	for _, name := range names {
		if strings.HasPrefix(name, placeholder) {
			return name
		}
	}
	return of.GetName()
}

// Satisfied reports whether nothing of the target is expected.
func (m Memory) Satisfied(t view.Target) bool {
	ok, _ := m.Scale.Satisfied(t.Key())
	return ok
}

// Outstanding counts what is expected of the target, nil for no record.
func (m Memory) Outstanding(t view.Target) *int64 {
	r := m.Get(t.Key())
	if r == nil {
		return nil
	}
	n := int64(len(r.Creates) + len(r.Deletes))
	return &n
}

// Given is what a sync starts from with this memory.
func (m Memory) Given(r *view.Reader, t view.Target) (given reconcile.Given) {
	if m.Satisfied(t); m.Get(t.Key()) != nil { // a look, which starts the time
		record := m.Get(t.Key())
		creates, deletes := record.Outstanding()
		given.Scale = &reconcile.ScaleRecord{Creates: creates, Deletes: deletes, Since: record.Unsatisfied}
	}
	given.Versions = m.awaited(r, t)
	return given
}

// awaited are the pods whose last write was not seen, and since when that was
// found. It looks, as a sync does that gets so far.
func (m Memory) awaited(r *view.Reader, t view.Target) map[string]time.Time {
	since := map[string]time.Time{}
	for name := range m.written[t.Key()] {
		pod, err := r.Object(view.Need{Kind: view.Pods, Namespace: t.Namespace, Name: name, IfMissing: "whether its last write was seen is not known"})
		if err != nil || pod == nil {
			continue // not read yet, or gone
		}
		if seen, _ := m.versions.Satisfied(pod); seen {
			delete(m.written[t.Key()], name)
			continue
		}
		since[name] = m.versions.Get(pod.GetUID()).Unsatisfied
	}
	return since
}

// newer is an object with a version newer than the one it has.
type newer struct{ metav1.Object }

func (n newer) GetResourceVersion() string {
	return expectations.NewerThan(n.Object.GetResourceVersion())
}

// Expect records what a sync leaves to be seen.
func (m Memory) Expect(t view.Target, d *decision.Decision, now core.Objects) (clobbered *decision.Expectation) {
	after, key := d.Expectations.After, t.Key()
	if after == nil {
		return nil
	}
	for n := range min(after.Adds, maxPlaceholders) {
		m.Scale.Expect(key, expectations.ScaleCreate, newPod+strconv.FormatInt(n+1, 10))
	}
	for _, name := range after.DeleteKeys {
		m.Scale.Expect(key, expectations.ScaleDelete, name[strings.LastIndex(name, "/")+1:])
	}
	for n := range after.Dels - int64(len(after.DeleteKeys)) {
		m.Scale.Expect(key, expectations.ScaleDelete, onePod+strconv.FormatInt(n+1, 10))
	}
	for _, name := range slices.Concat(after.Versions, after.PossibleVersions) {
		if pod, there := now(view.Pods, t.Namespace, name); there {
			m.versions.Expect(newer{pod})
			if m.written[key] == nil {
				m.written[key] = map[string]bool{}
			}
			m.written[key][name] = true
		}
	}
	return nil
}
