package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

// CommandItem is a command or a skill that can be typed after the slash.
type CommandItem struct {
	Name        string
	DisplayName string // not shown, but also found
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Skill       bool
	Hidden      bool // found by its name only
	Order       int  // position among equally good matches

	index int // index in the list that the CommandIndex was made of
}

// group returns the heading in the list.
func (i CommandItem) group() string {
	if i.Skill {
		return "Skills"
	}
	return "Commands"
}

// skillPrefix selects a skill that has the same name as a command.
const skillPrefix = "skill:"

// CommandIndex holds the commands and skills that "/" offers. The zero CommandIndex offers
// nothing.
type CommandIndex struct {
	sorted []CommandItem
	byName map[string]CommandItem
}

// NewCommandIndex returns the index of items. Among equal names the first command wins, or else the
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

// CommandMatches are the items for a typed text: the commands, then the skills, each with the best
// match first.
type CommandMatches struct {
	Items  []CommandItem
	Best   int  // index of the best match
	Named  bool // the name or the title of the best match matched, not only its description
	Prefix bool // its name starts with the text
}

// Match returns the items for the text typed after the slash. Among equally good matches, those in recent
// come first, the latest of them at the start.
func (s CommandIndex) Match(typed string, recent []string) CommandMatches {
	typed = strings.ToLower(typed)
	type ranked struct {
		CommandItem
		rank, recent int
	}
	var found []ranked
	for _, i := range s.sorted {
		name, title := strings.ToLower(i.Name), strings.ToLower(i.DisplayName)
		rank := min(nameRank(name, typed), nameRank(strings.TrimPrefix(name, skillPrefix), typed))
		if title != "" {
			rank = min(rank, max(nameRank(title, typed), rankWords))
		}
		if rank = min(rank, textRank(strings.ToLower(i.About), typed)); rank == rankNoMatch {
			continue
		}
		used := slices.Index(recent, i.Name)
		if used < 0 {
			used = len(recent)
		}
		found = append(found, ranked{i, rank, used})
	}
	slices.SortStableFunc(found, func(a, b ranked) int {
		skills := 0
		switch {
		case a.Skill != b.Skill && a.Skill:
			skills = 1
		case a.Skill != b.Skill:
			skills = -1
		}
		return cmp.Or(skills, cmp.Compare(a.rank, b.rank), cmp.Compare(a.recent, b.recent), cmp.Compare(a.Order, b.Order))
	})
	var m CommandMatches
	for i, f := range found {
		m.Items = append(m.Items, f.CommandItem)
		if f.rank < found[m.Best].rank {
			m.Best = i
		}
	}
	if len(found) > 0 {
		m.Named, m.Prefix = found[m.Best].rank < rankAbout, found[m.Best].rank <= rankPrefix
	}
	return m
}

// Similar returns the item whose name is most like a misspelled one; ok is false if none is.
func (s CommandIndex) Similar(name string) (similar CommandItem, ok bool) {
	name = strings.ToLower(name)
	limit := max(1, utf8.RuneCountInString(name)/3)
	for _, i := range s.sorted {
		if d := usage.Distance(name, strings.ToLower(i.Name), limit); d <= limit && (!ok || d < limit) {
			similar, ok, limit = i, true, d
		}
	}
	if ok {
		return similar, true
	}
	if m := s.Match(name, nil); m.Named {
		return m.Items[m.Best], true
	}
	return CommandItem{}, false
}

// ParseCommand splits "/name args". A path such as /etc/hosts is not a command.
func ParseCommand(text string) (name, args string, ok bool) {
	name, ok = strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	if cut := strings.IndexAny(name, " \t\n"); cut >= 0 {
		name, args = name[:cut], strings.TrimSpace(name[cut:])
	}
	if strings.Contains(name, "/") {
		return "", "", false
	}
	return name, args, true
}

// CommandList is the list above the composer while a command name is being typed. Create it with
// NewCommandList; it is not safe for concurrent use.
type CommandList struct {
	*Menu
	keys  KeyMap
	index CommandIndex
	// recent returns the names of the commands that were sent, latest first.
	recent func() []string

	typed    string // the text that the items match
	closedAt string // the text at which the list was closed; another text opens it again
	matches  CommandMatches
}

// NewCommandList returns a closed list of the items of set.
func NewCommandList(st *Styles, keys KeyMap, set CommandIndex, recent func() []string) *CommandList {
	menu := NewMenu(st, "")
	menu.Steady = true
	return &CommandList{Menu: menu, keys: keys, index: set, recent: recent}
}

// SetIndex replaces the index. The list shows it after the next change of the text.
func (l *CommandList) SetIndex(set CommandIndex) { l.index = set }

// Follow updates the list for the text of the composer.
func (l *CommandList) Follow(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		l.typed, l.closedAt = "", ""
		l.offer(CommandMatches{})
	case text == l.closedAt:
		l.offer(CommandMatches{})
	case l.matches.Items == nil || rest != l.typed:
		l.closedAt, l.typed = "", rest
		l.offer(l.index.Match(rest, l.recent()))
	}
}

func (l *CommandList) offer(m CommandMatches) {
	l.matches = m
	rows := make([]MenuRow, len(m.Items))
	for i, item := range m.Items {
		rows[i] = MenuRow{Label: "/" + markdown.SanitizeLine(item.Name), Hint: item.Hint, About: item.About, Group: item.group()}
	}
	l.SetRows(rows)
	l.Choose(m.Best)
}

// Close hides the list until the text changes.
func (l *CommandList) Close() {
	if l.Open() {
		l.closedAt = "/" + l.typed
		l.offer(CommandMatches{})
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
		// Run a complete name, or a command without arguments, at once. A description that happens to
		// match must not run anything.
		switch chosen := l.Current(); {
		case chosen.Name == l.typed:
			return CommandReplyRun
		case !l.matches.Named && l.Chosen() == l.matches.Best:
			l.Close()
			return CommandReplyIgnored
		case chosen.Hint == "", !chosen.Skill && strings.HasPrefix(chosen.Hint, "["): // nothing is required
			return CommandReplyRun
		}
		return CommandReplyWrite
	default:
		return CommandReplyIgnored
	}
	return CommandReplyHandled
}

// Current returns the highlighted item of an open list.
func (l *CommandList) Current() CommandItem { return l.matches.Items[l.Chosen()] }
