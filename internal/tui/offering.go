package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/offer"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Symbol is something that "$" offers.
type Symbol = offer.Symbol

// foundMsg brings what the word at the cursor may become.
type foundMsg struct{ offer.Found }

// newOffers makes the list of what a word may become.
func (m *Model) newOffers() *offer.Offers {
	return offer.New(m.st, offer.Sources{Files: m.cfg.Files, Symbols: m.cfg.Symbols, Now: m.cfg.Now, Words: func(command string) offer.Words {
		c, _ := m.commands.Named(command)
		return c.Words
	}})
}

// typed follows the composer's text with the completion and the hint.
func (m *Model) typed() {
	text := m.composer.Value()
	m.completion.Follow(text)
	m.offers.Follow(m.composer.Before(), m.completion.Open())
	m.composer.SetHint(m.hintFor(text))
}

// closeLists takes down what is offered over the line.
func (m *Model) closeLists() {
	m.completion.Close()
	m.offers.Close()
	m.queue.Close()
}

// hintFor is what may follow the command in text: that of the highlighted item
// while the list is open, or of a command that waits for its arguments.
func (m *Model) hintFor(text string) string {
	if m.completion.Open() {
		chosen, _ := m.completion.Current()
		return chosen.Hint
	}
	name, args, ok := slash.Parse(text)
	if !ok || args != "" {
		return ""
	}
	item, _, _ := m.commands.Find(name)
	return item.Hint
}

// lookUp asks beside the screen for what the word wants and is not known.
func (m *Model) lookUp() tea.Cmd {
	job, wanted := m.offers.Wanted()
	if !wanted {
		return nil
	}
	return func() tea.Msg { return foundMsg{job.Do()} }
}

// offerKey handles a key, by its name in a list, while something is offered.
func (m *Model) offerKey(name string) bool {
	taken, ok := m.offers.Press(name)
	if taken.Text != "" {
		m.composer.Replace(taken.Letters, taken.Text)
		m.typed()
	}
	return ok
}
