package cli

import (
	"context"
	"fmt"
	"sync"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// atOnce is how many clusters are read at the same time.
const atOnce = 8

// told is what one context answered. Of several targets some may have been
// answered beside an error.
type told[T any] struct {
	context string
	// answer is nil when there is none.
	answer *view.Settled[T]
	err    error
}

// survey asks every context, a few at a time, and returns what they told in
// the order in which they were named.
func survey[T any](ctx context.Context, env Env, sources []contextSource, ask func(context.Context, *opened) (*view.Settled[T], error)) []told[T] {
	all := make([]told[T], len(sources))
	news := &news{opened: map[string]*opened{}}
	slots, said := make(chan struct{}, atOnce), reporter{env: env, reading: news.reading}
	defer said.report()()
	var wg sync.WaitGroup
	for i, src := range sources {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			all[i].context = src.context
			all[i].answer, all[i].err = askOne(ctx, env, src, news, ask)
		})
	}
	wg.Wait()
	return all
}

func askOne[T any](ctx context.Context, env Env, src contextSource, news *news, ask func(context.Context, *opened) (*view.Settled[T], error)) (*view.Settled[T], error) {
	env.ErrWidth = nil // one voice for all
	news.asks(src.context, nil)
	defer news.done(src.context)
	o, err := src.open(ctx, env)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	news.asks(src.context, o)
	return ask(ctx, o)
}

// failed are the errors of a survey, each with its context.
func failed[T any](all []told[T]) failures {
	var out failures
	for _, t := range all {
		if t.err == nil {
			continue
		}
		for _, e := range eachOf(t.err) {
			out = append(out, fmt.Errorf("context %s: %w", t.context, e))
		}
	}
	return out
}

// silent are the failures as answers have them.
func silent[T any](all []told[T]) []render.Failure {
	var out []render.Failure
	for _, t := range all {
		if t.err != nil {
			out = append(out, render.Failure{Context: t.context, Message: t.err.Error()})
		}
	}
	return out
}

// news is what a survey is waiting for.
type news struct {
	mu     sync.Mutex
	opened map[string]*opened
	order  []string
}

func (n *news) asks(context string, o *opened) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.opened[context]; !known {
		n.order = append(n.order, context)
	}
	n.opened[context] = o
}

func (n *news) done(context string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.opened, context)
}

func (n *news) reading() []render.Reading {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []render.Reading
	for _, context := range n.order {
		o, asked := n.opened[context]
		if !asked {
			continue
		}
		before := len(all)
		if o != nil {
			for _, r := range readingOf(o.Source) {
				all = append(all, render.Reading{What: context + ": " + r.What, Objects: r.Objects})
			}
		}
		if len(all) == before {
			all = append(all, render.Reading{What: context})
		}
	}
	return all
}
