package view

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Demand is what one object of a change or list is predicted to create at the same time as others.
type Demand struct {
	// By is that object, as kind/name.
	By string
	// Resource is that of what it creates in its own namespace, Count how many.
	Resource schema.GroupResource
	Count    int64
	// Pod is one of the Pods as it would be sent; nil for objects of another kind.
	Pod *corev1.Pod
}

// Alongside is the View for a question about one object of a change or list, of which others
// create what the demands say. Views that are made from it are as well.
func (v *View) Alongside(demands []Demand) *View {
	over := *v
	over.demands = demands
	return &over
}

// Demands are what other objects of the change or list create in the namespace that the question
// is about.
func (v *View) Demands() []Demand { return v.demands }
