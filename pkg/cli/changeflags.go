package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// changeFlags are the what-ifs about single fields.
type changeFlags struct {
	fields      whatif.Fields
	controllers controller.Registry
}

var updateTypes = []string{"ReCreate", "InPlaceIfPossible", "InPlaceOnly"}

func (f *changeFlags) add(cmd *cobra.Command) {
	flags, w := cmd.Flags(), &f.fields
	flags.Var(optionalCount{&w.Replicas}, whatif.Replicas, "what if spec.replicas were this number")
	flags.Var(images{&w.Images}, whatif.Image, "what if a container or init container had this image, such as main=web:2; *=IMAGE is for all; may be given several times"+f.only(whatif.Image))
	flags.Var(amount{&w.Partition}, whatif.Partition, "what if this many Pods, or a percentage where the kind takes one, kept their revision"+f.only(whatif.Partition))
	flags.Var(amount{&w.MaxUnavailable}, whatif.MaxUnavailable, "what if this many Pods, or percent, might be unavailable"+f.only(whatif.MaxUnavailable))
	flags.Var(amount{&w.MaxSurge}, whatif.MaxSurge, "what if this many Pods, or percent, might be there beyond spec.replicas"+f.only(whatif.MaxSurge))
	flags.Var(optionalBool{&w.Paused}, whatif.Paused, "what if the rollout were paused, or with =false not"+f.only(whatif.Paused))
	flags.Lookup(whatif.Paused).NoOptDefVal = "true"
	flags.Var(oneOf{&w.UpdateType, updateTypes}, whatif.UpdateType, "what if updateStrategy.type were this: "+strings.Join(updateTypes, ", ")+f.only(whatif.UpdateType))
	flags.StringArrayVar(&w.Delete, whatif.Delete, nil, "what if this Pod were deleted first; may be given several times"+f.only(whatif.Delete))
	for _, name := range []string{whatif.Replicas, whatif.Image, whatif.Partition, whatif.MaxUnavailable, whatif.MaxSurge} {
		completeWith(cmd, name)
	}
	completeWith(cmd, whatif.Paused, "true", "false")
	completeWith(cmd, whatif.UpdateType, updateTypes...)
}

// only names the kinds that have a field.
func (f *changeFlags) only(field string) string {
	return " (" + join(f.controllers.KindsWith(field)) + ")"
}

// check refuses flags about fields that a subject does not have.
func (f *changeFlags) check(subjects []subject) error {
	for _, s := range subjects {
		for _, field := range f.fields.Given() {
			if !s.controller.Knows(field) {
				return usageError("--%s: %s have no such field; it is for %s", field, s.kind.Resource, join(f.controllers.KindsWith(field)))
			}
		}
	}
	return nil
}

// images is the value of --image.
type images struct{ by *map[string]string }

func (i images) Type() string   { return "container=image" }
func (i images) String() string { return strings.Join(i.values(), " ") }

// values are the flag's, one for each time that it is given.
func (i images) values() []string {
	if i.by == nil {
		return nil
	}
	var all []string
	for _, container := range slices.Sorted(maps.Keys(*i.by)) {
		all = append(all, container+"="+(*i.by)[container])
	}
	return all
}

func (i images) Set(text string) error {
	container, image, ok := strings.Cut(text, "=")
	if !ok || container == "" || image == "" {
		return errors.New("want CONTAINER=IMAGE, such as main=web:2")
	}
	if *i.by == nil {
		*i.by = map[string]string{}
	}
	(*i.by)[container] = image
	return nil
}

// amount is the value of a flag that is a number or a percentage. What the
// controller makes of it, such as of 12.5%, is for the answer to say.
type amount struct{ text **string }

func (a amount) Type() string   { return "number or percentage" }
func (a amount) String() string { return deref(a.text) }

func (a amount) Set(text string) error {
	number := intstr.Parse(text)
	_, err := strconv.ParseFloat(strings.TrimSuffix(number.StrVal, "%"), 64)
	if number.Type == intstr.String && (err != nil || !strings.HasSuffix(text, "%")) || strings.HasPrefix(text, "-") {
		return errors.New("want a number such as 2, or a percentage such as 40%")
	}
	*a.text = &text
	return nil
}

// optionalBool is the value of a switch that may be left alone.
type optionalBool struct{ b **bool }

func (o optionalBool) Type() string { return "bool" }
func (o optionalBool) String() string {
	if o.b == nil || *o.b == nil {
		return ""
	}
	return strconv.FormatBool(**o.b)
}

func (o optionalBool) IsBoolFlag() bool { return true }

func (o optionalBool) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("want true or false")
	}
	*o.b = &on
	return nil
}

// oneOf is the value of a flag with a few known values.
type oneOf struct {
	text **string
	all  []string
}

func (o oneOf) Type() string   { return "string" }
func (o oneOf) String() string { return deref(o.text) }

// deref is the value of a flag, empty where it was not given.
func deref(text **string) string {
	if text == nil || *text == nil {
		return ""
	}
	return **text
}

func (o oneOf) Set(text string) error {
	i := slices.IndexFunc(o.all, func(known string) bool { return strings.EqualFold(known, text) })
	if i < 0 {
		return fmt.Errorf("want one of %s", join(o.all))
	}
	*o.text = &o.all[i]
	return nil
}
