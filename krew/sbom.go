package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// sbom is what a document says of an archive: SPDX 2.3, as JSON
// (https://spdx.github.io/spdx-spec/v2.3/).
type sbom struct {
	archive, sum, version string
	date                  time.Time
	// licences are the SPDX expressions of modules, by path and version.
	licences map[string]string
}

type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		DataLicense   string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Packages      []spdxPackage      `json:"packages"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		ID            string          `json:"SPDXID"`
		Name          string          `json:"name"`
		Version       string          `json:"versionInfo"`
		File          string          `json:"packageFileName,omitempty"`
		Download      string          `json:"downloadLocation"`
		FilesAnalyzed bool            `json:"filesAnalyzed"`
		Checksums     []spdxChecksum  `json:"checksums,omitempty"`
		SourceInfo    string          `json:"sourceInfo,omitempty"`
		Concluded     string          `json:"licenseConcluded"`
		Declared      string          `json:"licenseDeclared"`
		Copyright     string          `json:"copyrightText"`
		References    []spdxReference `json:"externalRefs"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxReference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxRelationship struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

const unsaid = "NOASSERTION"

// read makes the document from what Go wrote into the archive's program.
func (s sbom) read(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	doc, err := s.document(info)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	return append(text, '\n'), err
}

func (s sbom) document(info *debug.BuildInfo) (spdxDocument, error) {
	uri := downloads + "/" + s.version + "/" + s.archive
	whole := spdxPackage{
		ID: "SPDXRef-archive", Name: info.Main.Path, Version: s.version, File: s.archive, Download: uri,
		Checksums: []spdxChecksum{{"SHA256", s.sum}}, References: purl(info.Main.Path, s.version),
	}
	doc := spdxDocument{
		Version: "SPDX-2.3", DataLicense: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: s.archive,
		Namespace: uri + ".spdx",
		Creation:  spdxCreation{s.date.UTC().Format(time.RFC3339), []string{"Tool: kubectl-" + file() + "/krew-" + s.version}},
		Packages:  []spdxPackage{whole.under("Apache-2.0"), s.library(info.GoVersion)},
	}
	for _, m := range info.Deps {
		p, err := s.module(m)
		if err != nil {
			return doc, err
		}
		doc.Packages = append(doc.Packages, p)
	}
	doc.Relationships = append(doc.Relationships, spdxRelationship{doc.ID, "DESCRIBES", whole.ID})
	for _, p := range doc.Packages[1:] {
		doc.Relationships = append(doc.Relationships, spdxRelationship{whole.ID, "STATIC_LINK", p.ID})
	}
	return doc, nil
}

// library is Go's own.
func (s sbom) library(release string) spdxPackage {
	version := strings.TrimPrefix(release, "go")
	p := spdxPackage{ID: "SPDXRef-stdlib", Name: "stdlib", Version: version, Download: "https://go.dev/dl/", References: purl("stdlib", version)}
	return p.under("BSD-3-Clause")
}

// module is a module that the program links.
func (s sbom) module(m *debug.Module) (spdxPackage, error) {
	if m.Replace != nil {
		m = m.Replace
	}
	licence := s.licences[m.Path+" "+m.Version]
	if licence == "" {
		return spdxPackage{}, fmt.Errorf("docs/licences.md lacks %s %s: run make docs", m.Path, m.Version)
	}
	id := "SPDXRef-" + regexp.MustCompile(`[^A-Za-z0-9.-]+`).ReplaceAllString(m.Path+"-"+m.Version, "-")
	p := spdxPackage{ID: id, Name: m.Path, Version: m.Version, Download: unsaid, SourceInfo: "go.sum " + m.Sum, References: purl(m.Path, m.Version)}
	return p.under(licence), nil
}

func (p spdxPackage) under(licence string) spdxPackage {
	p.Concluded, p.Declared, p.Copyright = licence, licence, unsaid
	return p
}

// purl is the package URL by which databases of vulnerabilities know a module.
func purl(path, version string) []spdxReference {
	version = strings.ReplaceAll(version, "+", "%2B")
	return []spdxReference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + path + "@" + version}}
}

// licencesOf reads the table of docs/licences.md.
func licencesOf(page string) map[string]string {
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+) \| (v\S+) \| (.+) \|$`).FindAllStringSubmatch(page, -1) {
		all[m[1]+" "+m[2]] = strings.ReplaceAll(m[3], "; ", " AND ")
	}
	return all
}
