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

// Since is what was counted after before. The manager has started again since then where it
// counts less: then it is all that it counts, and restarted is true.
func (q Queue) Since(before Queue) (since Queue, restarted bool) {
	if q.Adds < before.Adds || q.Retries < before.Retries || q.Waited.Count < before.Waited.Count || q.Worked.Count < before.Worked.Count {
		return q, true
	}
	q.Adds -= before.Adds
	q.Retries -= before.Retries
	q.Waited = Spans{q.Waited.Count - before.Waited.Count, q.Waited.Sum - before.Waited.Sum}
	q.Worked = Spans{q.Worked.Count - before.Worked.Count, q.Worked.Sum - before.Worked.Sum}
	return q, false
}

// queueMetrics are the metrics that a Queue is read from.
var queueMetrics = map[string]func(q *Queue, value float64){
	"workqueue_adds_total":                        func(q *Queue, v float64) { q.Adds += int64(v) },
	"workqueue_retries_total":                     func(q *Queue, v float64) { q.Retries += int64(v) },
	"workqueue_depth":                             func(q *Queue, v float64) { q.Depth += int64(v) },
	"workqueue_longest_running_processor_seconds": func(q *Queue, v float64) { q.Longest = max(q.Longest, seconds(v)) },
	"workqueue_queue_duration_seconds_count":      func(q *Queue, v float64) { q.Waited.Count += int64(v) },
	"workqueue_queue_duration_seconds_sum":        func(q *Queue, v float64) { q.Waited.Sum += seconds(v) },
	"workqueue_work_duration_seconds_count":       func(q *Queue, v float64) { q.Worked.Count += int64(v) },
	"workqueue_work_duration_seconds_sum":         func(q *Queue, v float64) { q.Worked.Sum += seconds(v) },
}

func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }

// ReadQueues reads the work queues in metrics as Prometheus takes them (text, version
// 0.0.4), by name. Those that differ in other labels are added up: a priority queue has a
// depth for each priority. Errors: what kept it from being read, a number that is none, and
// no metric of a work queue at all.
func ReadQueues(r io.Reader) (map[string]Queue, error) {
	queues := map[string]Queue{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		metric, rest, labelled := strings.Cut(lines.Text(), "{")
		set := queueMetrics[metric]
		if !labelled || set == nil {
			continue
		}
		name, value, err := sample(rest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", metric, err)
		}
		q := queues[name]
		set(&q, value)
		queues[name] = q
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(queues) == 0 {
		return nil, errors.New("it holds no metric of a work queue (workqueue_adds_total)")
	}
	return queues, nil
}

// sample takes what stands behind the metric's name and "{": the label name, and the value.
func sample(text string) (name string, value float64, err error) {
	labels, number, ended := strings.Cut(text, "} ")
	if !ended {
		return "", 0, fmt.Errorf("no labels in %q", text)
	}
	for label := range strings.SplitSeq(labels, ",") {
		if key, quoted, _ := strings.Cut(label, "="); key == "name" {
			name = strings.Trim(quoted, `"`)
		}
	}
	number, _, _ = strings.Cut(number, " ") // a timestamp may follow
	value, err = strconv.ParseFloat(number, 64)
	if err == nil && (math.IsNaN(value) || math.IsInf(value, 0) || value < 0) {
		err = fmt.Errorf("the value is %s", number)
	}
	return name, value, err
}
