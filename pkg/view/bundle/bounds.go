package bundle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// What one input may ask of memory. Clusters of the size that Kubernetes is
// tested at (150,000 pods) stay far below each of these; what exceeds one ends
// in an error before the memory is taken.
const (
	// maxFile bounds one input. A dump of 100,000 pods takes about half of it.
	maxFile = 1 << 30
	// maxUTF16 bounds one input of UTF-16, which takes several times its size
	// to convert.
	maxUTF16 = maxFile / 4
	// maxObject bounds the JSON of one object. The API server takes 3 MiB.
	maxObject = 4 << 20
	// maxObjects and maxHeld bound the objects of all inputs, and their JSON. What a
	// question decodes of them is bounded by view.MostWhole and view.MostWeight.
	maxObjects = 1_200_000
	maxHeld    = 1 << 30
	// maxOther bounds what takes more memory for each: bare metadata, the items of a
	// list of YAML, those of a list whose kind comes after them, and null.
	maxOther = 400_000
	// maxDocument and maxNodes bound a YAML document that can't be split into
	// items. goyaml needs some 250 bytes for each value.
	maxDocument = 32 << 20
	maxNodes    = 2 << 20
	// maxDepth bounds how deep the values of an object may be nested; a pod has
	// about 10 levels.
	maxDepth = 200
	// maxDecoded bounds, by the same estimate, the objects that stay decoded
	// before anybody asks for them.
	maxDecoded = 128 << 20
	// structSize is about what an object within an object takes once it is
	// decoded, such as a container that is written {}.
	structSize = 600
)

// inputSize is what was read from inputs so far.
type inputSize struct{ objects, size int }

// add counts one object, and refuses one too many.
func (s *inputSize) add(raw []byte) error {
	s.objects++
	s.size += len(raw)
	switch {
	case len(raw) > maxObject:
		return errObjectTooLarge
	case s.objects > maxObjects:
		return tooMany(maxObjects)
	case s.size > maxHeld:
		return fmt.Errorf("the objects up to here have more than %s of JSON: dump one namespace at a time", size(maxHeld))
	}
	return nil
}

// wholes are objects that all are decoded.
type wholes struct{ objects, weight int }

// add counts one object, and refuses one too many.
func (w *wholes) add(raw []byte) error {
	w.objects++
	w.weight += weight(raw)
	switch {
	case w.objects > view.MostWhole:
		return tooMany(view.MostWhole)
	case w.weight > view.MostWeight:
		return fmt.Errorf("the objects up to here take more than %s of memory: give fewer of them", size(view.MostWeight))
	}
	return nil
}

func tooMany(most int) error {
	return fmt.Errorf("more than %d objects: dump one namespace at a time", most)
}

// weight is about what an object takes once it is decoded, in bytes.
func weight(raw []byte) int { return len(raw) + structSize*bytes.Count(raw, []byte("{")) }

// refuse refuses an object that is nested too deep, and what an API server
// answered instead of one.
func (p piece) refuse() error {
	if depth(p.raw) > maxDepth {
		return fmt.Errorf("%s: values are nested deeper than %d: remove the field that nests them", cmp.Or(p.name(p.Kind), "this"), maxDepth)
	}
	if p.Kind != "Status" || p.APIVersion != "v1" {
		return nil
	}
	var status struct {
		Message string `json:"message"`
	}
	_ = utiljson.Unmarshal(p.raw, &status) // without a message it is no object all the same
	return fmt.Errorf("this is an answer of the API server, not an object (%s): read it again", status.Message)
}

// depth is how deep the values of valid JSON are nested.
func depth(raw []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}', c == ']':
			now--
		}
	}
	return deepest
}

var (
	errObjectTooLarge = fmt.Errorf("this object is larger than %d MiB, which no API server would store", maxObject>>20)
	errTooLarge       = fmt.Errorf("a value is larger than %d MiB, which no API server would store", maxObject>>20)
)

// checkDocument refuses a document of YAML that would need too much memory to
// be parsed as a whole.
func checkDocument(text []byte) error {
	if len(text) <= maxNodes {
		return nil
	}
	nodes := 0
	for _, separator := range []byte(",:\n[{") {
		nodes += bytes.Count(text, []byte{separator})
	}
	if len(text) > maxDocument || nodes > maxNodes {
		return errors.New("this document is too large to be read in one piece, and is not laid out as kubectl lays out lists: get it with kubectl get -o json")
	}
	return nil
}
