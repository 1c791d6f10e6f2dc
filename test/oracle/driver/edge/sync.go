package edge

import (
	"context"
	"fmt"
)

// Syncs runs a controller's real processNextWorkItem on one key at a time.
type Syncs struct {
	queue KeyQueue
	// process is processNextWorkItem.
	process func()
	// err is what the last sync returned to it; upstream only logs that.
	err error
}

// NewSyncs puts a recording queue into the controller and listens to its
// syncHandler, which takes no context until 1.22.
func NewSyncs(controller any, process func()) (*Syncs, KeyQueue) {
	s := &Syncs{queue: replaceQueue(controller), process: process}
	switch handler := Field(controller, "syncHandler").Addr().Interface().(type) {
	case *func(context.Context, string) error:
		upstream := *handler
		*handler = func(ctx context.Context, key string) error { return s.heard(upstream(ctx, key)) }
	case *func(string) error:
		upstream := *handler
		*handler = func(key string) error { return s.heard(upstream(key)) }
	default:
		panic(fmt.Sprintf("syncHandler is a %T: adapt the driver to this version", handler))
	}
	return s, s.queue
}

// NewDirect puts a recording queue into a controller whose processNextWorkItem
// calls its own sync: a key whose sync fails is added again at a limited rate, any
// other is forgotten.
func NewDirect(controller any, sync func(key string) error) (*Syncs, KeyQueue) {
	s := &Syncs{queue: replaceQueue(controller)}
	s.process = func() { s.queue.finish(s.heard(sync(s.queue.taken()))) }
	return s, s.queue
}

func (s *Syncs) heard(err error) error {
	s.err = err
	return err
}

// Once syncs the key and returns the sync's error text.
func (s *Syncs) Once(key string) (syncError string) {
	defer func() {
		if r := recover(); r != nil {
			syncError = fmt.Sprintf("panic: %v", r)
		}
	}()
	s.err = nil
	s.queue.offer(key)
	s.process()
	if s.err != nil {
		return s.err.Error()
	}
	return ""
}
