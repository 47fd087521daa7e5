package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// SearchItem is something that Ctrl+P finds.
type SearchItem struct {
	widget.SearchEntry
	Send   []string // lines that Enter sends, in order
	Write  string   // what Tab writes into the message, and Enter if there is nothing to send or resume
	Resume func() (*ResumeRequest, error)
}

// searchScreen is the open search.
type searchScreen struct {
	*widget.SearchList
	items []SearchItem
}

// searchItemsMsg carries the items that Config.Search returned.
type searchItemsMsg struct {
	screen *searchScreen
	items  []SearchItem
}

// foundSessionMsg carries the session that was chosen in the search.
type foundSessionMsg struct {
	resume *ResumeRequest
	err    error
}

// openSearch opens the search. Commands and skills are there at once, the rest when it is loaded.
func (m *Model) openSearch() tea.Cmd {
	s := &searchScreen{SearchList: widget.NewSearchList(m.st, m.chat.Keys)}
	m.search = s
	m.input.closeLists()
	m.transcript.Blur()
	s.setItems(m.chat, m.input.composer.History.Latest(recentSearches), nil)
	load := m.chat.Search
	return func() tea.Msg { return searchItemsMsg{s, load()} }
}

// recentSearches is the number of sent messages that an empty search shows.
const recentSearches = 5

// setItems joins the items: what was used last and the questions of the start page come first.
func (s *searchScreen) setItems(chat *Chat, recent []string, loaded []SearchItem) {
	s.items = nil
	for _, text := range recent {
		kind := "question"
		if _, _, ok := widget.ParseCommand(text); ok {
			kind = "command"
		}
		s.items = append(s.items, SearchItem{SearchEntry: widget.SearchEntry{Label: text, About: "used before", Kind: kind}, Send: []string{text}, Write: text})
	}
	if chat.StartPage != nil {
		for _, row := range chat.StartPage().Rows {
			text := row.Message()
			s.items = append(s.items, SearchItem{SearchEntry: widget.SearchEntry{Label: row.Text, About: "start page", Kind: "question"}, Send: []string{text}, Write: text})
		}
	}
	start := len(s.items)
	s.items = append(s.items, commandSearchItems(chat.Commands.Items())...)
	s.items = append(s.items, loaded...)
	entries := make([]widget.SearchEntry, len(s.items))
	for i, item := range s.items {
		entries[i] = item.SearchEntry
	}
	s.SetEntries(entries, start)
}

// commandSearchItems returns the commands, the themes, then the skills. A command that needs an argument is only
// written.
func commandSearchItems(commands []widget.CommandItem) []SearchItem {
	var items, skills []SearchItem
	ordered := slices.SortedStableFunc(slices.Values(commands), func(a, b widget.CommandItem) int { return cmp.Compare(a.Order, b.Order) })
	for _, c := range ordered {
		item := SearchItem{SearchEntry: widget.SearchEntry{Label: "/" + c.Name, About: c.About, Kind: "command", Terms: c.DisplayName, Fuzzy: true}, Write: "/" + c.Name + " "}
		if c.Hint == "" || strings.HasPrefix(c.Hint, "[") {
			item.Send = []string{"/" + c.Name}
		}
		if c.Skill {
			item.Kind = "skill"
			skills = append(skills, item)
			continue
		}
		items = append(items, item)
	}
	for _, name := range themeNames() {
		line := "/theme " + name
		items = append(items, SearchItem{SearchEntry: widget.SearchEntry{Label: line, About: "colors of this chat", Kind: "setting"}, Send: []string{line}, Write: line})
	}
	return append(items, skills...)
}

// applySearchItems adds the loaded items, unless the search was closed.
func (m *Model) applySearchItems(msg searchItemsMsg) {
	if m.search == msg.screen && m.search != nil {
		m.search.setItems(m.chat, m.input.composer.History.Latest(recentSearches), msg.items)
	}
}

// pressSearchScreen handles a key while the search is open.
func (m *Model) pressSearchScreen(k tea.KeyPressMsg) tea.Cmd {
	s := m.search
	cmd, reply := s.Press(k)
	if reply == widget.SearchReplyHandled {
		return cmd
	}
	m.search = nil
	at, ok := s.Chosen()
	if reply == widget.SearchReplyClosed || !ok {
		return nil
	}
	item := s.items[at]
	switch {
	case reply == widget.SearchReplyWrite || item.Resume == nil && len(item.Send) == 0:
		m.input.insert(item.Write)
		m.input.closeLists()
		return nil
	case item.Resume != nil:
		return func() tea.Msg {
			r, err := item.Resume()
			return foundSessionMsg{r, err}
		}
	}
	var cmds []tea.Cmd
	for _, line := range item.Send {
		cmds = append(cmds, m.input.remember(m.ctx, line), m.send(m.chat.Parse(line)))
	}
	m.transcript.Follow()
	return tea.Batch(cmds...)
}

// enterFoundSession continues with a session that was chosen in the search.
func (m *Model) enterFoundSession(msg foundSessionMsg) {
	switch {
	case msg.err != nil:
		m.transcript.Say(transcript.Error, msg.err.Error())
	case !m.enterSession(msg.resume):
		m.status.Warning = stillAnsweringText
	}
}

// searchRows returns the rows of the search screen with its cursor.
func (m *Model) searchRows() ([]string, *tea.Cursor) {
	rows := m.search.View(m.measure(), m.height)
	margin := strings.Repeat(" ", widget.ScreenMargin(m.width))
	for i, row := range rows {
		rows[i] = margin + row
	}
	cursor := m.search.Cursor()
	if cursor != nil {
		cursor.X += widget.ScreenMargin(m.width)
	}
	return rows, cursor
}
