package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licence is a file with terms, or with a notice that has to go along.
type licence struct {
	// file is relative to its module.
	file string
	// name is the SPDX identifier, empty for a notice.
	name string
	text string
}

var (
	terms  = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([-._].*)?$`)
	notice = regexp.MustCompile(`(?i)^(notice|patents)([-._].*)?$`)
)

// read finds the module's texts: in its root, and in every folder from there to
// a linked package, where forked code brings its own.
func (m *module) read() error {
	dirs := map[string]bool{}
	for dir := range m.packages {
		for ; len(dir) >= len(m.dir); dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		if err := m.readDir(dir); err != nil {
			return err
		}
	}
	slices.SortFunc(m.licences, func(a, b licence) int { return strings.Compare(a.file, b.file) })
	if len(m.names()) == 0 {
		return fmt.Errorf("%s %s has no licence: find out under which terms it may be used", m.path, m.version)
	}
	return nil
}

func (m *module) readDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		isTerms := terms.MatchString(e.Name())
		if e.IsDir() || strings.HasSuffix(e.Name(), ".go") || !isTerms && !notice.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		l := licence{text: strings.ReplaceAll(string(text), "\r\n", "\n")}
		if l.file, err = filepath.Rel(m.dir, path); err != nil {
			return err
		}
		if isTerms {
			if l.name = name(l.text); l.name == "" {
				return fmt.Errorf("%s %s: %s holds terms that are not known here: read them, and add them to docs/generate/licences", m.path, m.version, l.file)
			}
		}
		m.licences = append(m.licences, l)
	}
	return nil
}

// known are words of licences that may be linked, which no other has.
var known = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0, January 2004"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files"},
	{"BSD-3-Clause", "Neither the name of"},
	{"BSD-3-Clause", "The name of the author may not be used to endorse"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
}

// name tells licences by their words, several joined by AND.
func name(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var names []string
	for _, k := range known {
		bsd2 := k.name == "BSD-2-Clause" && slices.Contains(names, "BSD-3-Clause")
		if strings.Contains(text, k.words) && !bsd2 && !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " AND ")
}

// names are the licences of a module, each once.
func (m *module) names() []string {
	var all []string
	for _, l := range m.licences {
		if l.name != "" && !slices.Contains(all, l.name) {
			all = append(all, l.name)
		}
	}
	return all
}
