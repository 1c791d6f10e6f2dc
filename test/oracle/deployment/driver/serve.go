package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/deployment"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/driver/contract"
)

// epoch is where testing/synctest starts a bubble's clock. Every answer is
// for this instant.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Main answers requests from stdin on stdout until stdin ends.
//
// A synctest bubble needs a *testing.T, which testing.Main gives to a plain
// program. The testing package prints to os.Stdout; the protocol therefore
// goes to the real stdout while os.Stdout points at stderr.
func Main(construct New) {
	out := os.Stdout
	os.Stdout = os.Stderr
	// The default error handlers sleep, which in a bubble moves the clock.
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
	debug.SetGCPercent(400)
	runtime.GOMAXPROCS(1)
	serveInBubble := func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { exit(serve(newOracle(construct), os.Stdin, out)) })
	}
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "Serve", F: serveInBubble}}, nil, nil)
}

// exit ends the process without waiting for upstream's parked goroutines.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers line by line and flushes when no further request is waiting.
func serve(o *oracle, in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(w)
	for {
		line, readErr := r.ReadBytes('\n')
		if len(line) > 1 {
			if err := encoder.Encode(o.answerLine(line)); err != nil {
				return err
			}
		}
		if r.Buffered() == 0 || readErr != nil {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// oracle is the real controller with the driver's edges around it. It lives
// for the whole process.
type oracle struct {
	dc      *deployment.DeploymentController
	ctx     context.Context
	caches  informers
	cluster *cluster
	queue   *queue
	gates   *gates
	// syncErr is what the last sync returned to processNextWorkItem.
	syncErr error
}

// newOracle must be called inside the bubble.
func newOracle(construct New) *oracle {
	o := &oracle{
		ctx: logr.NewContext(context.Background(), logr.Discard()), caches: newInformers(), queue: &queue{},
		gates: newGates(utilfeature.DefaultMutableFeatureGate),
	}
	o.cluster = &cluster{caches: o.caches}
	var err error
	if o.dc, err = construct(o.ctx, o.caches.deployments, o.caches.replicaSets, o.caches.pods, clientset{cluster: o.cluster}); err != nil {
		panic(err)
	}
	field(o.dc, "queue").Set(reflect.ValueOf(o.queue))
	handler := field(o.dc, "syncHandler").Addr().Interface().(*func(context.Context, string) error)
	upstream := *handler
	*handler = func(ctx context.Context, key string) error {
		o.syncErr = upstream(ctx, key)
		return o.syncErr
	}
	return o
}

func (o *oracle) answerLine(line []byte) *contract.Response {
	req := &contract.Request{}
	if err := json.Unmarshal(line, req); err != nil {
		return &contract.Response{Error: fmt.Sprintf("request is not usable: %v", err)}
	}
	resp, err := o.answer(req)
	if err != nil {
		return &contract.Response{ID: req.ID, Error: err.Error()}
	}
	if now := time.Now(); !now.Equal(epoch) {
		return &contract.Response{ID: req.ID, Error: fmt.Sprintf("the frozen clock moved to %s", now.UTC())}
	}
	return resp
}

func (o *oracle) answer(req *contract.Request) (*contract.Response, error) {
	if err := errors.Join(
		faults(req.Faults).validate(), o.gates.apply(req.Gates),
		replace(o.caches.deployments, req.Deployments),
		replace(o.caches.replicaSets, req.ReplicaSets),
		replace(o.caches.pods, req.Pods),
	); err != nil {
		return nil, err
	}
	o.cluster.begin(req)
	syncError := o.syncOnce(req.Key)
	asked := o.queue.asked
	resp := &contract.Response{
		ID: req.ID, Writes: append([]contract.Write{}, o.cluster.writes...), RequeueAfter: []string{},
		RateLimited: asked.rateLimited, Forgotten: asked.forgotten, SyncError: syncError,
	}
	for _, d := range asked.after {
		resp.RequeueAfter = append(resp.RequeueAfter, d.String())
	}
	return resp, o.cluster.broken
}

// syncOnce takes key through the real processNextWorkItem and returns the
// sync's error text.
func (o *oracle) syncOnce(key string) (syncError string) {
	defer func() {
		if r := recover(); r != nil {
			syncError = fmt.Sprintf("panic: %v", r)
		}
	}()
	o.syncErr = nil
	o.queue.offer(key)
	processNextWorkItem(o.dc, o.ctx)
	if o.syncErr != nil {
		return o.syncErr.Error()
	}
	return ""
}
