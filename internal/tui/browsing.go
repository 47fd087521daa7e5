package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/browsing"
	"github.com/nfa-cli/nfa/internal/tui/layout"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// browse opens a shelf over the transcript, with only what words find.
func (m *Model) browse(s *Shelf, words string) tea.Cmd {
	if s == nil {
		return nil
	}
	m.shelf = browsing.Open(s, browsing.Means{Styles: m.st, Keys: m.keys, FormKeys: m.formKeys, Now: m.cfg.Now}, words)
	m.completion.Close()
	m.transcript.Blur()
	return m.shelf.Stock()
}

// leave closes the shelf, and asks what there is after it.
func (m *Model) leave() tea.Cmd {
	m.shelf = nil
	return m.refresh()
}

// readShelf makes the page in sight beside the screen.
func (m *Model) readShelf() tea.Cmd {
	if m.shelf == nil {
		return nil
	}
	return m.shelf.ReadPage()
}

func (m *Model) shelfKey(k tea.KeyPressMsg) tea.Cmd {
	cmd, closed := m.shelf.Press(k)
	if closed {
		return m.leave()
	}
	return cmd
}

// browsed goes on with what a shelf had done beside the screen.
func (m *Model) browsed(msg browsing.Msg) tea.Cmd {
	deed, cmd := msg.Take(m.shelf)
	if deed.Ended {
		m.lender.TakeBack()
	}
	switch {
	case deed.Loan != nil:
		return tea.Batch(cmd, m.lender.Lend(deed.Loan.Cmd, deed.Loan.Ended))
	case deed.Compose != "":
		m.insert(deed.Compose)
		return m.leave()
	case deed.Resume != nil:
		return tea.Batch(cmd, m.resume(deed.Resume))
	case deed.Late != nil:
		return m.late(deed.Late)
	}
	return cmd
}

// late says what came of an action after its shelf was closed, and asks what there is.
func (m *Model) late(l *browsing.Late) tea.Cmd {
	if l.Err != "" {
		m.transcript.Say(transcript.Error, l.Err)
	} else if l.Said != "" {
		m.transcript.Say(transcript.Info, l.Said)
	}
	return m.refresh()
}

// insert puts text before what is being written.
func (m *Model) insert(text string) {
	text = markdown.Sanitize(text)
	if !m.composer.Empty() && !strings.HasSuffix(text, " ") {
		text += " "
	}
	m.composer.Set(text + m.composer.Value())
	m.typed()
}

// asked are the lines of a turn that waits for an approval, which comes before what the
// user is at on a shelf.
func (m *Model) asked() []string {
	if !m.prompt.Open() {
		return nil
	}
	return m.prompt.View()
}

// layoutShelf gives the shelf the screen, and says what goes on while it is open.
func (m *Model) layoutShelf() {
	meanwhile := ""
	if m.activity.Running() {
		meanwhile = m.activity.Brief()
	}
	m.shelf.Layout(m.inner(), m.height, m.asked(), meanwhile)
}

func (m *Model) shelfRows() []string {
	rows := m.shelf.View(m.asked())
	margin := strings.Repeat(" ", layout.Margin(m.width))
	for i, row := range rows {
		rows[i] = margin + row
	}
	if warning := m.status.Warning(); warning != "" && len(rows) > 0 {
		rows[len(rows)-1] = margin + warning
	}
	return rows
}

// shelfCursor stands where something is being written.
func (m *Model) shelfCursor() *tea.Cursor {
	cursor, lines := m.shelf.Cursor()
	if m.prompt.Open() {
		cursor, lines = m.reasonCursor()
	}
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+layout.Margin(m.width), m.width-1)
	cursor.Y = min(max(m.height-lines+cursor.Y, 0), m.height-1)
	return cursor
}
