package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// SymbolSuggestion is something that "$" offers.
type SymbolSuggestion = widget.SymbolSuggestion

// completionsMsg carries the completions of the word at the cursor.
type completionsMsg struct{ widget.LookupResult }

// newCompletions returns the list of completions.
func (m *Model) newCompletions() *widget.Completions {
	return widget.NewCompletions(m.st, widget.CompletionSources{Files: m.cfg.Files, Symbols: m.cfg.Symbols, Now: m.cfg.Now, CompleteArgs: func(command string) widget.ArgumentCompleter {
		c, _ := m.commands.Lookup(command)
		return c.CompleteArgs
	}})
}

// updateCompletion updates the completion list and the argument hint after a change of the
// composer's text.
func (m *Model) updateCompletion() {
	text := m.composer.Value()
	m.commandList.Follow(text)
	m.completions.Follow(m.composer.TextBeforeCursor(), m.commandList.Open())
	m.composer.SetHint(m.hintFor(text))
}

// closeLists closes the lists above the composer.
func (m *Model) closeLists() {
	m.commandList.Close()
	m.completions.Close()
	m.queue.Close()
}

// hintFor is what may follow the command in text: that of the highlighted item
// while the list is open, or of a command that waits for its arguments.
func (m *Model) hintFor(text string) string {
	if m.commandList.Open() {
		chosen, _ := m.commandList.Current()
		return chosen.Hint
	}
	name, args, ok := widget.ParseCommand(text)
	if !ok || args != "" {
		return ""
	}
	item, _, _ := m.commands.Find(name)
	return item.Hint
}

// lookUpCompletions returns the command that looks up unknown completions of the word at the
// cursor.
func (m *Model) lookUpCompletions() tea.Cmd {
	job, pending := m.completions.NextLookup()
	if !pending {
		return nil
	}
	return func() tea.Msg { return completionsMsg{job.Do()} }
}

// completionsKey handles a key, by its name in a list, while something is offered.
func (m *Model) completionsKey(name string) bool {
	replacement, ok := m.completions.Press(name)
	if replacement.Text != "" {
		m.composer.Replace(replacement.Letters, replacement.Text)
		m.updateCompletion()
	}
	return ok
}
