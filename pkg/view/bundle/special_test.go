//go:build unix

package bundle

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// What a directory holds beside files is never opened: a device has no end, and
// nobody may write to a FIFO.
func TestDirectoryOfSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), onePod)
	fifo := filepath.Join(dir, "fifo.yaml")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "s.json"))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	for link, target := range map[string]string{
		"zero.yaml": "/dev/zero", "null.json": "/dev/null", "tty.yaml": "/dev/tty", "stdin.yaml": "/dev/stdin",
		"random.yml": "/dev/urandom", "linked.yaml": "fifo.yaml", "twice.yaml": "zero.yaml",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := inputs([]string{dir}, nil, saved)
	if err != nil || len(files) != 1 || files[0].name != filepath.Join(dir, "a.yaml") {
		t.Errorf("got %v, %v", files, err)
	}
}

// A FIFO that is named is read, as <(kubectl get …) is.
func TestNamedFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(fifo, []byte(onePod), 0o600) }()
	s, err := Open([]string{fifo}, nil, Options{})
	if err != nil || len(s.content.objects.all) != 1 {
		t.Error(err)
	}
}

// A device that is named is refused by what it holds, not read to its bound.
func TestNamedDevice(t *testing.T) {
	for _, device := range []string{"/dev/zero", "/dev/urandom"} {
		var err error
		taken := allocated(func() { _, err = Open([]string{device}, nil, Options{}) })
		if want := device + ": this is not text: expected YAML or JSON, as kubectl get -o yaml prints it"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if taken > 1<<20 {
			t.Errorf("%s took %d bytes", device, taken)
		}
	}
}
