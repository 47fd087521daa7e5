package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// SettingItem is a setting that the help lists.
type SettingItem struct {
	Key, Value, About string
	Change            string // the command that changes it
}

// showHelp opens the help over the transcript.
func (m *Model) showHelp(here widget.KeyScope) tea.Cmd {
	subject := HelpSubject{Scope: here, Keys: m.chat.Keys, Commands: m.chat.Commands.Items(), Settings: m.chat.Settings}
	if m.chat.Search == nil {
		subject.HiddenKeys = []string{"pick"}
	}
	return m.openListScreen(HelpScreen(subject), "")
}

// HelpSubject is the content of a help screen.
type HelpSubject struct {
	Scope      widget.KeyScope // where the user is
	Keys       widget.KeyMap
	Commands   []widget.CommandItem
	Settings   func() []SettingItem // may be slow; nil means none
	HiddenKeys []string             // names of bindings that do nothing in this chat
}

// HelpScreen returns the help for a subject: one page of the most important keys and commands. Typing
// searches all keys, commands, skills and settings.
func HelpScreen(s HelpSubject) *ListScreen {
	return &ListScreen{
		Title:    "Help",
		Overview: s.overview,
		Items: func() []ListItem {
			return slices.Concat(s.keyItems(), commandItems(s.Commands), settingItems(s.settings()))
		},
		Read: func(name string) (string, error) {
			if text, ok := commandHelp(s.Commands, name); ok {
				return text, nil
			}
			if text, ok := settingHelp(s.settings(), name); ok {
				return text, nil
			}
			return s.keyPage(name), nil
		},
		Actions: []ListAction{{
			Action: "screen-enter", Name: "write", About: "write the command",
			AppliesTo: func(i ListItem) bool { return strings.HasPrefix(i.Name, "/") },
			Run: func(name string) (ActionResult, error) {
				return ActionResult{Compose: name + " "}, nil
			},
		}},
	}
}

func (s HelpSubject) settings() []SettingItem {
	if s.Settings == nil {
		return nil
	}
	return s.Settings()
}

// helpRow is a row of the overview. Rows of a higher rank are dropped first if there is not enough space.
type helpRow struct {
	label, text string
	rank        int
}

// Sizes of the overview.
const (
	helpColumns  = 76 // minimum width for two columns
	helpKeyWidth = 12
	helpLeft     = 43 // width of the left column
)

