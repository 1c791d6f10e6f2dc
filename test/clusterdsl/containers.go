package clusterdsl

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// sidecars reads sidecars=name@image,… for the containers after main.
func (o *object) sidecars() []corev1.Container {
	text, ok := o.take("sidecars")
	if !ok {
		return nil
	}
	var all []corev1.Container
	for one := range strings.SplitSeq(text, ",") {
		name, image, _ := strings.Cut(one, "@")
		all = append(all, corev1.Container{Name: name, Image: image})
	}
	return all
}

// launches reads launch=10,5,… for the containers' launch priorities.
func (o *object) launches() []int {
	text, ok := o.take("launch")
	if !ok {
		return nil
	}
	var all []int
	for one := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(one)
		if err != nil {
			panic("launch=" + text + ": want numbers")
		}
		all = append(all, n)
	}
	return all
}
