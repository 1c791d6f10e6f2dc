package decision

import (
	"cmp"
	"strings"
	"time"
)

// State is the state of an object.
type State string

// The states. A Deployment's condition Progressing stays True when its rollout
// is complete; the state of that name does not.
const (
	// StateStable: nothing to do, and all that is desired is available; also with a
	// partition that is reached, and paused without outstanding updates.
	StateStable State = "Stable"
	// StateReconciling: the next sync writes something besides status, or observes a generation.
	StateReconciling State = "Reconciling"
	// StateProgressing: a step is waited for that normally completes by itself.
	StateProgressing State = "Progressing"
	// StateBlocked: no progress is expected without a change outside this controller.
	StateBlocked State = "Blocked"
	// StateTerminating: the object is being deleted.
	StateTerminating State = "Terminating"
	// StateUnknown: what would decide it was not read, or its controller does not report it.
	StateUnknown State = "Unknown"
)

// Cause is why an object is not as desired.
type Cause struct {
	// Object is the object that blocks or is waited for.
	Object Ref `json:"object"`
	// Reason is upstream's own word: Unschedulable, OOMKilled, ErrImagePull.
	Reason string `json:"reason"`
	// Label is what a first line counts it as: "image not found".
	Label string `json:"label"`
	// Briefs are what stands for Label where there is less room, the longest first.
	Briefs []string `json:"-"`
	// Container is the name of the container, of a Pod.
	Container string `json:"container,omitempty"`
	// Ended is how the last run of a container ended that ends again and again, and how often
	// it did; empty for others.
	Ended string `json:"-"`
	// Message says what is the matter.
	Message string `json:"message"`
	// Since is the time of a condition or an event; absent where that is not known.
	Since time.Time `json:"since,omitzero"`
	// Evidence is the field of the object that says so, or an event.
	Evidence string `json:"evidence,omitempty"`
	// Blocked reports whether it is among those that end only by a change outside
	// the controller.
	Blocked bool `json:"-"`
	// BlockedAt is since when it blocks, or from when it will if nothing changes; absent
	// where that is not known.
	BlockedAt time.Time `json:"blockedAt,omitzero"`
	// Class names the rule by which it blocks, empty for a cause that never does,
	// and Began is the instant from which that rule counts, zero where none tells.
	Class string    `json:"-"`
	Began time.Time `json:"-"`
	// Root reports whether other causes may follow from it, and Follows whether it follows
	// from others, as a deadline does, or only says what happened before.
	Root, Follows bool `json:"-"`
	// Within reports whether a first line names the container: one of several of its Pod, none
	// of the others of which has the same label.
	Within bool `json:"-"`
	// Stops reports whether it keeps the controller from doing what is due.
	Stops bool `json:"-"`
	// StopsBlocked reports whether it does once it blocks.
	StopsBlocked bool `json:"-"`
	// Refuses reports whether it refuses what the controller does to Pods that exist.
	Refuses bool `json:"-"`
	// Named reports whether the label of another cause names this one.
	Named bool `json:"-"`
	// Replaced reports whether a rollout replaces its Pod, and waits for something else: it never
	// blocks, and its Next comes last.
	Replaced bool `json:"-"`
	// Next is the command that shows more, or ends it; empty for none.
	Next string `json:"-"`
	// Pod is the state of the Pod, of a cause of a Pod.
	Pod *PodColumns `json:"pod,omitempty"`
	// TaintEviction is when the taints of its node delete the Pod, of a cause that lies
	// with the node; absent where no taint is one of effect NoExecute, or none was read.
	TaintEviction *TaintEviction `json:"taintEviction,omitempty"`
}

// Unless names a case in which the cause is none; empty for no such case.
func (c *Cause) Unless(what string) {
	if what != "" {
		c.Label += ", unless " + what
		c.Message += ", unless " + what
	}
}

// Call names the cause otherwise, in short and in a sentence, with the command that shows more.
func (c *Cause) Call(label, message, next string) {
	c.Label, c.Briefs, c.Message, c.Next = label, nil, message, next
}

// On names the node that it is on alone, and says why.
func (c *Cause) On(node, why string) {
	c.Briefs = append([]string{c.Label}, c.Briefs...)
	c.Label += " on " + node
	c.Message = strings.TrimSuffix(c.Message, ".") + "; " + why
}

// Shortest is what stands for the label where there is least room.
func (c *Cause) Shortest() string {
	if n := len(c.Briefs); n > 0 {
		return c.Briefs[n-1]
	}
	return c.Label
}

// In is the label with a container.
func (c *Cause) In(container string) string {
	if strings.HasSuffix(c.Label, ")") {
		return c.Label + " in " + container
	}
	return c.Label + " (" + container + ")"
}

// Alone is what a first line says of it that is about nothing else: the label, and how the
// last run of its container ended.
func (c Cause) Alone() string {
	text := ""
	if c.Within {
		text = c.Container + ": "
	}
	if c.Ended == "" || strings.HasPrefix(c.Ended, c.Label+" ") {
		return text + cmp.Or(c.Ended, c.Label)
	}
	return text + c.Label + ": " + c.Ended
}

// TaintEviction is when the NoExecute taints of its node delete a Pod.
type TaintEviction struct {
	// Taint is the key of the taint that decides, with its value behind "=".
	Taint string `json:"taint"`
	// TolerationSeconds is for how long the Pod tolerates the taint, 0 for not at all;
	// absent where it does without limit.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
	// At is when the Pod is deleted, or was to be; absent where it is not, and where the
	// taint does not tell when it was added.
	At time.Time `json:"at,omitzero"`
	// Message says so in a sentence.
	Message string `json:"message"`
}

// PodColumns are those of kubectl get pods.
type PodColumns struct {
	// Ready is the column READY of kubectl: ready containers of all.
	Ready string `json:"ready"`
	// Status is the column STATUS of kubectl.
	Status string `json:"status"`
	// Created is when the Pod was created.
	Created time.Time `json:"created,omitzero"`
}
