package bundle

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The type of a bundle's first document.
const (
	headerGroup   = "kubectl-ctrl.github.io"
	headerVersion = headerGroup + "/v1alpha2"
	headerKind    = "Bundle"
)

// header is a bundle's first document: when it was captured, and what was
// read, which the objects that follow cannot tell.
type header struct {
	metav1.TypeMeta `json:",inline"`
	CapturedAt      time.Time `json:"capturedAt"`
	ServerVersion   string    `json:"serverVersion,omitempty"`
	EmulatedVersion string    `json:"emulatedVersion,omitempty"`
	ToolVersion     string    `json:"toolVersion,omitempty"`
	Redacted        bool      `json:"redacted"`
	// FromFiles: it was captured from files that do not say what was read.
	FromFiles bool `json:"fromFiles,omitempty"`
	// Objects is how many objects follow; older bundles don't say.
	Objects *int          `json:"objects,omitempty"`
	Notes   []headerNote  `json:"notes,omitempty"`
	Reads   []readOutcome `json:"reads"`
}

type headerNote struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func newHeader(v *view.View, reads []view.Read, o WriteOptions) header {
	h := header{
		TypeMeta:      metav1.TypeMeta{APIVersion: headerVersion, Kind: headerKind},
		CapturedAt:    v.Now().UTC(),
		ServerVersion: o.Server.Version, EmulatedVersion: o.Server.Emulated,
		ToolVersion: o.ToolVersion,
		Redacted:    !o.Unredacted,
		FromFiles:   v.FromFiles(),
		Reads:       make([]readOutcome, 0, len(reads)),
	}
	for _, n := range v.Notes() {
		h.Notes = append(h.Notes, headerNote{Code: n.Code, Message: n.Message})
	}
	reads = slices.Clone(reads)
	// In which order they were asked for depends on how fast answers come.
	sort.SliceStable(reads, func(i, j int) bool { return reads[i].ID() < reads[j].ID() })
	for _, r := range reads {
		// Decisions on several targets ask for much of the same.
		if out := newReadOutcome(r); !slices.Contains(h.Reads, out) {
			h.Reads = append(h.Reads, out)
		}
	}
	return h
}

func (t typeMeta) isHeader() bool {
	group, _, _ := strings.Cut(t.APIVersion, "/")
	return t.Kind == headerKind && group == headerGroup
}

// parseHeader reads a bundle's header and the reads it lists.
func parseHeader(p piece) (header, []view.Read, error) {
	var h header
	if p.APIVersion != headerVersion {
		return h, nil, p.wrap(fmt.Errorf("bundle is of %s, this version reads %s", p.APIVersion, headerVersion))
	}
	if err := utiljson.Unmarshal(p.raw, &h); err != nil {
		return h, nil, p.wrap(fmt.Errorf("bundle: %w", view.Undecodable(err)))
	}
	if h.CapturedAt.IsZero() {
		return h, nil, p.wrap(errors.New("bundle: capturedAt is missing"))
	}
	if h.Reads == nil {
		return h, nil, p.wrap(errors.New("bundle: reads is missing: is the file cut short? Take the snapshot again"))
	}
	reads := make([]view.Read, 0, len(h.Reads))
	for i, r := range h.Reads {
		read, err := r.read()
		if err != nil {
			return h, nil, p.wrap(fmt.Errorf("bundle: reads[%d]: %w", i, err))
		}
		reads = append(reads, read)
	}
	return h, reads, nil
}

// counted is the error of a bundle with more or fewer objects than its header
// says. At the border of two documents, a stream that was cut short looks whole.
func (c *content) counted() error {
	if c.header == nil || c.header.Objects == nil || *c.header.Objects == c.follow {
		return nil
	}
	cause := "more than were written"
	if c.follow < *c.header.Objects {
		cause = "the file may be cut short: take the snapshot again"
	}
	return &placed{fmt.Errorf("%s: this bundle holds %s, but objects in its header is %d (%s). If you edited the file, change that line to objects: %d, or delete it",
		c.from, format.Plural(c.follow, "object"), *c.header.Objects, cause, c.follow)}
}
