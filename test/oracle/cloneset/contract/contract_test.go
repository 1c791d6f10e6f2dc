package contract

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The driver is a module of its own, so that its requirements stay out of the
// product's; the wire format is therefore here twice.
func TestSameAsTheDriversCopy(t *testing.T) {
	for _, name := range []string{"contract.go", "diffs.go"} {
		ours, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := os.ReadFile(filepath.Join("../../kruisedriver/contract", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(ours, theirs) {
			t.Errorf("%s differs from the one in ../../kruisedriver/contract: copy the newer one over the other", name)
		}
	}
}
