package site

import "time"

// dates are those of what is published.
type dates struct {
	first   time.Time            // of the first publication
	changed map[string]time.Time // the last changes: by item, of all of a kind by folder, and of everything at ""
}

func (s *Site) readDates() dates {
	d := dates{changed: make(map[string]time.Time, len(s.Snapshot.Items))}
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			for _, of := range []string{item.ID(), item.Kind.Folder, ""} {
				d.changed[of] = latest(d.changed[of], e.ModifiedAt)
			}
			if d.first.IsZero() || e.PublishedAt.Before(d.first) {
				d.first = e.PublishedAt
			}
		}
	}
	return d
}

// First returns when the first version was published.
func (s *Site) First() time.Time { return s.dates().first }

// Changed returns the last change of what a resource is made of, for one whose representations have
// no date: of its item, of all items of its kind, or of everything that is published. A record or a
// calculation changes with what refers to it too. What depends on the build alone has the date of the
// first publication.
func (s *Site) Changed(r *Resource) time.Time {
	d := s.dates()
	switch {
	case r.referenced != nil:
		at := latest(d.first, r.referenced.changed)
		for _, by := range s.references().incoming[r.referenced.target] {
			at = latest(at, by.changed)
		}
		return at
	case r.ofBuild:
		return d.first
	case r.Kind != nil && r.Name != "":
		return d.changed[r.Kind.Folder+"/"+r.Name]
	case r.Kind != nil:
		return d.changed[r.Kind.Folder]
	}
	return d.changed[""]
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
