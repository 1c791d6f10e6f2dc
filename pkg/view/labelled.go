package view

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// labelled finds the objects of a namespace by their labels. A key is indexed once
// selectors have asked for it so often that this costs less than to look at all objects
// each time.
type labelled struct {
	mu   sync.Mutex
	keys map[labelKey]*labelValues
}

type labelKey struct{ namespace, key string }

// labelValues are the objects with each value, nil as long as there are few questions.
type labelValues struct {
	asked int
	by    map[string][]metav1.Object
}

// often is how many questions about a key are answered without an index of it.
const often = 3

// selectable are objects of a namespace in their order: all that a selector matches, and
// maybe others.
func (s *store) selectable(namespace string, sel labels.Selector) []metav1.Object {
	all := s.within(namespace)
	if sel == nil {
		return all
	}
	fewest := all
	terms, _ := sel.Requirements()
	for i := range terms {
		value, one := OneValue(terms[i])
		if !one {
			continue
		}
		if objs, known := s.labelled.with(labelKey{namespace, terms[i].Key()}, value, all); known && len(objs) < len(fewest) {
			fewest = objs
		}
	}
	return fewest
}

// OneValue is the one value that a term of a selector demands of its label; false where it
// does not demand one.
func OneValue(term labels.Requirement) (string, bool) {
	switch term.Operator() {
	case selection.Equals, selection.DoubleEquals, selection.In:
		if values := term.ValuesUnsorted(); len(values) == 1 {
			return values[0], true
		}
	}
	return "", false
}

func (l *labelled) with(k labelKey, value string, all []metav1.Object) (objs []metav1.Object, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil {
		l.keys = map[labelKey]*labelValues{}
	}
	v := l.keys[k]
	if v == nil {
		v = &labelValues{}
		l.keys[k] = v
	}
	if v.asked++; v.asked <= often {
		return nil, false
	}
	if v.by == nil {
		v.by = map[string][]metav1.Object{}
		for _, obj := range all {
			if value, ok := obj.GetLabels()[k.key]; ok {
				v.by[value] = append(v.by[value], obj)
			}
		}
	}
	return v.by[value], true
}
