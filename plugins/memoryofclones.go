package plugins

import (
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
)

// scaleMemory is that of CloneSets. The names of pods that the manager will
// create are not known: any that comes fulfils one that is expected.
// Neither are the resource versions that its updates of pods will lead to: any
// newer one than that before fulfils what is expected.
type scaleMemory struct {
	*expectations.Scale
	versions *expectations.Versions
	// written are the pods, by CloneSet and name, of which a version is expected.
	written map[string]map[string]bool
}

// Placeholders stand for names that are not known before.
const newPod, onePod = "a new pod #", "one of several #"

// maxPlaceholders is far more than a namespace holds Pods, and bounds what a
// CloneSet that wants 2³¹ of them takes.
const maxPlaceholders = 100_000

func newScaleMemory(c clock.PassiveClock) Memory {
	return scaleMemory{expectations.NewScale(c), expectations.NewVersions(c), map[string]map[string]bool{}}
}

func (m scaleMemory) Observe(what handlers.Observation, t Target, of metav1.Object) {
	key := keyOf(t)
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
func (m scaleMemory) expected(key string, of metav1.Object, placeholder string) string {
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

func (m scaleMemory) Satisfied(t Target) bool {
	ok, _ := m.Scale.Satisfied(keyOf(t))
	return ok
}

func (m scaleMemory) Outstanding(t Target) *int64 {
	r := m.Get(keyOf(t))
	if r == nil {
		return nil
	}
	n := int64(len(r.Creates) + len(r.Deletes))
	return &n
}

func (m scaleMemory) Decide(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	var given cloneset.Given
	if m.Satisfied(t); m.Get(keyOf(t)) != nil { // a look, which starts the time
		record := m.Get(keyOf(t))
		creates, deletes := record.Outstanding()
		given.Scale = &cloneset.ScaleRecord{Creates: creates, Deletes: deletes, Since: record.Unsatisfied}
	}
	given.Versions = m.awaited(r, t)
	return cloneset.Decide(r, p, t, given)
}

// awaited are the pods whose last write was not seen, and since when that was
// found. It looks, as a sync does that gets so far.
func (m scaleMemory) awaited(r *view.Reader, t Target) map[string]time.Time {
	since := map[string]time.Time{}
	for name := range m.written[keyOf(t)] {
		pod, err := r.Object(view.Need{Kind: view.Pods, Namespace: t.Namespace, Name: name, Without: "whether its last write was seen is not known"})
		if err != nil || pod == nil {
			continue // not read yet, or gone
		}
		if seen, _ := m.versions.Satisfied(pod); seen {
			delete(m.written[keyOf(t)], name)
			continue
		}
		since[name] = m.versions.Get(pod.GetUID()).Unsatisfied
	}
	return since
}

// next is an object with a version newer than the one it has.
type next struct{ metav1.Object }

func (n next) GetResourceVersion() string { return newerThan(n.Object.GetResourceVersion()) }

func (m scaleMemory) Expect(t Target, d *decision.Decision, now Objects) {
	after, key := d.Expectations.After, keyOf(t)
	if after == nil {
		return
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
	for _, name := range after.Versions {
		if pod, there := now(view.Pods, t.Namespace, name); there {
			m.versions.Expect(next{pod})
			if m.written[key] == nil {
				m.written[key] = map[string]bool{}
			}
			m.written[key][name] = true
		}
	}
}
