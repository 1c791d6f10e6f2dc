package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// holdTo lets all controllers act until what was predicted has come true, and
// then until each of them has worked on something newer: what was predicted to
// stay has to be there still.
func (w *world) holdTo(f *forecast, before population) {
	w.Helper()
	mark := w.mark()
	w.check(env.kcm.release(w.Context()))
	w.canariesSing()
	var after population
	err := env.WaitFor(w.Context(), "the forecast to come true", func(context.Context) (bool, error) {
		after = w.population()
		err := f.compare(before, after)
		return err == nil, err
	})
	if err == nil {
		w.canariesSing()
		after = w.population()
		err = errors.Join(f.compare(before, after), w.comparePatches(f, mark))
	}
	env.report.addForecast(w.Name(), f, before, after, err)
	if err != nil {
		w.Errorf("the controllers did not do what was predicted: %s\npredicted: %s\nhappened: %s\n%v", f.answer, f.text(before), f.happened(before, after), err)
	}
}

// comparePatches wants each patch that was predicted to have been sent, and taken.
func (w *world) comparePatches(f *forecast, since controlplane.AuditMark) error {
	w.Helper()
	events, _, err := env.AuditEvents(since)
	w.check(err)
	var errs []error
	for uid, patch := range f.patches {
		if !slices.ContainsFunc(events, func(e controlplane.AuditEvent) bool {
			return e.Verb == "patch" && succeeded(e) && sameJSON(e.RequestObject, []byte(patch))
		}) {
			errs = append(errs, fmt.Errorf("nobody sent the patch of %s: %s", uid, patch))
		}
	}
	return errors.Join(errs...)
}

// canariesSing gives every controller that has to do with owners something to
// work on, which stands behind everything that is in its queue by now, and
// waits until it does.
func (w *world) canariesSing() {
	w.Helper()
	mark := w.mark()
	there := &world{T: w.T, client: w.client, namespace: canaries}
	name := unused("canary")
	create(there, replicaSet(name+"-rs", 1))
	create(there, replicationController(name+"-rc", 1))
	create(there, deploymentOf(name+"-deploy", 1))
	create(there, statefulSet(name+"-sts", 1))
	create(there, daemonSet(name+"-ds"))
	create(there, manualJob(name+"-job", 1))
	lost := configMap(name)
	lost.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "nobody", UID: "nobody", BlockOwnerDeletion: new(true)}}
	create(there, lost)
	for _, controller := range []string{
		"replicaset-controller", "replication-controller", "deployment-controller", "statefulset-controller",
		"daemon-set-controller", "job-controller", "generic-garbage-collector",
	} {
		w.waitForSong(mark, controller, name)
	}
}

// waitForSong waits until a controller made or deleted an object of a name.
func (w *world) waitForSong(since controlplane.AuditMark, controller, name string) {
	w.Helper()
	_, err := env.WaitForAudit(w.Context(), since, 1, func(e controlplane.AuditEvent) bool {
		return e.Controller() == controller && e.ObjectRef.Namespace == canaries && (e.Verb == "create" || e.Verb == "delete") &&
			(e.ObjectRef.Name == name || mentions(e, name+"-"))
	})
	if err != nil {
		w.Fatal(fmt.Errorf("the %s does not act: %w", controller, err))
	}
}

// number reads a fact that went through JSON.
func number(facts decision.Facts, name decision.Key) int {
	n, err := strconv.Atoi(facts.Str(name))
	if err != nil {
		return 0
	}
	return n
}

func mentions(e controlplane.AuditEvent, text string) bool {
	return strings.Contains(string(e.RequestObject), text)
}
