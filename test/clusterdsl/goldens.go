package clusterdsl

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Goldens returns the sketches of all goldens below a folder, each once, with where
// it was found first. None is an error.
func Goldens(root string) (map[string]string, error) {
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(path, "/testdata/") || filepath.Ext(path) != "" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		place, err := filepath.Rel(root, path)
		for i, one := range blocks(text) {
			if found[one] == "" {
				found[one] = fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.Replace(place, "/testdata", "", 1), "/", "-"), i+1)
			}
		}
		return err
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no golden below %s sketches a cluster: name the top of the checkout", root)
	}
	return found, err
}

// blocks are the inputs of the directives "cluster" of a golden.
func blocks(golden []byte) []string {
	var all []string
	var text *strings.Builder
	for lines := bufio.NewScanner(bytes.NewReader(golden)); lines.Scan(); {
		line := lines.Text()
		switch {
		case text == nil && (line == "cluster" || strings.HasPrefix(line, "cluster ")):
			text = &strings.Builder{}
		case text != nil && line == "----":
			all, text = append(all, text.String()), nil
		case text != nil:
			text.WriteString(line + "\n")
		}
	}
	return all
}
