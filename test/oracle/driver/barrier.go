package driver

import (
	"sync"
	"testing/synctest"
)

// barrier tells concurrent calls apart by batch: it holds every caller until
// nothing else in the bubble can run, counts who is waiting, and lets them
// go. slowStartBatch (pkg/controller/replicaset/replica_set.go) waits for a
// whole batch before it starts the next, so each release is one batch.
type barrier struct {
	wake chan struct{}

	mu      sync.Mutex
	waiting int
	release chan struct{}
	batches []int
}

// newBarrier must be called inside the bubble.
func newBarrier() *barrier {
	b := &barrier{wake: make(chan struct{}), release: make(chan struct{})}
	go b.serve()
	return b
}

func (b *barrier) serve() {
	for range b.wake {
		synctest.Wait()
		b.open()
	}
}

func (b *barrier) open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.batches = append(b.batches, b.waiting)
	b.waiting = 0
	close(b.release)
	b.release = make(chan struct{})
}

// arrive blocks until the caller's whole batch has arrived.
func (b *barrier) arrive() {
	b.mu.Lock()
	b.waiting++
	first, release := b.waiting == 1, b.release
	b.mu.Unlock()
	if first {
		b.wake <- struct{}{}
	}
	<-release
}

// take returns the sizes of the batches since the last take.
func (b *barrier) take() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	batches := b.batches
	b.batches = nil
	return batches
}
