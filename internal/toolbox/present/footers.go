package present

import (
	"slices"
	"strings"
)

// Sourced is the origin of what has a name, such as a symbol. As JSON it is the origin
// alone: answers that list origins have the names beside them, in the same order.
type Sourced struct {
	Name string `json:"-"`
	Origin
}

// Footers are the lines below a table about several origins: one for all that are from
// the same source with the same flags. Where they are of several moments, the line has
// the first and the last; what is remarked of some of them alone is said by their names.
func Footers(all []Sourced) []string {
	var groups [][]Sourced
	for _, s := range all {
		same := func(g []Sourced) bool {
			return g[0].Source == s.Source && g[0].Loud() == s.Loud() && g[0].detour() == s.detour() && sameKind(g[0].AsOf, s.AsOf)
		}
		i := slices.IndexFunc(groups, same)
		if i < 0 {
			groups = append(groups, []Sourced{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = merged(g)
	}
	return lines
}

// sameKind reports whether two moments can be the ends of one span: both are known, or
// neither is.
func sameKind(a, b string) bool { return (a == "") == (b == "") }

func merged(group []Sourced) string {
	first, last := group[0].AsOf, group[0].AsOf
	for _, s := range group {
		// Dates and instants as text are in the order of time up to the zone.
		first, last = min(first, s.AsOf), max(last, s.AsOf)
	}
	o := group[0].Origin
	o.Note = strings.Join(remarks(group), ". ")
	if first != last {
		o.AsOf = first + " to " + last
	}
	return o.Footer()
}

// remarks are the sentences of all notes: those that all begin with, then those of each
// by the names of all that have them.
func remarks(group []Sourced) []string {
	notes := make([][]string, len(group))
	for i, s := range group {
		notes[i] = sentences(s.Note)
	}
	shared := len(notes[0])
	for _, n := range notes {
		same := 0
		for same < min(shared, len(n)) && n[same] == notes[0][same] {
			same++
		}
		shared = same
	}
	out := slices.Clone(notes[0][:shared])
	var rest []string
	names := map[string][]string{}
	for i, n := range notes {
		own := strings.Join(n[shared:], ". ")
		if own == "" {
			continue
		}
		if names[own] == nil {
			rest = append(rest, own)
		}
		if !slices.Contains(names[own], group[i].Name) {
			names[own] = append(names[own], group[i].Name)
		}
	}
	for _, own := range rest {
		if who := Few(slices.DeleteFunc(names[own], func(n string) bool { return n == "" })); who != "" {
			own = who + ": " + own
		}
		out = append(out, own)
	}
	return out
}

func sentences(note string) []string {
	if note == "" {
		return nil
	}
	return strings.Split(note, ". ")
}
