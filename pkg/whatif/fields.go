package whatif

// Fields are the single fields of a workload that a user may ask to be
// changed. Nil and empty ones stay as they are.
type Fields struct {
	Replicas *int32
	// Images are the new images by the names of containers and init containers; * is every
	// one.
	Images map[string]string
	// Partition, MaxUnavailable and MaxSurge are numbers or percentages.
	Partition, MaxUnavailable, MaxSurge *string
	Paused                              *bool
	UpdateType                          *string
	// Delete names pods that shall go first.
	Delete []string
}

// The fields by the names that users know them by.
const (
	Replicas       = "replicas"
	Image          = "image"
	Partition      = "partition"
	MaxUnavailable = "max-unavailable"
	MaxSurge       = "max-surge"
	Paused         = "paused"
	UpdateType     = "update-type"
	Delete         = "specified-delete"
)

// Given lists the names of the fields that are to be changed.
func (f Fields) Given() []string {
	var names []string
	for _, field := range []struct {
		name  string
		given bool
	}{
		{Replicas, f.Replicas != nil}, {Image, len(f.Images) > 0}, {Partition, f.Partition != nil},
		{MaxUnavailable, f.MaxUnavailable != nil}, {MaxSurge, f.MaxSurge != nil}, {Paused, f.Paused != nil},
		{UpdateType, f.UpdateType != nil}, {Delete, len(f.Delete) > 0},
	} {
		if field.given {
			names = append(names, field.name)
		}
	}
	return names
}
