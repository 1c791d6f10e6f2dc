package events

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// controller is the real one, started, whose handlers the informers have and
// whose queue records. It serves all requests: handlers keep nothing but what
// answer makes new.
type controller struct {
	cache *informers
	queue *record
	stop  func() error
}

// start registers and starts the controller, and waits until its workers run:
// by then every informer has its handler.
func start() (*controller, error) {
	m := &registry{cache: newInformers()}
	err := add(m, reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, errors.New("nothing is taken from the queue")
	}))
	if err != nil {
		return nil, err
	}
	queue := newRecord()
	if err := useQueue(m.added, queue); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.added.Start(ctx) }()
	c := &controller{cache: m.cache, queue: queue, stop: func() error { cancel(); return <-ended }}
	select {
	case <-queue.asked:
		return c, nil
	case err := <-ended:
		cancel()
		return nil, fmt.Errorf("the controller ended: %w", err)
	}
}

// useQueue replaces what makes the controller's queue. The controller's type is
// internal and its queue's differs between versions, so its field is set by
// reflection, to a queue of the type that fits.
func useQueue(c manager.Runnable, r *record) error {
	field := reflect.ValueOf(c).Elem().FieldByName("NewQueue")
	if !field.IsValid() || field.Kind() != reflect.Func || field.Type().NumOut() != 1 {
		return fmt.Errorf("%T makes no queue: adapt the driver to this version", c)
	}
	want := field.Type().Out(0)
	for _, q := range []any{recording[any]{r}, recording[reconcile.Request]{r}} {
		if v := reflect.ValueOf(q); v.Type().Implements(want) {
			field.Set(reflect.MakeFunc(field.Type(), func([]reflect.Value) []reflect.Value {
				return []reflect.Value{v.Convert(want)}
			}))
			return nil
		}
	}
	return fmt.Errorf("no queue is a %s: adapt the driver to this version", want)
}

// registry is what add asks of a manager, and keeps what it adds.
type registry struct {
	manager.Manager
	cache *informers
	added manager.Runnable
}

func (m *registry) Add(r manager.Runnable) error            { m.added = r; return nil }
func (m *registry) GetCache() cache.Cache                   { return m.cache }
func (m *registry) GetControllerOptions() config.Controller { return config.Controller{} }
func (m *registry) GetLogger() logr.Logger                  { return logr.Discard() }
