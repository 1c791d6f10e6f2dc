package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnknownTermsAreAnError: nothing is linked under terms that nobody read.
func TestUnknownTermsAreAnError(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "example.com/m v1.0.0 has no licence: find out under which terms it may be used",
		"GNU GENERAL PUBLIC LICENSE\nVersion 3": "LICENSE holds terms that are not known here",
		"Mozilla Public License Version 2.0":    "LICENSE holds terms that are not known here",
	} {
		dir := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m := module{path: "example.com/m", version: "v1.0.0", dir: dir, packages: map[string]bool{dir: true}}
		if err := m.read(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	const bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that the following conditions are met"
	for text, want := range map[string]string{
		bsd:                                   "BSD-2-Clause",
		bsd + "\n* Neither the name of X nor": "BSD-3-Clause",
		"Apache License\n   Version 2.0, January 2004": "Apache-2.0",
		"All rights reserved.":                         "",
	} {
		if got := name(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
