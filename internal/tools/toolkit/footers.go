package toolkit

import (
	"slices"
	"strings"
)

// NamedOrigin is the origin of something with a name, such as a symbol. As JSON it is only the
// origin: answers that list origins list the names in the same order.
type NamedOrigin struct {
	Name string `json:"-"`
	Origin
}

// OriginFooters are the lines below a table about several origins: one for all that are from
// the same source with the same flags. Where they are of several moments, the line has
// the first and the last; what is remarked of some of them alone is said by their names.
func OriginFooters(all []NamedOrigin) []string {
	var groups [][]NamedOrigin
	for _, s := range all {
		same := func(g []NamedOrigin) bool {
			return g[0].Source == s.Source && g[0].FlagText() == s.FlagText() && g[0].triedSources() == s.triedSources() && bothDatedOrNeither(g[0].AsOf, s.AsOf)
		}
		i := slices.IndexFunc(groups, same)
		if i < 0 {
			groups = append(groups, []NamedOrigin{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = mergedFooter(g)
	}
	return lines
}

// bothDatedOrNeither reports whether two moments can be the ends of one span: both are known, or
// neither is.
func bothDatedOrNeither(a, b string) bool { return (a == "") == (b == "") }

func mergedFooter(group []NamedOrigin) string {
	first, last := group[0].AsOf, group[0].AsOf
	for _, s := range group {
		// Dates and instants as text are in the order of time up to the zone.
		first, last = min(first, s.AsOf), max(last, s.AsOf)
	}
	o := group[0].Origin
	o.Note = strings.Join(mergedNotes(group), ". ")
	if first != last {
		o.AsOf = first + " to " + last
	}
	return o.Footer()
}

// mergedNotes are the sentences of all notes: those that all begin with, then those of each
// by the names of all that have them.
func mergedNotes(group []NamedOrigin) []string {
	notes := make([][]string, len(group))
	for i, s := range group {
		notes[i] = splitSentences(s.Note)
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
	var distinct []string
	names := map[string][]string{}
	for i, n := range notes {
		text := strings.Join(n[shared:], ". ")
		if text == "" {
			continue
		}
		if names[text] == nil {
			distinct = append(distinct, text)
		}
		if !slices.Contains(names[text], group[i].Name) {
			names[text] = append(names[text], group[i].Name)
		}
	}
	for _, text := range distinct {
		if symbols := JoinFew(slices.DeleteFunc(names[text], func(n string) bool { return n == "" })); symbols != "" {
			text = symbols + ": " + text
		}
		out = append(out, text)
	}
	return out
}

func splitSentences(note string) []string {
	if note == "" {
		return nil
	}
	return strings.Split(note, ". ")
}
