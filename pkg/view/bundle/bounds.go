package bundle

import (
	"bytes"
	"errors"
	"fmt"
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
	// maxObjects bounds the objects of all inputs, and the items of one list.
	maxObjects = 1_000_000
	// maxDocument and maxNodes bound a YAML document that can't be split into
	// items. goyaml needs some 250 bytes for each value.
	maxDocument = 32 << 20
	maxNodes    = 2 << 20
	// maxWeight bounds what the decoded objects may take, estimated.
	maxWeight = 4 << 30
	// structSize is about what an object within an object takes once it is
	// decoded, such as a container that is written {}.
	structSize = 600
)

// ballast is what was taken from inputs so far.
type ballast struct{ objects, weight int }

// add counts one object, and refuses one too many.
func (b *ballast) add(raw []byte) error {
	b.objects++
	b.weight += len(raw) + structSize*bytes.Count(raw, []byte("{"))
	switch {
	case len(raw) > maxObject:
		return fmt.Errorf("this object is larger than %d MiB, which no API server would store", maxObject>>20)
	case b.objects > maxObjects:
		return errTooMany
	case b.weight > maxWeight:
		return fmt.Errorf("the objects up to here take more than %d GiB of memory: dump one namespace at a time", maxWeight>>30)
	}
	return nil
}

var (
	errTooMany  = fmt.Errorf("more than %d objects: dump one namespace at a time", maxObjects)
	errTooLarge = fmt.Errorf("a value is larger than %d MiB, which no API server would store", maxObject>>20)
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
