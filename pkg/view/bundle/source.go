package bundle

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Options changes how files are read.
type Options struct {
	// At is the instant that ages are measured at, instead of the one that the
	// files give.
	At *time.Time
}

// Source is a view.Source over files. They are read once, by Open.
type Source struct {
	content content

	mu   sync.Mutex
	view *view.View
	// absent are the needs that were asked for beyond what the bundle covers.
	absent []view.Need
}

var _ view.Source = (*Source)(nil)

// Open reads all objects of paths: files, directories, or "-" for stdin. What
// is read may be any output of kubectl get -o yaml or -o json, or one bundle.
// Errors name the file, the line and the object.
func Open(paths []string, stdin io.Reader, o Options) (*Source, error) {
	c, err := gather(paths, stdin, maxDecoded)
	if err != nil {
		return nil, err
	}
	if err := c.settleNow(o.At); err != nil {
		return nil, err
	}
	return &Source{content: c, view: c.view(nil)}, nil
}

// Load returns the same View always, unless a need is neither covered by the
// bundle nor failed when it was captured: it is in the View as a failed Read
// from then on, since there is nothing to read it from.
func (s *Source) Load(ctx context.Context, needs []view.Need) (*view.View, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if absent := s.uncovered(needs); len(absent) > 0 {
		s.absent = append(s.absent, absent...)
		s.view = s.content.view(s.absent)
	}
	return s.view, nil
}

// uncovered picks the needs that a Reader would find missing in the View.
func (s *Source) uncovered(needs []view.Need) []view.Need {
	r := s.view.Reader()
	for _, n := range needs {
		_ = r.Err(n) // only what is missing matters here
	}
	return r.Missing()
}

// Changes is nil: files are read once.
func (s *Source) Changes() <-chan struct{} { return nil }

// Version is the server's version that a bundle holds; other files have none.
func (s *Source) Version(context.Context) (view.ServerVersion, error) {
	h := s.content.header
	if h == nil || h.ServerVersion == "" {
		return view.ServerVersion{}, nil
	}
	return view.ServerVersion{Version: h.ServerVersion, Emulated: h.EmulatedVersion, Basis: "bundle"}, nil
}

// Once finds the objects of a need among all that the files hold.
func (s *Source) Once(_ context.Context, need view.Need) ([]metav1.Object, error) {
	sel, err := labels.Parse(need.Selector)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	need.Detail = view.Full
	if err := s.view.Reader().Err(need); errors.As(err, new(*view.TooMany)) {
		return nil, err
	}
	var found []metav1.Object
	for _, obj := range s.view.AllMetadata(need.Kind) {
		if (need.Namespace == "" || obj.GetNamespace() == need.Namespace) && (need.Name == "" || obj.GetName() == need.Name) && sel.Matches(labels.Set(obj.GetLabels())) {
			found = append(found, view.Decoded(obj))
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	return nil, s.view.Reader().Err(need)
}

// Close has nothing to stop.
func (s *Source) Close() {}

// NotCaptured is the error of a need that a bundle was not asked for when it
// was captured.
type NotCaptured struct{ Need view.Need }

func (e *NotCaptured) Error() string {
	return "the bundle was captured without " + e.Need.String()
}

// Unwrap makes it a view.NotInInput, which it is a case of.
func (e *NotCaptured) Unwrap() error { return &view.NotInInput{Need: e.Need, Vouched: true} }
