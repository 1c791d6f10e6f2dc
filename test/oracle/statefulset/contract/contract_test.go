package contract

import (
	"bytes"
	"os"
	"testing"
)

// The driver is a module of its own, so that its requirements stay out of the
// product's; the wire format is therefore here twice.
func TestSameAsTheDriversCopy(t *testing.T) {
	ours, err := os.ReadFile("contract.go")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile("../../driver/statefulset/contract/contract.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(ours, theirs) {
		t.Error("contract.go differs from ../../driver/statefulset/contract/contract.go: copy the newer one over the other")
	}
}
