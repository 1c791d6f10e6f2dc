package manager

// Controller is one that a manager has: upstream's ControllerDescriptor, or what an Add
// function asks for, with the flag that sets its workers.
type Controller struct {
	Name string
	// Aliases are its former names, which --controllers takes as well.
	Aliases []string
	// Gates are the feature gates that it needs, all of them; AnyGate are those of which
	// it needs one.
	Gates, AnyGate []Gate
	// Served is the kind that the server has to serve, as group/version, Kind=X; empty for
	// none.
	Served string
	// DisabledByDefault: "*" in --controllers does not enable it.
	DisabledByDefault bool
	// CloudProvider: the cloud-controller-manager runs it, this manager never does.
	CloudProvider bool
	// First: it is started on its own, before the others.
	First bool
	// Start is upstream's function that starts it, in File of the program's Source.
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
	// Default is the flag's, or the number without a flag; 0 where that is not known.
	Default int
}

// Row says that the minors from Since to Until of the product's major have a controller.
type Row struct {
	Since, Until int
	Controller
}
