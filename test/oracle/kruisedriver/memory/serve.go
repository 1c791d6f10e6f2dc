package memory

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
)

// Serve answers until in ends. A sequence has a bubble of its own, in which a
// wait takes no time and upstream's clock tells it.
func Serve(t *testing.T, in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), json.NewEncoder(out)
	for {
		var steps []string
		if err := from.Decode(&steps); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var seen []string
		var err error
		synctest.Test(t, func(*testing.T) { seen, err = newMemory().takeAll(steps) })
		if err != nil {
			return err
		}
		if err := to.Encode(seen); err != nil {
			return err
		}
	}
}

func (m *memory) takeAll(steps []string) ([]string, error) {
	seen := make([]string, len(steps))
	for i, step := range steps {
		var err error
		if seen[i], err = m.take(step); err != nil {
			return nil, fmt.Errorf("step %d, %q: %w", i, step, err)
		}
	}
	return seen, nil
}
