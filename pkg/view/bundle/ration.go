package bundle

import "bytes"

// ration gives a decoder, which holds a value in memory until it is whole, no
// more than a value may be large.
type ration struct {
	s    *jsonStream
	from *bytes.Reader
	read int64
}

func (r *ration) Read(to []byte) (int, error) {
	if r.read-r.s.dec.InputOffset() > maxObject {
		return 0, errTooLarge
	}
	n, err := r.from.Read(to)
	r.read += int64(n)
	return n, err
}
