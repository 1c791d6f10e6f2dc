package manager

import (
	"slices"
	"strings"
)

// Program is a controller manager, and what is known of its releases.
type Program struct {
	// Name is the program's, Product what its releases are of.
	Name, Product string
	// Source is the folder upstream that the files of its controllers lie in.
	Source string
	// Rows are its controllers, by name and minor.
	Rows []Row
	// Implied are what its feature gates do to each other, in upstream's order.
	Implied []Implied
	// Flags say how all of its controllers run, Defaults what these are set to else, and
	// other flags that are read.
	Flags    Flags
	Defaults map[string]string
	// Switches are the other flags that are true where they stand without a value.
	Switches []string
	// Spread is by what the resync period is multiplied, from the first to the second.
	Spread [2]float64
	// Drawn says when it is drawn.
	Drawn string
	// Clients says what has the limits of the clients.
	Clients string
	// Metrics says where it serves its metrics.
	Metrics Metrics
}

// Flags are the names of those that say how all controllers run; empty for none.
type Flags struct {
	Controllers, QPS, Burst, Resync, Elect, LeaseDuration, RenewDeadline, RetryPeriod, LeaseName, LeaseNamespace string
}

// Names are those of the flags that there are, in the order in which they are told.
func (f Flags) Names() []string {
	all := []string{f.Controllers, f.QPS, f.Burst, f.Resync, f.Elect, f.LeaseDuration, f.RenewDeadline, f.RetryPeriod, f.LeaseName, f.LeaseNamespace}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

// Reads reports whether a flag is read here: one that the program declares, or the workers
// of a controller. valued: it has a value, which may be the next argument.
func (p Program) Reads(flag string) (read, valued bool) {
	if flag == p.Flags.Elect || slices.Contains(p.Switches, flag) {
		return true, false
	}
	_, declared := p.Defaults[flag]
	read = declared || strings.HasSuffix(flag, "-workers") || strings.HasSuffix(flag, "-syncs") && strings.Contains(flag, "concurrent-")
	return read, read
}

// Words splits an argument of a command line, in which a shell's whole command line may stand. A flag
// and, valued, the value of one are one word whatever spaces are in it.
func Words(arg string, valued bool) []string {
	words := strings.Fields(arg)
	isFlag := func(word string) bool { return strings.HasPrefix(word, "-") }
	if len(words) > 1 && (valued || isFlag(arg)) && !slices.ContainsFunc(words[1:], isFlag) {
		return []string{arg}
	}
	return words
}

// Implied is what gates do to others, in the minors from Since to Until: while one of When
// is On, Then are set to Set.
type Implied struct {
	Since, Until int
	When         []Gate
	On           bool
	Then         []string
	Set          bool
}

// Oldest is the oldest minor that the table has.
func (p Program) Oldest() int {
	return slices.MinFunc(p.Rows, func(a, b Row) int { return a.Since - b.Since }).Since
}

// Newest is the newest minor that the table has.
func (p Program) Newest() int {
	return slices.MaxFunc(p.Rows, func(a, b Row) int { return a.Until - b.Until }).Until
}

// In returns the controllers in a minor, by name; none for a minor outside the table.
func (p Program) In(minor int) (all []Controller) {
	for _, r := range p.Rows {
		if r.Since <= minor && minor <= r.Until {
			all = append(all, r.Controller)
		}
	}
	return all
}

// Setting returns what one of its flags is set to.
//
//go:noinline // it is called at many places
func (p Program) Setting(a Arguments, flag string) Value { return a.Of(flag, p.Defaults[flag]) }

// Settings are its flags as they are set.
func (p Program) Settings(a Arguments) (all []Value) {
	for _, flag := range p.Flags.Names() {
		all = append(all, p.Setting(a, flag))
	}
	return all
}

// Named reports whether name is a controller's, one of its aliases, or either without
// "-controller".
func (c Controller) Named(name string) bool {
	for _, own := range append([]string{c.Name}, c.Aliases...) {
		if strings.EqualFold(own, name) || strings.EqualFold(own, name+"-controller") {
			return true
		}
	}
	return false
}
