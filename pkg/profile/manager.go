package profile

import "regexp"

// Manager is the container that a controller manager runs in. The zero Manager
// is one that could not be read.
type Manager struct {
	Image string
	// Args are its command and arguments.
	Args []string
	// Pod is the one that it was read from.
	Pod string
	// Mutations says whether it watches the objects in its caches for changes.
	Mutations Mutations
	// Hidden says why it was not read; Caveat says so as well where that counts.
	Hidden string
	// Caveat is set when it may not be read, or may be another one that leads.
	Caveat string
	// Unread: reading it failed, and may succeed the next time.
	Unread bool
}

// Mutations is client-go's mutation detector of a process, which
// KUBE_CACHE_MUTATION_DETECTOR switches on.
type Mutations struct {
	// On is whether it runs.
	On bool
	// Hidden is why that is not visible.
	Hidden string
}

var tagged = regexp.MustCompile(`:([\w.-]+)(@sha256:.*)?$`)

//go:noinline // it is called at many places
func (m Manager) tag() string {
	if t := tagged.FindStringSubmatch(m.Image); t != nil {
		return t[1]
	}
	return ""
}

// known reports whether it was read.
func (m Manager) known() bool { return m.Image != "" }

func (m Manager) version() (Version, bool) {
	v, err := ParseVersion(m.tag())
	return v, err == nil
}
