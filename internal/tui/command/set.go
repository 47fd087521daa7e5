package command

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Set is all that "/" offers, with what it does. The zero Set offers nothing.
type Set struct {
	slash.Set
	commands []Command // by their places in the slash.Set
}

// NewSet puts the chat's own first: an earlier name wins.
func NewSet(own, given []Command) Set {
	commands := slices.Concat(own, given)
	items := make([]slash.Item, len(commands))
	for i, c := range commands {
		items[i] = slash.Item{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill}
	}
	return Set{Set: slash.NewSet(items), commands: commands}
}

// Named gives the command that name reaches, called what the list calls it.
func (s Set) Named(name string) (Command, bool) {
	item, place, ok := s.Find(name)
	if !ok {
		return Command{}, false
	}
	c := s.commands[place]
	c.Name = item.Name
	return c, true
}
