package widget

import (
	"slices"
	"strings"
)

// CommandItem is a command or a skill that can be typed after the slash.
type CommandItem struct {
	Name        string
	DisplayName string // also found
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Skill       bool

	index int // index in the list that the CommandIndex was made of
}

// kind is the word shown beside the name.
func (i CommandItem) kind() string {
	if i.Skill {
		return "skill"
	}
	return "command"
}

// skillPrefix selects a skill whose name a command has too.
const skillPrefix = "skill:"

// CommandIndex holds the commands and skills that "/" offers. The zero CommandIndex offers
// nothing.
type CommandIndex struct {
	sorted []CommandItem
	byName map[string]CommandItem
}

// NewCommandIndex puts commands before skills and otherwise keeps their order: an earlier name
// wins, and a skill that loses is available under the prefix "skill:".
func NewCommandIndex(items []CommandItem) CommandIndex {
	set := CommandIndex{byName: map[string]CommandItem{}}
	for _, skills := range []bool{false, true} {
		for place, i := range items {
			if i.Skill == skills {
				i.index = place
				set.add(i)
			}
		}
	}
	slices.SortStableFunc(set.sorted, func(a, b CommandItem) int { return strings.Compare(a.Name, b.Name) })
	return set
}

func (s *CommandIndex) add(i CommandItem) {
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

// Items returns all commands and skills in alphabetical order.
func (s CommandIndex) Items() []CommandItem { return s.sorted }

// Find returns the item with this name, and its index in the list that the CommandIndex was made
// of.
func (s CommandIndex) Find(name string) (item CommandItem, place int, ok bool) {
	item, ok = s.byName[name]
	return item, item.index, ok
}

// Match ranks the items for what was typed after the slash: the exact name, then
// names that begin with it, then names and display names that contain it, each
// in the order of the alphabet.
func (s CommandIndex) Match(typed string) []CommandItem {
	typed = strings.ToLower(typed)
	var ranked [3][]CommandItem
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

// ParseCommand takes "/name args" apart. A path such as /etc/hosts has no name.
func ParseCommand(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		return rest[:cut], strings.TrimSpace(rest[cut:]), true
	}
	return rest, "", true
}
