package oracle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// ahead is how many requests may be under way before an answer is waited for.
const ahead = 64

// Process is a running oracle.
type Process struct {
	Version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	next    int
}

// Start runs <dir>/oracle-<version>.
func Start(dir, version string) (*Process, error) {
	cmd := exec.Command(filepath.Join(dir, "oracle-"+version))
	// Error messages print times in the process's zone.
	cmd.Env = append(os.Environ(), "TZ=UTC")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("oracle %s: %w; build it with test/oracle/build.sh", version, err)
	}
	return &Process{Version: version, cmd: cmd, in: in, out: json.NewDecoder(bufio.NewReaderSize(out, 1<<20))}, nil
}

// Close ends the oracle by ending its input.
func (p *Process) Close() error {
	return errors.Join(p.in.Close(), p.cmd.Wait())
}

// Ask sends requests and hands over each answer with what came along with its
// request. It writes while it reads, or the two pipes would fill up.
func Ask[T any](p *Process, questions iter.Seq2[*contract.Request, T], got func(*contract.Request, T, *contract.Response)) error {
	type question struct {
		req   *contract.Request
		about T
	}
	asked := make(chan question, ahead)
	sent := make(chan error, 1)
	go func() {
		defer close(asked)
		w := bufio.NewWriterSize(p.in, 1<<16)
		sent <- func() error {
			for req, about := range questions {
				p.next++
				req.ID = fmt.Sprint(p.next)
				if err := writeLine(w, req); err != nil {
					return err
				}
				asked <- question{req, about}
			}
			return nil
		}()
	}()
	for q := range asked {
		resp := &contract.Response{}
		if err := p.answer(q.req, resp); err != nil {
			return err
		}
		got(q.req, q.about, resp)
	}
	return <-sent
}

func writeLine(w *bufio.Writer, req *contract.Request) error {
	if err := json.NewEncoder(w).Encode(req); err != nil {
		return err
	}
	return w.Flush()
}

func (p *Process) answer(req *contract.Request, resp *contract.Response) error {
	if err := p.out.Decode(resp); err != nil {
		return fmt.Errorf("oracle %s, request %s: %w", p.Version, req.ID, err)
	}
	if resp.ID != req.ID {
		return fmt.Errorf("oracle %s answered %q to request %q", p.Version, resp.ID, req.ID)
	}
	if resp.Error != "" {
		return fmt.Errorf("oracle %s, request %s: %s", p.Version, req.ID, resp.Error)
	}
	return nil
}

// One asks one question.
func (p *Process) One(req *contract.Request) (*contract.Response, error) {
	var answer *contract.Response
	one := func(yield func(*contract.Request, struct{}) bool) { yield(req, struct{}{}) }
	err := Ask(p, one, func(_ *contract.Request, _ struct{}, resp *contract.Response) { answer = resp })
	return answer, err
}
