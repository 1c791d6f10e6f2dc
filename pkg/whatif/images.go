package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The lists of a template's containers.
const (
	Containers     = "containers"
	InitContainers = "initContainers"
)

// every stands for each container in Fields.Images.
const every = "*"

// Container is one container of a template whose image can be changed.
type Container struct {
	// List is the list that it is in: Containers or InitContainers.
	List, Name, Image string
	// Set changes the image in the template.
	Set func(image string)
}

// ContainersOf are the containers and init containers of a template, which Set changes.
func ContainersOf(spec *corev1.PodSpec) []Container {
	return append(listed(Containers, spec.Containers), listed(InitContainers, spec.InitContainers)...)
}

func listed(list string, containers []corev1.Container) []Container {
	var all []Container
	for i := range containers {
		c := &containers[i]
		all = append(all, Container{list, c.Name, c.Image, func(image string) { c.Image = image }})
	}
	return all
}

// SetImages gives the containers of object's template the images of f, and returns what that
// changes. As in kubectl set image (setImage of pkg/cmd/set/set_image.go), a name selects
// containers and init containers. An image by name precedes that of *. Errors: a name that no
// container has.
func (f Fields) SetImages(object decision.Ref, all []Container) ([]decision.Change, error) {
	for _, name := range slices.Sorted(maps.Keys(f.Images)) {
		if !slices.ContainsFunc(all, func(c Container) bool { return name == c.Name || name == every }) {
			return nil, fmt.Errorf("the template has no container %q; it has %s", name, namesOf(all))
		}
	}
	var changes []decision.Change
	for _, c := range all {
		image := cmp.Or(f.Images[c.Name], f.Images[every], c.Image)
		if image == c.Image {
			continue
		}
		path := fmt.Sprintf("spec.template.spec.%s[%s].image", c.List, c.Name)
		changes = append(changes, decision.Change{Object: object, Path: path, From: cmp.Or(c.Image, "unset"), To: image})
		c.Set(image)
	}
	return changes, nil
}

// namesOf lists containers for an error: "main, side; init containers: init".
func namesOf(all []Container) string {
	names := map[string][]string{}
	for _, c := range all {
		names[c.List] = append(names[c.List], c.Name)
	}
	text := strings.Join(names[Containers], ", ")
	if inits := names[InitContainers]; len(inits) > 0 {
		text += "; init containers: " + strings.Join(inits, ", ")
	}
	return text
}
