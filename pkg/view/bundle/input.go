package bundle

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// input is one file, or stdin, that has yet to be read.
type input struct {
	name string
	open func() (io.ReadCloser, error)
}

// inputs lists the files that paths stand for, in the order in which they are
// read.
func inputs(paths []string, stdin io.Reader) ([]input, error) {
	if len(paths) == 0 {
		return nil, errors.New("no input: name a file, a directory, or - for stdin")
	}
	var all []input
	stdinTaken := false
	for _, path := range paths {
		if path == "-" {
			if stdinTaken || stdin == nil {
				return nil, errors.New("stdin (-) can be read once only")
			}
			stdinTaken = true
			all = append(all, input{"stdin", func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
			continue
		}
		files, err := filesAt(path)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// filesAt is the file itself, whatever its name and even when it is a pipe
// such as <(kubectl get …), or the YAML and JSON files below a directory.
func filesAt(path string) ([]input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read input: %w", err)
	}
	if !info.IsDir() {
		return []input{fileInput(path)}, nil
	}
	files, err := walk(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read input: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Kubernetes objects in %s: the directory holds no file named *.yaml, *.yml or *.json", path)
	}
	return files, nil
}

func fileInput(path string) input {
	return input{path, func() (io.ReadCloser, error) { return os.Open(path) }}
}

// walk lists the files of a directory tree. Links to files are followed, links
// to directories are not, so that there are no loops; hidden entries (.git,
// the ..data of a mounted ConfigMap) are left out.
func walk(dir string) ([]input, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []input
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			below, err := walk(path)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		case namedAsData(path) && isRegular(path):
			files = append(files, fileInput(path))
		}
	}
	return files, nil
}

func namedAsData(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// load reads the whole input as UTF-8 text.
func (in input) load() ([]byte, error) {
	r, err := in.open()
	if err != nil {
		return nil, fmt.Errorf("cannot read input: %w", err)
	}
	defer func() { _ = r.Close() }() // only read
	data, err := readAll(r, maxFile)
	if errors.Is(err, errFileTooLarge) {
		return nil, fmt.Errorf("%s is larger than %d GiB: dump one namespace at a time", in.name, maxFile>>30)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", in.name, err)
	}
	text, err := utf8Text(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return text, nil
}
