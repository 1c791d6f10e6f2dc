package bundle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
)

// window is how much of an input is read ahead.
const window = 64 << 10

// utf8Text is the text of an input as UTF-8, without a byte order mark. It turns
// around UTF-16, which redirection in Windows PowerShell writes.
func utf8Text(name string, r io.Reader) (*bufio.Reader, error) {
	raw := bufio.NewReaderSize(r, window)
	mark, _ := raw.Peek(3) // what fails here fails again when it is read
	limit := maxFile
	var from io.Reader = raw
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		text, err := fromUTF16(name, raw)
		if err != nil {
			return nil, err
		}
		from, limit = bytes.NewReader(text), len(text)
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		_, _ = raw.Discard(3) // they were peeked at
	}
	return bufio.NewReaderSize(&textReader{name: name, from: from, limit: limit}, window), nil
}

// fromUTF16 reads r, which starts with a byte order mark, as a whole.
func fromUTF16(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxUTF16+1))
	switch {
	case err != nil:
		return nil, &placed{fmt.Errorf("cannot read %s: %w", name, err)}
	case len(data) > maxUTF16:
		return nil, &placed{fmt.Errorf("%s: this is UTF-16 and larger than %s: save it as UTF-8", name, size(maxUTF16))}
	case len(data)%2 != 0:
		return nil, &placed{fmt.Errorf("%s: this UTF-16 ends in the middle of a character: is the file cut short?", name)}
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[0] == 0xff {
		order = binary.LittleEndian
	}
	units := make([]uint16, len(data)/2-1)
	for i := range units {
		units[i] = order.Uint16(data[2*i+2:])
	}
	return []byte(string(utf16.Decode(units))), nil
}
