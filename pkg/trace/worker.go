package trace

import "sync"

// startWorkers runs the workers of all controllers, as their managers do
// (ReplicaSetController.Run in pkg/controller/replicaset/replica_set.go, v1.37.1). stop waits
// until each is done with its key.
func (f *Follower) startWorkers() (stop func()) {
	var running sync.WaitGroup
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.engine.controllers {
		c.added = sync.NewCond(&f.mu)
		for n := range c.workers {
			running.Go(func() { f.worker(c, n+1) })
		}
	}
	return func() {
		f.mu.Lock()
		f.stopping = true
		for _, c := range f.engine.controllers {
			c.added.Broadcast()
		}
		f.mu.Unlock()
		running.Wait()
	}
}

// worker syncs the keys of a controller. What a sync reads and what it comes to belongs to one
// place each in the order of the deltas, which a record keeps; while it is decided, deltas come
// in, and other workers sync other keys.
func (f *Follower) worker(c *runner, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.stopping {
		flight := f.take(c)
		if flight == nil {
			c.added.Wait()
			continue
		}
		if flight.work != nil && c.workers > 1 {
			flight.work.Worker = n
		}
		for done := false; !done; {
			f.mu.Unlock()
			f.engine.decide(flight)
			f.mu.Lock()
			done = f.end(flight)
		}
	}
}

// take takes the next key, if there is one. f.mu is held.
func (f *Follower) take(c *runner) *flight {
	if c.queue.ready.Len() == 0 {
		return nil
	}
	at := f.now()
	f.engine.advance(at)
	key, waited, ok := c.queue.get()
	if !ok {
		return nil
	}
	f.record.flight(at, takes, c, key)
	taken := f.engine.begin(c, key, waited)
	f.flush(at)
	return taken
}

// end ends a flight, unless its sync has to read more. f.mu is held.
func (f *Follower) end(flight *flight) (done bool) {
	at := f.now()
	f.record.flight(at, ends, flight.c, flight.key)
	f.engine.advance(at)
	done = f.engine.end(flight)
	f.flush(at)
	f.rouse()
	if flight.again.Delay > 0 {
		f.signal()
	}
	return done
}

// rouse wakes a worker for each key that is ready. f.mu is held.
func (f *Follower) rouse() {
	for _, c := range f.engine.controllers {
		if c.added == nil {
			continue // the workers wait for the first lists
		}
		for range min(c.queue.ready.Len(), c.workers) {
			c.added.Signal()
		}
	}
}

// everyWorker are how many each controller has, by its name in its manager.
func (o Options) everyWorker() map[string]int {
	all := map[string]int{}
	for _, c := range o.Controllers {
		all[c.Name()] = max(o.Workers[c.Name()], 1)
	}
	return all
}