// overview draws the page of the most important keys and commands.
func (s HelpSubject) overview(st *widget.Styles, width, height int) []string {
	end := []helpRow{{text: "More: type to search"}, {text: s.Keys.Hints("", "", widget.ActionHint{Action: "screen-back", Text: "close"})}}
	if width < helpColumns {
		return drawHelpRows(st, dropHelpRows(slices.Concat(s.helpKeys(), s.helpCommands(), end), height), width)
	}
	left := drawHelpRows(st, dropHelpRows(s.helpKeys(), height-1), helpLeft)
	right := drawHelpRows(st, dropHelpRows(s.helpCommands(), height-1-len(end)), width-helpLeft)
	if len(right) < height-1-len(end) {
		right = append(right, "")
	}
	right = append(right, drawHelpRows(st, end, width-helpLeft)...)
	rows := []string{widget.PadRight(st.Strong.Apply("Keys"), helpLeft) + st.Strong.Apply("Commands")}
	for i := range max(len(left), len(right)) {
		row := ""
		if i < len(left) {
			row = left[i]
		}
		if i < len(right) && right[i] != "" {
			row = widget.PadRight(row, helpLeft) + right[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// helpKeys returns the rows of the most important keys.
func (s HelpSubject) helpKeys() []helpRow {
	pages := strings.Trim(s.Keys.Label("page-up")+"/"+strings.TrimPrefix(s.Keys.Label("page-down"), "Pg"), "/")
	scroll := "scroll"
	if end := s.Keys.Label("line-end"); end != "" {
		scroll += "; " + end + " follows"
	}
	rows := []helpRow{
		{s.Keys.Label("send"), "send (queued while answering)", 1},
		{s.Keys.Label("new-line"), "new line", 4},
		{s.Keys.Label("stop"), "stop", 1},
		{s.Keys.Label("interrupt"), "stop; twice to quit", 2},
		{"/  $  @", "command, symbol, file", 1},
		{s.Keys.Label("older"), "previous message", 3},
		{s.Keys.Label("recall"), "search messages", 7},
		{s.Keys.Label("editor"), "edit in $EDITOR", 9},
		{s.Keys.Label("choose"), "select a message or card", 3},
		{s.Keys.Label("open-all"), "expand or collapse all cards", 8},
		{s.Keys.Label("search"), "find in this session", 6},
		{pages, scroll, 5},
	}
	return slices.DeleteFunc(rows, func(r helpRow) bool { return r.label == "" })
}

// helpCommands returns the rows of the most important commands that this chat has.
func (s HelpSubject) helpCommands() []helpRow {
	var rows []helpRow
	for _, r := range []helpRow{
		{"portfolio", "your positions", 1},
		{"compare", "compare symbols", 6},
		{"chart", "price chart", 2},
		{"watchlist", "watched symbols", 7},
		{"why", "source of a figure", 2},
		{"sessions", "saved sessions", 4},
		{"model", "choose a model", 3},
		{"setup", "settings and keys", 1},
	} {
		if slices.ContainsFunc(s.Commands, func(c widget.CommandItem) bool { return c.Name == r.label && !c.Skill }) {
			r.label = "/" + r.label
			rows = append(rows, r)
		}
	}
	return rows
}

// dropHelpRows drops the rows of the highest ranks until height are left.
func dropHelpRows(rows []helpRow, height int) []helpRow {
	for len(rows) > max(height, 0) {
		highest := slices.MaxFunc(rows, func(a, b helpRow) int { return cmp.Compare(a.rank, b.rank) })
		at := slices.Index(rows, highest)
		rows = slices.Delete(rows, at, at+1)
	}
	return rows
}

func drawHelpRows(st *widget.Styles, rows []helpRow, width int) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		row := r.text
		if r.label != "" {
			row = widget.PadRight(st.Accent.Apply(widget.FitLine(r.label, helpKeyWidth-1)), helpKeyWidth) + r.text
		}
		out[i] = widget.FitLine(row, width-1)
	}
	return out
}

// commandItems returns the list items of the commands. The filter also searches their descriptions,
// which are on their pages.
func commandItems(commands []widget.CommandItem) []ListItem {
	items := make([]ListItem, len(commands))
	for i, c := range commands {
		items[i] = ListItem{Name: "/" + c.Name, Group: "Commands", FullText: "/" + c.Name + ": " + c.About, SearchTerms: c.About + " " + c.Hint}
		if c.Skill {
			items[i].Group = "Skills"
		}
	}
	return items
}

func commandHelp(commands []widget.CommandItem, name string) (string, bool) {
	at := slices.IndexFunc(commands, func(c widget.CommandItem) bool { return "/"+c.Name == name })
	if at < 0 {
		return "", false
	}
	c := commands[at]
	usage := strings.TrimSpace("/" + c.Name + " " + c.Hint)
	return fmt.Sprintf("%s\n\n%s\n", inlineCode(usage), markdown.SanitizeLine(c.About)), true
}

// settingPrefix starts the names of the items of settings, because a key binding may have the same name.
const settingPrefix = "setting "

// settingItems returns the list items of the settings. The filter also searches their descriptions,
// which are on their pages.
func settingItems(settings []SettingItem) []ListItem {
	items := make([]ListItem, len(settings))
	for i, s := range settings {
		items[i] = ListItem{Name: settingPrefix + s.Key, Title: s.Key, Group: "Settings", FullText: s.Key + ": " + s.About, SearchTerms: s.About}
	}
	return items
}

func settingHelp(settings []SettingItem, name string) (string, bool) {
	at := slices.IndexFunc(settings, func(s SettingItem) bool { return settingPrefix+s.Key == name })
	if at < 0 {
		return "", false
	}
	s := settings[at]
	page := widget.EscapeMarkdown(s.About) + "\n"
	if s.Value != "" {
		page += "\nCurrent value: " + inlineCode(s.Value) + "\n"
	}
	return page + "\nTo change it:\n\n```sh\n" + markdown.SanitizeLine(s.Change) + "\n```\n", true
}

// inlineCode formats outside text as code in a line of Markdown.
func inlineCode(text string) string {
	return "`" + strings.ReplaceAll(markdown.SanitizeLine(text), "`", "'") + "`"
}

// scopesFrom returns all scopes: first here, then the scopes whose keys also work there.
func scopesFrom(here widget.KeyScope) []widget.KeyScope {
	first := []widget.KeyScope{here, widget.ScopeReading, widget.ScopeAnywhere}
	return append(first, slices.DeleteFunc(widget.KeyScopes(), func(s widget.KeyScope) bool { return slices.Contains(first, s) })...)
}

// keyItems returns the list items of the key bindings, grouped by scope.
func (s HelpSubject) keyItems() []ListItem {
	var items []ListItem
	for _, scope := range scopesFrom(s.Scope) {
		for _, b := range s.Keys.Bindings(scope) {
			if slices.Contains(s.HiddenKeys, b.Name) {
				continue
			}
			title := cmp.Or(b.Labels(), "no key")
			items = append(items, ListItem{
				Name: b.Name, Title: title, Group: string(scope), About: b.About, SearchTerms: b.Labels(),
				FullText: cmp.Or(s.Keys.Label(b.Name), title) + ": " + b.About,
			})
		}
	}
	return items
}

// keyPage returns how to change a binding, and all keys of its scope.
func (s HelpSubject) keyPage(name string) string {
	b, ok := s.Keys.Find(name)
	if !ok {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "To change its keys, edit your settings file:\n\n```yaml\nkeys:\n  %s: %s\n```\n\n### %s\n\n", name, configKeys(b), b.Scope)
	for _, other := range s.Keys.Bindings(b.Scope) {
		fmt.Fprintf(&out, "- **%s**: %s\n", cmp.Or(other.Labels(), "no key"), strings.ReplaceAll(other.About, `\`, `\\`))
	}
	return out.String()
}

// configKeys returns a binding's keys in the syntax of the settings file.
func configKeys(b widget.KeyBinding) string {
	quoted := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		quoted[i] = fmt.Sprintf("%q", key)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
