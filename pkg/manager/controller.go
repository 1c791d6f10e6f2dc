package manager

import "slices"

// Controller is one that a manager has: upstream's ControllerDescriptor, with the
// flag that sets its workers.
type Controller struct {
	Name string
	// Aliases are its former names, which --controllers takes as well.
	Aliases []string
	// Gates are the feature gates that it needs, all of them.
	Gates []Gate
	// DisabledByDefault: "*" in --controllers does not enable it.
	DisabledByDefault bool
	// CloudProvider: the cloud-controller-manager runs it, this manager never does.
	CloudProvider bool
	// First: it is started on its own, before the others.
	First bool
	// Start is upstream's function that starts it, in File of
	// cmd/kube-controller-manager/app.
	Start, File string
	Workers     Workers
}

// Gate is a feature gate, its stage (Alpha, Beta, GA) and its default.
type Gate struct {
	Name, Stage string
	On          bool
	// InStart: the function that starts the controller asks for it, its descriptor does not.
	InStart bool
}

// Workers is how many keys a controller syncs at a time.
type Workers struct {
	// Flag sets it, empty where none does.
	Flag string
	// Default is the flag's.
	Default int
}

// Row says that the minors from Since to Until of Kubernetes 1 have a controller.
type Row struct {
	Since, Until int
	Controller
}

// Oldest and Newest are the minors that the table has.
func Oldest() int { return slices.MinFunc(rows, func(a, b Row) int { return a.Since - b.Since }).Since }

// Newest is the newest minor that the table has.
func Newest() int { return slices.MaxFunc(rows, func(a, b Row) int { return a.Until - b.Until }).Until }

// Kubernetes returns the controllers of kube-controller-manager in a minor of
// Kubernetes 1, by name; none for a minor outside the table.
func Kubernetes(minor int) (all []Controller) {
	for _, r := range rows {
		if r.Since <= minor && minor <= r.Until {
			all = append(all, r.Controller)
		}
	}
	return all
}

// Named reports whether name is a controller's, or one of its aliases.
func (c Controller) Named(name string) bool {
	return c.Name == name || slices.Contains(c.Aliases, name)
}
