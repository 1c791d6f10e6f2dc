package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// The type of a record's first line.
const (
	recordVersion = "kubectl-ctrl.github.io/v1alpha2"
	recordKind    = "TraceRecord"
)

// The marks of a record: what happened between events.
const (
	run       = "run"
	drain     = "drain"
	blind     = "blind"
	sees      = "sees"
	confirmed = "confirmed"
	unread    = "unread"
	end       = "end"
	inside    = "internals"
	step      = "step"
	takes     = "take"
	ends      = "done"
)

// Header is a record's first line.
type Header struct {
	metav1.TypeMeta `json:",inline"`
	// Start is when the first list began.
	Start       time.Time `json:"start"`
	ToolVersion string    `json:"toolVersion,omitempty"`
	// Profile is what was modelled.
	Profile profile.Profile `json:"profile"`
	// Kinds are the kinds that were traced, Pick which objects of them.
	Kinds []string `json:"kinds"`
	Pick  Pick     `json:"pick"`
	// Confirmed: the record holds until when every change was fed.
	Confirmed bool `json:"confirmed,omitempty"`
	// Workers are how many keys of each controller are synced at a time, by its name in its
	// manager; absent where the lines say when all that is queued is synced.
	Workers map[string]int `json:"workers,omitempty"`
	// Follows are the kinds that were read.
	Follows []string `json:"follows"`
}

// line is one line of a record after its header: an event, a mark, or a miss.
type line struct {
	At   time.Time       `json:"at"`
	Mark string          `json:"mark,omitempty"`
	Text string          `json:"text,omitempty"`
	Type cache.DeltaType `json:"type,omitempty"`
	// Kind is group/version/kind, of a delta or of the key that a worker takes or is done with.
	Kind      string        `json:"kind,omitempty"`
	Tombstone bool          `json:"tombstone,omitempty"`
	Initial   bool          `json:"initial,omitempty"`
	Object    metav1.Object `json:"object,omitempty"`
	// More is how many lines follow whose deltas are fed together with this one.
	More int          `json:"more,omitempty"`
	Miss *entry.Entry `json:"miss,omitempty"`
	// Internals is what the machinery did, of the mark of its name.
	Internals *entry.Internals `json:"internals,omitempty"`
	// Step is a step of the machinery, of the mark of its name.
	Step *entry.Step `json:"step,omitempty"`
}

// Recorder keeps the start state and all events, as JSON lines. A nil Recorder
// keeps nothing.
type Recorder struct {
	w     *bufio.Writer
	share func(metav1.Object) (metav1.Object, error)
	head  Header
	err   error
}

// NewRecorder records to w. Secrets are left out, as of a snapshot, but for what keep names.
func NewRecorder(w io.Writer, head Header, keep redact.Keep) *Recorder {
	head.APIVersion, head.Kind = recordVersion, recordKind
	return &Recorder{w: bufio.NewWriter(w), share: bundle.Sharing(keep), head: head}
}

func (r *Recorder) header(o Options) error {
	if r == nil {
		return nil
	}
	r.head.Start, r.head.Profile, r.head.Confirmed = o.Start, o.Profile, o.Confirmed
	r.head.Workers = o.Workers
	r.put(r.head)
	return r.err
}

// Err is the first error of writing.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	if err := r.w.Flush(); r.err == nil {
		r.err = err
	}
	return r.err
}

func (r *Recorder) put(v any) {
	if r.err != nil {
		return
	}
	text, err := json.Marshal(v)
	if err == nil {
		_, err = r.w.Write(append(text, '\n'))
	}
	r.err = err
}

// deltas keeps deltas that were fed at once.
func (r *Recorder) deltas(at time.Time, group []Delta) {
	if r == nil {
		return
	}
	for n, d := range group {
		shared, err := r.share(d.Object)
		if err != nil {
			r.err = errors.Join(r.err, err)
			return
		}
		shared.SetManagedFields(d.Object.GetManagedFields()) // who wrote is not secret: slim has left no more
		r.put(line{
			At: at, Type: d.Type, Kind: kindText(d.Kind), Tombstone: d.Tombstone, Initial: d.Initial, Object: shared, More: len(group) - 1 - n,
		})
	}
}

//go:noinline // it is called at many places
func (r *Recorder) mark(at time.Time, mark, text string) {
	if r != nil {
		r.put(line{At: at, Mark: mark, Text: text})
	}
}

// flight keeps that a worker takes a key, or is done with it.
func (r *Recorder) flight(at time.Time, mark string, c *runner, key string) {
	if r != nil {
		r.put(line{At: at, Mark: mark, Kind: kindText(c.of.Kind), Text: key})
	}
}

// inside keeps what the machinery did, if that was asked for: the spans in it are those of
// a clock that a replay has not.
func (r *Recorder) inside(at time.Time, i *entry.Internals) {
	if r != nil && i != nil {
		r.put(line{At: at, Mark: inside, Internals: i})
	}
}

// step keeps a step of the machinery, which a replay can only repeat.
func (r *Recorder) step(at time.Time, s *entry.Step) {
	if r != nil {
		r.put(line{At: at, Mark: step, Step: s})
	}
}

// Miss keeps an act that was not predicted. Replaying, which comes to it again,
// reads over it.
func (r *Recorder) Miss(e *entry.Entry) {
	if r != nil {
		r.put(line{At: e.At, Miss: e})
	}
}
