package live

import (
	"bytes"
	"iter"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Numbers of fields, of k8s.io/apimachinery v0.37.1: Unknown (pkg/runtime/generated.proto),
// lists, objects and what is in their metadata (pkg/apis/meta/v1/generated.proto).
const (
	unknownRaw         protowire.Number = 2
	listMetadata       protowire.Number = 1
	listItems          protowire.Number = 2
	listContinue       protowire.Number = 3
	objectMetadata     protowire.Number = 1
	generateName       protowire.Number = 2
	ownerReferences    protowire.Number = 13
	managedFields      protowire.Number = 17
	managedFieldsV1    protowire.Number = 7
	managedSubresource protowire.Number = 8
)

// protobufMagic is what an answer in protobuf begins with.
var protobufMagic = []byte("k8s\x00")

// trimmed is the answer of a list in protobuf without most of what prepare drops: who
// manages which fields, often half of the bytes. What stays is smaller to decode and
// the same once it is prepared. A message that can't be read stays as it is, for the
// decoder to say what is wrong.
func trimmed(answer []byte) []byte {
	message, ok := bytes.CutPrefix(answer, protobufMagic)
	if !ok {
		return answer
	}
	t := trimmer{list: make([]byte, 0, len(message))}
	out := append(make([]byte, 0, len(answer)), protobufMagic...)
	out = t.message(out, message, unknownRaw, func(list []byte) ([]byte, bool) {
		t.list = t.message(t.list[:0], list, listItems, t.trimObject)
		return t.list, true
	})
	if t.broken {
		return answer
	}
	return out
}

// trimmer holds a buffer for each message that becomes smaller.
type trimmer struct {
	list, object, metadata, managed []byte
	// generated: the object has a generated name and no owner.
	generated, broken bool
}

func (t *trimmer) trimObject(object []byte) (content []byte, keep bool) {
	t.object = t.message(t.object[:0], object, objectMetadata, t.trimMetadata)
	return t.object, true
}

func (t *trimmer) trimMetadata(metadata []byte) (content []byte, keep bool) {
	t.generated = len(contentOf(metadata, generateName)) > 0 && contentOf(metadata, ownerReferences) == nil
	t.metadata = t.message(t.metadata[:0], metadata, managedFields, t.trimManaged)
	return t.metadata, true
}

// trimManaged keeps who wrote a subresource, and when, and who created what has no owner.
func (t *trimmer) trimManaged(entry []byte) (content []byte, keep bool) {
	fields := contentOf(entry, managedFieldsV1)
	creates := t.generated && (fields == nil || bytes.Contains(fields, view.SetsName))
	if len(contentOf(entry, managedSubresource)) == 0 && !creates {
		return nil, false
	}
	t.managed = t.message(t.managed[:0], entry, managedFieldsV1, drop)
	return t.managed, true
}

func drop([]byte) (content []byte, keep bool) { return nil, false }

// message appends a message to out, with what change makes of the fields of one
// number in their place.
func (t *trimmer) message(out, message []byte, number protowire.Number, change func([]byte) ([]byte, bool)) []byte {
	for f := range t.fields(message) {
		if f.number != number || f.content == nil {
			out = append(out, f.whole...)
		} else if content, keep := change(f.content); keep {
			out = appendField(out, number, content)
		}
	}
	return out
}

func appendField(out []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(out, number, protowire.BytesType), content)
}

// fields are those of a message, up to one that can't be read.
func (t *trimmer) fields(message []byte) iter.Seq[field] {
	return func(yield func(field) bool) {
		for len(message) > 0 {
			f, rest, ok := cutField(message)
			if !ok {
				t.broken = true
				return
			}
			if message = rest; !yield(f) {
				return
			}
		}
	}
}

// field is one of a message; content is what it holds, nil where that is a number.
type field struct {
	number         protowire.Number
	whole, content []byte
}

// cutField cuts the first field off a message, and reports whether there is one.
func cutField(message []byte) (f field, rest []byte, ok bool) {
	number, kind, n := protowire.ConsumeField(message)
	if n < 0 {
		return field{}, nil, false
	}
	f = field{number: number, whole: message[:n]}
	if kind == protowire.BytesType {
		_, _, tag := protowire.ConsumeTag(f.whole)
		f.content, _ = protowire.ConsumeBytes(f.whole[tag:])
	}
	return f, message[n:], true
}

// contentOf is what the first field of a number holds; nil without one.
func contentOf(message []byte, number protowire.Number) []byte {
	for {
		f, rest, ok := cutField(message)
		if !ok || f.number == number {
			return f.content
		}
		message = rest
	}
}

// continueOf is the token for the page behind an answer in protobuf, empty for none
// and for other answers.
func continueOf(answer []byte) string {
	message, ok := bytes.CutPrefix(answer, protobufMagic)
	if !ok {
		return ""
	}
	return string(contentOf(contentOf(contentOf(message, unknownRaw), listMetadata), listContinue))
}
