// Command validator holds JSON documents to a JSON Schema. It reads lines of name, tab and
// document, and writes a line for each that is not valid. Its exit status is 1 then.
//
// It is a module of its own, so that the program does not depend on the validator.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	invalid, err := validate(os.Args[1], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if invalid {
		os.Exit(1)
	}
}

func validate(path string, in io.Reader, out io.Writer) (invalid bool, err error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	whole, err := c.Compile(path)
	if err != nil {
		return false, err
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return invalid, nil
		} else if err != nil {
			return invalid, err
		}
		name, text, _ := strings.Cut(line, "\t")
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = check(c, path, whole, doc)
		}
		if err != nil {
			invalid = true
			fmt.Fprintf(out, "%s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "\n\t"))
		}
	}
}

// check validates a document. The error is that of its own kind: the whole schema
// names those of all kinds.
func check(c *jsonschema.Compiler, path string, whole *jsonschema.Schema, doc any) error {
	err := whole.Validate(doc)
	fields, _ := doc.(map[string]any)
	kind, _ := fields["kind"].(string)
	if err == nil || kind == "" {
		return err
	}
	one, unknown := c.Compile(path + "#/$defs/" + kind)
	if unknown != nil {
		return fmt.Errorf("the schema has no kind %q", kind)
	}
	if narrow := one.Validate(doc); narrow != nil {
		return narrow
	}
	return err
}
