package template

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

//go:generate sh -c "go run ../../../docs/generate/podfields > fields.go"

// never is the release that knows a field of which no modelled release knows.
const never = math.MaxInt32

// Known is a CloneSet's template as a release of Kruise sees it, and the paths
// of what it does not see. The manager's cache decodes a CloneSet into Go types,
// in which fields that are newer than its k8s.io/api are missing; the revision
// and the Pods are made of what is left (getPatch of pkg/controller/cloneset/
// revision/cloneset_revision.go, v1.9.1). A revision that is stored already is
// compared as it is: one that another release wrote may hold more.
func Known(fields map[string]any, v profile.Version) (t Template, dropped []string) {
	typed, ok := typedTemplate(fields)
	if !ok {
		return Template{}, nil
	}
	dropped = dropUnknown(reflect.ValueOf(&typed), "template", v)
	return encoded(typed), dropped
}

// KnownContainer is a Pod's container as a release of Kruise sees it.
func KnownContainer(c *corev1.Container, v profile.Version) *corev1.Container {
	c = c.DeepCopy()
	dropUnknown(reflect.ValueOf(c), "", v)
	return c
}

// dropUnknown clears the fields of an API object that a release lacks, and
// returns their paths below its own.
func dropUnknown(obj reflect.Value, path string, v profile.Version) []string {
	d := dropper{version: v}
	d.walk(obj, path)
	return d.paths
}

type dropper struct {
	version profile.Version
	paths   []string
}

func (d *dropper) walk(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.walk(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.walk(v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	case reflect.Struct:
		d.fields(v, path)
	}
}

func (d *dropper) fields(v reflect.Value, path string) {
	t := v.Type()
	if t.PkgPath() != reflect.TypeFor[corev1.Pod]().PkgPath() {
		return
	}
	for i := range t.NumField() {
		field, f := v.Field(i), t.Field(i)
		if field.IsZero() {
			continue
		}
		at := path
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			at = path + "." + name
		}
		if since, later := fieldsSince[t.Name()+"."+f.Name]; later && !d.version.AtLeast(since, 0) {
			field.SetZero()
			d.paths = append(d.paths, at)
			continue
		}
		d.walk(field, at)
	}
}
