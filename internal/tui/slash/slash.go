// Package slash is what "/" offers: the commands and skills by name, ranked for
// what was typed, and the list of them over the line being written. It knows
// nothing of what they do.
//
// What it is given may come from outside and is cleaned before it is drawn.
package slash

import (
	"slices"
	"strings"
)

// Item is a command or a skill that can be typed after the slash.
type Item struct {
	Name        string
	DisplayName string // also found
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Skill       bool

	place int // among those that the Set was made of
}

// kind is the word shown beside the name.
func (i Item) kind() string {
	if i.Skill {
		return "skill"
	}
	return "command"
}

// skillPrefix reaches a skill whose name a command has.
const skillPrefix = "skill:"

// Set is all that "/" offers. The zero Set offers nothing.
type Set struct {
	sorted []Item
	byName map[string]Item
}

// NewSet puts commands before skills and otherwise keeps their order: an earlier
// name wins, and a skill that loses stays reachable by the prefix "skill:".
func NewSet(given []Item) Set {
	set := Set{byName: map[string]Item{}}
	for _, skills := range []bool{false, true} {
		for place, i := range given {
			if i.Skill == skills {
				i.place = place
				set.add(i)
			}
		}
	}
	slices.SortStableFunc(set.sorted, func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	return set
}

func (s *Set) add(i Item) {
	_, taken := s.byName[i.Name]
	switch {
	case i.Skill:
		s.byName[skillPrefix+i.Name] = i
		if taken {
			i.Name = skillPrefix + i.Name
		}
	case taken:
		return
	}
	s.byName[i.Name] = i
	s.sorted = append(s.sorted, i)
}

// Items are all that can be typed, in the order of the alphabet.
func (s Set) Items() []Item { return s.sorted }

// Find gives the item with this name, and its place among those that the Set was
// made of.
func (s Set) Find(name string) (item Item, place int, ok bool) {
	item, ok = s.byName[name]
	return item, item.place, ok
}

// Match ranks the items for what was typed after the slash: the exact name, then
// names that begin with it, then names and display names that contain it, each
// in the order of the alphabet.
func (s Set) Match(typed string) []Item {
	typed = strings.ToLower(typed)
	var ranked [3][]Item
	for _, i := range s.sorted {
		name := strings.ToLower(i.Name)
		bare := strings.TrimPrefix(name, skillPrefix)
		switch {
		case name == typed || bare == typed:
			ranked[0] = append(ranked[0], i)
		case strings.HasPrefix(name, typed) || strings.HasPrefix(bare, typed):
			ranked[1] = append(ranked[1], i)
		case strings.Contains(name, typed) || strings.Contains(strings.ToLower(i.DisplayName), typed):
			ranked[2] = append(ranked[2], i)
		}
	}
	return slices.Concat(ranked[0], ranked[1], ranked[2])
}

// Parse takes "/name args" apart. A path such as /etc/hosts has no name.
func Parse(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		return rest[:cut], strings.TrimSpace(rest[cut:]), true
	}
	return rest, "", true
}
