package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// sourceFlags say what to read and which controller to model.
type sourceFlags struct {
	config  *genericclioptions.ConfigFlags
	from    []string
	at      string
	emulate string
	gates   []string
	// programs are about managers besides Kubernetes' own.
	programs []*programFlags
	// allowDryRun lets server-side dry runs pass to the cluster.
	allowDryRun bool
}

func (f *sourceFlags) add(cmd *cobra.Command, env Env) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.from, "from", nil, "read files instead of a cluster: any output of kubectl get -o yaml or -o json, directories of such files, a cluster-info dump, or a bundle made by snapshot; - is standard input; may be given several times")
	flags.StringVar(&f.at, "at", "", "with --from: the instant that ages are measured at, such as 2026-11-01T12:00:00Z (default: when the bundle was captured, else the newest timestamp in the input)")
	flags.StringVar(&f.emulate, "emulate-version", "", "model the controller of this Kubernetes version, such as 1.31 (default: the server's, or the bundle's)")
	flags.StringSliceVar(&f.gates, "feature-gates", nil, "feature gates of the controller manager, such as PodDeletionCost=false (default: those of the version)")
	for _, p := range env.Controllers.Programs() {
		about := &programFlags{program: p.Program}
		about.add(cmd)
		f.programs = append(f.programs, about)
	}
	completeWith(cmd, "at")
	completeWith(cmd, "emulate-version", profileVersions()...)
	completeWith(cmd, "feature-gates", gateValues(env)...)
}

// The years of --at. Ages between them fit into a time.Duration.
const (
	firstYear = 2000
	lastYear  = 2200
)

// instant reads --at.
func (f *sourceFlags) instant() (*time.Time, error) {
	if f.at == "" {
		return nil, nil
	}
	if len(f.from) == 0 {
		return nil, usageError("--at needs --from: a live cluster is read as it is now")
	}
	t, err := time.Parse(time.RFC3339Nano, f.at)
	if err != nil {
		return nil, usageError("--at %q: want an instant such as 2026-11-01T12:00:00Z", f.at)
	}
	if year := t.UTC().Year(); year < firstYear || year > lastYear {
		return nil, usageError("--at %q: want an instant of the years %d to %d", f.at, firstYear, lastYear)
	}
	return &t, nil
}

func (f *sourceFlags) profileOptions(releases profile.Releases) (profile.Options, error) {
	gates, err := releases.ParseGates(strings.Join(f.gates, ","))
	if err != nil {
		return profile.Options{}, usageError("--feature-gates: %w", err)
	}
	if f.emulate != "" {
		if _, err := profile.ParseVersion(f.emulate); err != nil {
			return profile.Options{}, usageError("--emulate-version: %w", err)
		}
	}
	programs := map[string]profile.ProgramOptions{}
	for _, p := range f.programs {
		if programs[p.program.Name], err = p.options(); err != nil {
			return profile.Options{}, err
		}
	}
	return profile.Options{Emulate: f.emulate, Gates: gates, Programs: programs, Releases: releases}, nil
}

// pickFlags say which objects are asked about.
type pickFlags struct {
	allNamespaces bool
	selector      string
	fieldSelector string
}

func (f *pickFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "ask about objects of all namespaces")
	flags.StringVarP(&f.selector, "selector", "l", "", "ask about objects with these labels, such as app=web")
}

// addFields adds --field-selector, where objects are listed by kind.
func (f *pickFlags) addFields(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.fieldSelector, "field-selector", "", "ask about objects with these fields, such as metadata.name!=web; the fields are metadata.name and metadata.namespace")
	completeWith(cmd, "field-selector", "metadata.name=", "metadata.namespace=")
}

// byField reads --field-selector: of all fields, only these two every kind has.
func (f *pickFlags) byField() (fields.Selector, error) {
	sel, err := fields.ParseSelector(f.fieldSelector)
	if err != nil {
		return nil, usageError("--field-selector %q: %w", f.fieldSelector, err)
	}
	for _, r := range sel.Requirements() {
		if r.Field != "metadata.name" && r.Field != "metadata.namespace" {
			return nil, usageError("--field-selector: %q is no field to pick by: want metadata.name or metadata.namespace, or use --selector for labels", r.Field)
		}
	}
	return sel, nil
}

// labels reads --selector.
func (f *pickFlags) labels() (labels.Selector, error) {
	sel, err := labels.Parse(f.selector)
	if err != nil {
		return nil, usageError("--selector %q: %w", f.selector, err)
	}
	return sel, nil
}

// check refuses, as kubectl does, what would be ignored beside names.
func (f *pickFlags) check(subjects []subject) error {
	switch {
	case named(subjects) && f.selector != "":
		return usageError("--selector and names are two ways to pick: give one of them")
	case named(subjects) && f.fieldSelector != "":
		return usageError("--field-selector and names are two ways to pick: give one of them")
	case named(subjects) && f.allNamespaces:
		return usageError("--all-namespaces asks about all objects: a name needs one --namespace")
	}
	if _, err := f.byField(); err != nil {
		return err
	}
	_, err := f.labels()
	return err
}
