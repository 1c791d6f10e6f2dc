package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// recordFile is the file of trace --record. It has another name until the trace begins: an
// older record outlives a trace that never does.
type recordFile struct {
	file *os.File
	// to is its name once the trace begins; empty from then on.
	to string
}

func openRecord(path string) (*recordFile, error) {
	switch info, err := os.Stat(path); {
	case err != nil: // it is not there, or can't be made
	case info.Mode().IsRegular():
		old, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_ = old.Close()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	default: // a pipe, or a device
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &recordFile{file: file}, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		failed.Path = path
	}
	return &recordFile{file, path}, err
}

// Write writes to the file, whichever name it has.
func (r *recordFile) Write(p []byte) (int, error) { return r.file.Write(p) }

// begin gives it its name, in place of what had that before.
func (r *recordFile) begin() error {
	if r == nil || r.to == "" {
		return nil
	}
	if err := r.file.Close(); err != nil { // a file that is open can't be renamed everywhere
		return err
	}
	if err := os.Rename(r.file.Name(), r.to); err != nil {
		return err
	}
	file, err := os.OpenFile(r.to, os.O_WRONLY|os.O_APPEND, 0)
	r.file, r.to = file, ""
	return err
}

// done closes it, and removes that of a trace that never began.
func (r *recordFile) done() error {
	if r.to == "" {
		return r.file.Close()
	}
	_ = r.file.Close() // as begin did, if it could not give it its name
	return os.Remove(r.file.Name())
}
