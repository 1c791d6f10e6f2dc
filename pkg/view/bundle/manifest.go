package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// ReadObjects reads manifests: objects of the kinds that a View holds. They
// may lack a namespace, which is left empty, uid and status. Objects of other
// kinds are left out.
func ReadObjects(paths []string, stdin io.Reader) ([]Object, error) {
	all, _, err := ReadManifests(paths, stdin, false)
	return all, err
}

// ReadManifests reads as ReadObjects does. A directory stands for the files that kubectl
// apply -f reads, those of its subdirectories only when recursive. left counts the objects
// of kinds that it leaves out, by kind.
func ReadManifests(paths []string, stdin io.Reader, recursive bool) (all []Object, left map[string]int, err error) {
	others, taken := tally{}, wholes{}
	err = each(paths, stdin, applied(recursive), func(p piece) error {
		if p.raw == nil {
			return nil
		}
		if err := taken.add(p.raw); err != nil {
			return p.wrap(err)
		}
		kind, known, err := kindOf(p.typeMeta)
		if err != nil {
			return p.wrap(err)
		}
		if !known {
			others.add(p.typeMeta)
			return nil
		}
		written := kind.Version
		p, kind, _ = p.known(kind, view.Partial)
		p.raw = bytes.Clone(p.raw)
		o, err := p.decode(kind)
		o.Written = written
		all = append(all, o)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if len(all) == 0 {
		return nil, nil, nothingIn(paths, others, "the manifest of a workload, as kubectl apply -f takes it")
	}
	left = map[string]int{}
	for kind, n := range others {
		left[kind.Kind] += n
	}
	return all, left, nil
}

// each scans every object of every input.
func each(paths []string, stdin io.Reader, d directories, emit func(piece) error) error {
	files, err := inputs(paths, stdin, d)
	if err != nil {
		return err
	}
	var read inputSize
	weighing := func(p piece) error {
		if err := read.add(p.raw); err != nil {
			return p.wrap(err)
		}
		if err := p.refuse(); err != nil {
			return p.wrap(err)
		}
		return emit(p)
	}
	var nothing string
	for _, in := range files {
		empty, err := in.scan(weighing)
		if err != nil {
			return err
		}
		if empty {
			nothing = in.name
		}
	}
	switch {
	case nothing != "" && len(files) > 1:
		return fmt.Errorf("%s is empty: save it again, or delete it", nothing)
	case nothing != "":
		return fmt.Errorf("no Kubernetes objects in %s: it is empty, as a command that fails leaves it; save again, and look at the errors: expected what kubectl ctrl snapshot or kubectl get -o yaml prints", nothing)
	}
	return nil
}

// tally counts the objects that were left out, by kind.
type tally map[typeMeta]int

func (t tally) add(kind typeMeta) { t[kind]++ }

// String lists the kinds: 3 Service, 1 Node.
func (t tally) String() string {
	var parts []string
	for kind, n := range t {
		parts = append(parts, fmt.Sprintf("%d %s", n, kind.Kind))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// nothingIn is the error of inputs that hold nothing to decide on, where something else is
// expected.
func nothingIn(paths []string, others tally, expected string) error {
	where := strings.Join(paths, ", ")
	if len(others) > 0 {
		return fmt.Errorf("no objects of a kind that is read here in %s (it holds %s): expected %s", where, others, expected)
	}
	return errors.New("no Kubernetes objects in " + where + ": expected what kubectl get -o yaml or -o json prints")
}
