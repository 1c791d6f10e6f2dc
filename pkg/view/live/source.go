package live

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// listsAtOnce is how many lists are read at the same time: a server may serve
// hundreds of kinds.
const listsAtOnce = 64

// Options are how to read. The zero value is good for questions.
type Options struct {
	// AllowDryRun lets server-side dry runs through the guard.
	AllowDryRun bool
	// Clock is the local clock; the real one when nil.
	Clock clock.Clock
	// Timeout is how long to wait for the first read of a need; 30s when zero.
	Timeout time.Duration
	// UserAgent replaces the one of the config, if set.
	UserAgent string
}

// Source reads a cluster through informers. It implements view.Source.
type Source struct {
	clock   clock.Clock
	timeout time.Duration
	clients *clients
	traffic *traffic

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
	change  chan struct{}
	broken  chan error // an error that makes waiting pointless
	awaited atomic.Pointer[[]*informer]

	// lists are the lists that are read at the same time.
	lists chan struct{}

	// loading guards what only Load changes: the informers in the order of
	// their start, all needs that were ever asked for, and how long the question
	// waited in vain.
	loading   sync.Mutex
	waited    time.Duration
	informers []*informer
	byKind    map[schema.GroupKind][]*informer
	byID      map[string]*informer
	asked     []view.Need
	askedID   map[string]bool
}

var _ view.Source = (*Source)(nil)

// Open prepares to read the cluster of cfg. It sends nothing; Close it.
func Open(cfg *rest.Config, o Options) (*Source, error) {
	if cfg == nil {
		return nil, errors.New("no configuration of a cluster to read")
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	t := &traffic{clock: o.Clock}
	c, err := connect(cfg, o, t)
	if err != nil {
		return nil, err
	}
	s := &Source{
		clock: o.Clock, timeout: o.Timeout, clients: c, traffic: t,
		change: make(chan struct{}, 1), broken: make(chan error, 1),
		byID: map[string]*informer{}, byKind: map[schema.GroupKind][]*informer{}, askedID: map[string]bool{},
		lists: make(chan struct{}, listsAtOnce),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Changes receives a value when the next Load would return another View.
// Several changes in a row may be one value.
func (s *Source) Changes() <-chan struct{} { return s.change }

func (s *Source) changed() {
	select {
	case s.change <- struct{}{}:
	default: // one is waiting already
	}
}

// Close stops all reading and waits until it has stopped.
func (s *Source) Close() {
	s.cancel()
	s.loading.Lock() // a Load that is under way starts nothing any more
	defer s.loading.Unlock()
	s.running.Wait()
	s.clients.close()
}

// lasting makes the error of a need that no retry will help, or nil. One of
// the whole server also ends the waiting for all other needs.
func (s *Source) lasting(need view.Need, err error) error {
	if lost := unreachable(s.clients.host, err); lost != nil {
		select {
		case s.broken <- lost:
		default: // one is enough
		}
		return lost
	}
	verb := "list"
	if canGet(need) {
		verb = "get, list"
	}
	return unreadable(need, verb, err)
}
