package tui

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// CommandSet holds the commands and skills that "/" offers, with their functions. The zero
// CommandSet offers nothing.
type CommandSet struct {
	widget.CommandIndex
	commands []Command // by their places in the widget.CommandIndex
}

// NewCommandSet returns the set of own and added. The chat's own commands come first, and an
// earlier name wins.
func NewCommandSet(own, added []Command) CommandSet {
	commands := slices.Concat(own, added)
	items := make([]widget.CommandItem, len(commands))
	for i, c := range commands {
		items[i] = widget.CommandItem{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill}
	}
	return CommandSet{CommandIndex: widget.NewCommandIndex(items), commands: commands}
}

// Lookup returns the command that name selects, with the name shown in the list.
func (s CommandSet) Lookup(name string) (Command, bool) {
	item, place, ok := s.Find(name)
	if !ok {
		return Command{}, false
	}
	c := s.commands[place]
	c.Name = item.Name
	return c, true
}
