package manager

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Metrics is where a manager serves its metrics.
type Metrics struct {
	// Scheme is http or https.
	Scheme string
	// Host is the flag with the address that it listens on, Port that with the port; empty
	// where Host holds it as well, behind a colon.
	Host, Port string
	// DefaultPort is the port where no flag sets it.
	DefaultPort string
}

// Served is the port at which metrics are served to other hosts, by the flags of a manager.
// Errors: they are not.
func (m Metrics) Served(flags map[string]string) (port string, err error) {
	host, port := flags[m.Host], flags[m.Port]
	if addr := flags[m.Host]; m.Port == "" && addr != "" && addr != "0" {
		if host, port, err = net.SplitHostPort(addr); err != nil {
			return "", fmt.Errorf("--%s: %w", m.Host, err)
		}
	}
	switch ip := net.ParseIP(host); {
	case flags[m.Host] == "0", port == "0":
		return "", errors.New("it serves no /metrics")
	case host == "localhost", ip != nil && ip.IsLoopback():
		return "", fmt.Errorf("its /metrics are on %s (--%s), which no other host reaches", host, m.Host)
	}
	return cmp.Or(port, m.DefaultPort), nil
}

// Counted is what a manager's metrics count.
type Counted struct {
	// Queues are its work queues, by name.
	Queues map[string]Queue
	// Informers are those of its factory, by group and resource.
	Informers map[schema.GroupResource]Informer
}

// Informer is what a manager's metrics say of one of its informers
// (k8s.io/component-base/metrics/prometheus/clientgo/fifo, which 1.36 added).
type Informer struct {
	// Queued is how many deltas lie in its queue.
	Queued int64
	// Version is the resource version that its store is up to, the last 15 digits of it; 0
	// where no metric has it: 1.36 knows one and does not serve it.
	Version int64
	// Popped is how long what the queue handed out took until all handlers had been told.
	Popped Spans
}

// Queue is what a manager's metrics count of one of its work queues since it started
// (k8s.io/component-base/metrics/prometheus/workqueue, pkg/internal/controller/metrics of
// controller-runtime: both under client-go's names).
type Queue struct {
	// Adds counts the keys that were queued, Retries those that were added for later.
	Adds, Retries int64
	// Depth is how many keys lie in it.
	Depth int64
	// Longest is how long the sync that runs longest has been running.
	Longest time.Duration
	// Waited is how long keys lay in it, Worked how long syncs took.
	Waited, Worked Spans
}

// Spans are spans of time, counted and added up.
type Spans struct {
	Count int64
	Sum   time.Duration
}

// Mean is the mean of them; 0 for none.
func (s Spans) Mean() time.Duration {
	if s.Count == 0 {
		return 0
	}
	return s.Sum / time.Duration(s.Count)
}

// Since are those that were counted after before.
func (s Spans) Since(before Spans) Spans { return Spans{s.Count - before.Count, s.Sum - before.Sum} }

// Since is what was counted after before. The manager has started again since then where it
// counts less: then it is all that it counts, and restarted is true.
func (q Queue) Since(before Queue) (since Queue, restarted bool) {
	if q.Adds < before.Adds || q.Retries < before.Retries || q.Waited.Count < before.Waited.Count || q.Worked.Count < before.Worked.Count {
		return q, true
	}
	q.Adds -= before.Adds
	q.Retries -= before.Retries
	q.Waited, q.Worked = q.Waited.Since(before.Waited), q.Worked.Since(before.Worked)
	return q, false
}

// take takes a metric of a work queue, and reports whether it is one.
func (q *Queue) take(metric string, v float64) bool {
	switch metric {
	case "workqueue_adds_total":
		q.Adds += int64(v)
	case "workqueue_retries_total":
		q.Retries += int64(v)
	case "workqueue_depth":
		q.Depth += int64(v)
	case "workqueue_longest_running_processor_seconds":
		q.Longest = max(q.Longest, seconds(v))
	case "workqueue_queue_duration_seconds_count":
		q.Waited.Count += int64(v)
	case "workqueue_queue_duration_seconds_sum":
		q.Waited.Sum += seconds(v)
	case "workqueue_work_duration_seconds_count":
		q.Worked.Count += int64(v)
	case "workqueue_work_duration_seconds_sum":
		q.Worked.Sum += seconds(v)
	default:
		return false
	}
	return true
}

// take takes a metric of an informer, and reports whether it is one.
func (i *Informer) take(metric string, v float64) bool {
	switch metric {
	case "informer_queued_items":
		i.Queued = int64(v)
	case "informer_store_resource_version":
		i.Version = int64(v)
	case "informer_processing_latency_seconds_count":
		i.Popped.Count = int64(v)
	case "informer_processing_latency_seconds_sum":
		i.Popped.Sum = seconds(v)
	default:
		return false
	}
	return true
}

func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }

// Read reads the work queues and informers in metrics as Prometheus takes them (text, version
// 0.0.4). Queues that differ in other labels are added up: a priority queue has a depth for
// each priority. Errors: what kept it from being read, a number that is none, and no metric
// of a work queue at all.
func Read(r io.Reader) (c Counted, err error) {
	c = Counted{map[string]Queue{}, map[schema.GroupResource]Informer{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		metric, rest, labelled := strings.Cut(lines.Text(), "{")
		if !labelled || !strings.HasPrefix(metric, "workqueue_") && !strings.HasPrefix(metric, "informer_") || strings.HasSuffix(metric, "_bucket") {
			continue
		}
		if err := c.take(metric, rest); err != nil {
			return c, fmt.Errorf("%s: %w", metric, err)
		}
	}
	if err := lines.Err(); err != nil {
		return c, err
	}
	if len(c.Queues) == 0 {
		return c, errors.New("it holds no metric of a work queue (workqueue_adds_total)")
	}
	return c, nil
}

// take takes a metric with what stands behind its name and "{".
func (c Counted) take(metric, text string) error {
	labels, number, ended := strings.Cut(text, "} ")
	if !ended {
		return fmt.Errorf("no labels in %q", text)
	}
	number, _, _ = strings.Cut(number, " ") // a timestamp may follow
	value, err := strconv.ParseFloat(number, 64)
	if err == nil && (math.IsNaN(value) || math.IsInf(value, 0) || value < 0) {
		err = fmt.Errorf("the value is %s", number)
	}
	if err != nil {
		return err
	}
	var name string
	var of schema.GroupResource
	for label := range strings.SplitSeq(labels, ",") {
		key, quoted, _ := strings.Cut(label, "=")
		switch is := strings.Trim(quoted, `"`); key {
		case "name":
			name = is
		case "group":
			of.Group = is
		case "resource":
			of.Resource = is
		}
	}
	q, i := c.Queues[name], c.Informers[of]
	switch {
	case q.take(metric, value):
		c.Queues[name] = q
	case i.take(metric, value):
		c.Informers[of] = i
	}
	return nil
}
