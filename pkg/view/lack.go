package view

import "fmt"

// Lack notes that files lack the object of a need, to which an object in them
// refers. Need.IfMissing says what the answer lacks without it.
func (r *Reader) Lack(need Need, by string) {
	need.Detail = Full
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lack(need, &NotInInput{Need: need, Vouched: true, By: by})
}

// lack notes what an answer lacks without a need, once.
func (r *Reader) lack(need Need, err error) {
	id := need.ID() + " lacks " + need.IfMissing
	if _, known := r.byID[id]; !known {
		r.byID[id] = len(r.asked)
		r.asked = append(r.asked, Read{need, err})
	}
}

// NoteAbsent notes that the one object of a need is not there.
func (r *Reader) NoteAbsent(need Need) {
	there := "there is no"
	if r.FromFiles() {
		there = "the input holds no"
	}
	n := Note{Code: "NotFound", Message: there + " " + need.Kind.Kind + " " + need.Namespace + "/" + need.Name + ": " + need.IfMissing, Explains: need.Explains}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.absent {
		if r.absent[i].Message == n.Message {
			return
		}
	}
	r.absent = append(r.absent, n)
}

func (e *NotInInput) Error() string {
	if e.By != "" {
		return fmt.Sprintf("%s refers to a %s %s that the input does not hold", e.By, e.Need.Kind.Kind, e.Need.Name)
	}
	return fmt.Sprintf("the input holds no %s", e.Need.Kind.GroupResource())
}
