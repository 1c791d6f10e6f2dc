// Package refmanager carries out what a controller claims: it adopts, releases and keeps
// objects, as BaseControllerRefManager of pkg/controller/controller_ref_manager.go (v1.37.1).
package refmanager

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Manager claims objects of one kind for one owner, in one sync.
type Manager struct {
	Reader *view.Reader
	// Kind is that of the objects.
	Kind view.Kind
	// Owner is what claims them, and Selector its selector.
	Owner    decision.Ref
	Selector labels.Selector
	// Live reads the owner from the API server before the first adoption; nil where it is as
	// in the cache.
	Live func() (metav1.Object, error)
	// Send sends the patch of an adoption or release.
	Send func(decision.Verb, cluster.Write) error

	// canAdopt is what the live read found, nil before it was made.
	canAdopt *error
	refusals []error
	adopters *ownership.Adopters
	// rivals are those about objects, by who would adopt them.
	rivals map[*ownership.Adopting]*Rivalry
}

// Claimed is what came of the claim of one object.
type Claimed struct {
	ownership.Verdict
	// Sent is Adopt or Release where a patch was sent, and Err why it was refused.
	Sent decision.Verb
	Err  error
	// Rivals are others that may adopt the object first, nil for none.
	Rivals *Rivalry
}

// Kept reports whether the object is one of the owner's from now on.
func (c *Claimed) Kept() bool {
	return c.Decision == decision.Owned || c.Sent == decision.Adopt && c.Err == nil
}

// Rivalry is what several controllers make of an object that each would adopt.
type Rivalry struct {
	decision.Ruling
	Choice decision.Choice
}

// Claim does what the verdict on an object asks for.
func (m *Manager) Claim(obj metav1.Object, v ownership.Verdict) Claimed {
	switch v.Decision { //exhaustive:enforce
	case decision.ToAdopt:
		return m.adopt(obj, v)
	case decision.ToRelease:
		return m.release(obj, v)
	case decision.Owned, decision.Ignored, decision.Inactive:
	}
	return Claimed{Verdict: v}
}

// Err is the error that the claims end in, nil if none was refused.
func (m *Manager) Err() error {
	if len(m.refusals) == 0 {
		return nil
	}
	return utilerrors.NewAggregate(m.refusals)
}

// Read is the live read of the owner, nil if none was made.
func (m *Manager) Read() *decision.Ruling {
	if m.canAdopt == nil {
		return nil
	}
	return new(ownership.Recheck(m.Owner, *m.canAdopt))
}

func (m *Manager) adopt(obj metav1.Object, v ownership.Verdict) Claimed {
	if m.canAdopt == nil {
		m.canAdopt = new(Recheck(m.Owner, m.Live))
	}
	if err := *m.canAdopt; err != nil {
		m.refuse(fmt.Errorf("can't adopt %s %s/%s (%s): %w", m.Kind.Kind, obj.GetNamespace(), obj.GetName(), obj.GetUID(), err))
		return Claimed{Verdict: v}
	}
	rivals := m.contest(obj)
	if rivals != nil {
		v.Ruling = rivals.Ruling
	}
	err := m.Send(decision.Adopt, m.patch(obj, v.Patch, func(now metav1.Object) metav1.Object { return ownership.With(now, reference(m.Owner)) }))
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		m.refuse(err)
	}
	return Claimed{v, decision.Adopt, err, rivals}
}

func (m *Manager) release(obj metav1.Object, v ownership.Verdict) Claimed {
	err := m.Send(decision.Release, m.patch(obj, v.Patch, func(now metav1.Object) metav1.Object { return ownership.Without(now, types.UID(m.Owner.UID)) }))
	if err != nil && !errors.Is(err, cluster.ErrNotFound) && !errors.Is(err, cluster.ErrInvalid) {
		m.refuse(err)
	}
	return Claimed{Verdict: v, Sent: decision.Release, Err: err}
}

func (m *Manager) refuse(err error) { m.refusals = append(m.refusals, err) }

func (m *Manager) patch(obj metav1.Object, patch string, stored func(metav1.Object) metav1.Object) cluster.Write {
	return cluster.Write{Verb: cluster.Patch, Kind: m.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName(), Patch: patch, Stored: stored}
}

// contest is the rivalry about an orphan, nil where no other controller would adopt it.
// Orphans that the same would adopt share it.
func (m *Manager) contest(orphan metav1.Object) *Rivalry {
	if m.adopters == nil {
		m.adopters, m.rivals = ownership.AdoptersOf(m.Reader, m.Kind, orphan.GetNamespace()), map[*ownership.Adopting]*Rivalry{}
	}
	met := m.adopters.Adopting(orphan)
	r, known := m.rivals[met]
	if known {
		return r
	}
	if why, n := ownership.Contested(m.Reader, m.Kind, types.UID(m.Owner.UID), m.Selector, orphan); n > 0 {
		r = &Rivalry{why, decision.Choice{K: 1, N: n + 1}}
	}
	m.rivals[met] = r
	return r
}

// reference is the one by which an owner controls an object.
func reference(owner decision.Ref) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: owner.APIVersion, Kind: owner.Kind, Name: owner.Name, UID: types.UID(owner.UID),
		Controller: new(true), BlockOwnerDeletion: new(true),
	}
}

// Recheck makes sure that the owner is still the one it was, and stays
// (RecheckDeletionTimestamp of controller_ref_manager.go, v1.37.1). A nil live is an owner that
// is as in the cache.
func Recheck(owner decision.Ref, live func() (metav1.Object, error)) error {
	if live == nil {
		return nil
	}
	now, err := live()
	switch {
	case err != nil:
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", err)
	case string(now.GetUID()) != owner.UID:
		return fmt.Errorf("can't recheck DeletionTimestamp: original %s %s/%s is gone: got uid %s, wanted %s",
			owner.Kind, owner.Namespace, owner.Name, now.GetUID(), owner.UID)
	case now.GetDeletionTimestamp() != nil:
		return fmt.Errorf("%s/%s has just been deleted at %s", now.GetNamespace(), now.GetName(), now.GetDeletionTimestamp().UTC())
	}
	return nil
}
