package render

import (
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// versionKind is the kind of a Version.
const versionKind = "Version"

// Version says what the tool is, and how far it models a cluster's release.
type Version struct {
	metav1.TypeMeta `json:",inline"`
	// Tool is the version of the program.
	Tool string `json:"tool"`
	// Models are the releases whose controllers are modelled.
	Models []ModelRange `json:"models"`
	// Cluster says how far the cluster's release is modelled; absent with --client.
	Cluster *ClusterModel `json:"cluster,omitempty"`

	// Name is how the program is called.
	Name string `json:"-"`
}

// ModelRange is the releases of a product whose controllers are modelled.
type ModelRange struct {
	// Product is Kubernetes or Kruise.
	Product string `json:"product"`
	// Oldest is the oldest release that is modelled.
	Oldest string `json:"oldest"`
	// Newest is the newest release that is modelled.
	Newest string `json:"newest"`
}

// ClusterModel says how far a cluster's release is modelled.
type ClusterModel struct {
	// Release is the cluster's release.
	Release string `json:"release"`
	// Basis is how the release was learned.
	Basis string `json:"basis"`
	// Support says how far the release is modelled: Compared, Modelled, TooNew or TooOld.
	Support string `json:"support"`
	// Model is the release that is modelled.
	Model string `json:"model"`
	// ComparedWith is the release whose real controllers the model is compared with.
	ComparedWith string `json:"comparedWith,omitempty"`
	// Changes are those since the release of model, up to the newest release that is modelled.
	Changes []VersionChange `json:"changes"`
	// Caveat is set where the release can't be modelled exactly.
	Caveat string `json:"caveat,omitempty"`

	// Standing and Sentence say the same as Support, for people.
	Standing string `json:"-"`
	Sentence string `json:"-"`
	// Newest is the newest release that is modelled.
	Newest string `json:"-"`
}

// VersionChange is what changed in the modelled controllers.
type VersionChange struct {
	// Since is the release that brought the change.
	Since string `json:"since"`
	// What is what changed.
	What string `json:"what"`
}

// NewVersion returns v as a document.
func NewVersion(v Version) *Version {
	v.TypeMeta = typeOf(versionKind)
	return &v
}

// DeepCopyObject makes Version a runtime.Object. It is never changed once made.
func (v *Version) DeepCopyObject() runtime.Object { c := *v; return &c }

// VersionText writes v for people.
func VersionText(w io.Writer, v *Version) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\nmodels the controllers of ", strings.ReplaceAll(v.Name, " ", "-"), v.Tool)
	for i, m := range v.Models {
		if i > 0 {
			b.WriteString(", and of ")
		}
		fmt.Fprintf(&b, "%s %s to %s", m.Product, m.Oldest, m.Newest)
	}
	b.WriteString("\n")
	if v.Cluster != nil {
		v.Cluster.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *ClusterModel) write(b *strings.Builder) {
	fmt.Fprintf(b, "for this cluster: Kubernetes %s (%s), %s\n", clean(c.Release), clean(c.Basis), c.Standing)
	if c.Caveat != "" {
		fmt.Fprintln(b, clean(c.Caveat))
	}
	b.WriteString(c.Sentence + "\n")
	if len(c.Changes) == 0 {
		return
	}
	fmt.Fprintf(b, "\nCHANGED       between %s and %s, the newest that is modelled\n", c.Model, c.Newest)
	for _, change := range c.Changes {
		fmt.Fprintf(b, "  %-9s   %s\n", change.Since, change.What)
	}
}
