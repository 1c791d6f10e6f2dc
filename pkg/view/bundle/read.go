package bundle

import (
	"bytes"
	"errors"
	"io"
	"os"
)

var errFileTooLarge = errors.New("too large")

// readAll reads at most limit bytes. A file that says it is larger is not read
// at all.
func readAll(r io.Reader, limit int) ([]byte, error) {
	size := sizeOf(r)
	if size > int64(limit) {
		return nil, errFileTooLarge
	}
	// What has no size is read piece by piece: to grow one buffer would take
	// several times the memory.
	want := chunk
	if size > 0 {
		want = int(size) + 1
	}
	first, err := read(r, want)
	if err != nil || len(first) < want {
		return first, err
	}
	pieces, total := [][]byte{first}, len(first)
	for more := first; len(more) > 0; total += len(more) {
		if total > limit {
			return nil, errFileTooLarge
		}
		if more, err = read(r, chunk); err != nil {
			return nil, err
		}
		pieces = append(pieces, more)
	}
	return bytes.Join(pieces, nil), nil
}

// chunk is how much of a stream is read at a time.
const chunk = 1 << 20

// read reads n bytes, or fewer at the end.
func read(r io.Reader, n int) ([]byte, error) {
	buf := make([]byte, n)
	n, err := io.ReadFull(r, buf)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], err
}

// sizeOf is the size of a regular file, 0 of anything else.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(interface{ Stat() (os.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}
