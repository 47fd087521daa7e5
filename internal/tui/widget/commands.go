package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// CommandItem is a command or a skill that can be typed after the slash.
type CommandItem struct {
	Name        string
	DisplayName string // not shown, but also found
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Skill       bool
	Hidden      bool // found by its name only

	index int // index in the list that the CommandIndex was made of
}

// kind returns the word shown at the right.
func (i CommandItem) kind() string {
	if i.Skill {
		return "skill"
	}
	return "command"
}

// skillPrefix selects a skill that has the same name as a command.
const skillPrefix = "skill:"

// CommandIndex holds the commands and skills that "/" offers. The zero CommandIndex offers
// nothing.
type CommandIndex struct {
	sorted []CommandItem
	byName map[string]CommandItem
}

// NewCommandIndex returns the index of items. Of equal names the first command wins, or else the
// first skill, and hidden items only if no other has the name. The prefix "skill:" selects a skill whose
// name is taken.
func NewCommandIndex(items []CommandItem) CommandIndex {
	set := CommandIndex{byName: map[string]CommandItem{}}
	for _, pass := range []struct{ skill, hidden bool }{{}, {skill: true}, {hidden: true}} {
		for place, i := range items {
			if i.Skill == pass.skill && i.Hidden == pass.hidden {
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
	if !i.Hidden {
		s.sorted = append(s.sorted, i)
	}
}

// Items returns all commands and skills in alphabetical order.
func (s CommandIndex) Items() []CommandItem { return s.sorted }

// Find returns the item with this name, and its index in the list that the CommandIndex was made
// of.
func (s CommandIndex) Find(name string) (item CommandItem, place int, ok bool) {
	item, ok = s.byName[name]
	return item, item.index, ok
}

// Match returns the items for the text typed after the slash: the exact name, then names that start
// with it, then names and display names that contain it, each in alphabetical order.
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

// ParseCommand splits "/name args". A path such as /etc/hosts is a name that no command has.
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

// CommandList is the list above the composer while a command name is being typed. Create it with
// NewCommandList; it is not safe for concurrent use.
type CommandList struct {
	*Menu
	keys  KeyMap
	index CommandIndex

	typed    string // the text that the items match
	closedAt string // the text at which the list was closed; another text opens it again
	items    []CommandItem
}

// NewCommandList returns a closed list of the items of set.
func NewCommandList(st *Styles, keys KeyMap, set CommandIndex) *CommandList {
	return &CommandList{Menu: NewMenu(st, ""), keys: keys, index: set}
}

// SetIndex replaces the index. The list shows it after the next change of the text.
func (l *CommandList) SetIndex(set CommandIndex) { l.index = set }

// Follow updates the list for the text of the composer.
func (l *CommandList) Follow(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		l.typed, l.closedAt = "", ""
		l.offer(nil)
	case text == l.closedAt:
		l.offer(nil)
	case l.items == nil || rest != l.typed:
		l.closedAt, l.typed = "", rest
		l.offer(l.index.Match(rest))
	}
}

func (l *CommandList) offer(items []CommandItem) {
	l.items = items
	rows := make([]MenuRow, len(items))
	for i, item := range items {
		rows[i] = MenuRow{Label: "/" + markdown.SanitizeLine(item.Name), About: item.About, Kind: item.kind()}
	}
	l.SetRows(rows)
}

// Close hides the list until the text changes.
func (l *CommandList) Close() {
	if l.Open() {
		l.closedAt = "/" + l.typed
		l.offer(nil)
	}
}

// CommandReply is the effect of a key on a CommandList.
type CommandReply int

// Replies.
const (
	CommandReplyIgnored CommandReply = iota
	CommandReplyHandled
	CommandReplyWrite // insert the current item
	CommandReplyRun   // run the current item
)

// Press handles a key while the list is open.
func (l *CommandList) Press(k tea.KeyPressMsg) CommandReply {
	switch action := l.keys.Action(ScopeCompletion, k); action {
	case "list-up", "list-down":
		l.step(action)
	case "list-close":
		l.Close()
	case "list-take":
		return CommandReplyWrite
	case "list-run":
		// Run a complete name, or a command without arguments, at once.
		if chosen := l.Current(); chosen.Hint == "" || chosen.Name == l.typed {
			return CommandReplyRun
		}
		return CommandReplyWrite
	default:
		return CommandReplyIgnored
	}
	return CommandReplyHandled
}

// Current returns the highlighted item of an open list.
func (l *CommandList) Current() CommandItem { return l.items[l.Chosen()] }
