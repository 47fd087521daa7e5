package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// armedFor is how long the first Ctrl+C waits for the second.
const armedFor = 3 * time.Second

type disarmMsg struct{ armed time.Time }

// key routes a key: to what interrupts first, then to what is open, then to the
// composer.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	anywhere := m.known(keymap.Anywhere, k)
	if anywhere == "ctrl+c" {
		return m.interrupt()
	}
	m.disarm()
	if cmd, ok := terminalKey(anywhere); ok {
		return cmd
	}
	if m.shelf != nil && !m.prompt.Open() {
		return m.shelfKey(k)
	}
	if m.scrollKey(m.known(keymap.Reading, k)) {
		return nil
	}
	switch {
	case m.prompt.Open():
		return m.promptKey(k)
	case m.form != nil && m.known(keymap.Form, k) == "esc":
		return m.cancelForm()
	case m.form != nil:
		return m.formKey(k)
	case m.finding != nil:
		return m.findKey(k)
	case m.search != nil:
		again := m.known(keymap.Writing, k) == "ctrl+r"
		return m.searchKey(k, m.known(keymap.Listed, k), again)
	case m.transcript.Focused():
		if cmd, ok := m.chosenKey(m.known(keymap.Chosen, k)); ok {
			return cmd
		}
		if m.focusKey(m.known(keymap.Chosen, k)) {
			return nil
		}
	case m.queue.Open() && m.queueKey(m.known(keymap.Listed, k)),
		m.offers.Open() && m.offerKey(m.known(keymap.Listed, k)):
		return nil
	case m.completion.Open():
		if cmd, ok := m.completionKey(m.known(keymap.Listed, k)); ok {
			return cmd
		}
	}
	if cmd, ok := m.composeKey(m.known(keymap.Writing, k)); ok {
		return cmd
	}
	m.transcript.Blur()
	cmd := m.composer.Update(k)
	m.typed()
	return cmd
}

// known is the name that components of the scope have for a pressed key.
func (m *Model) known(scope keymap.Scope, k tea.KeyPressMsg) string {
	return m.keys.Known(scope, k.String())
}

// interrupt stops a running turn or closes the form; pressed twice, it leaves.
func (m *Model) interrupt() tea.Cmd {
	if !m.quitArmed.IsZero() {
		return tea.Quit
	}
	m.stop()
	m.search = nil
	m.queue.Close()
	var closed tea.Cmd
	if m.shelf != nil {
		m.shelf.Cancel()
	} else if m.form != nil {
		closed = m.cancelForm()
	}
	now := m.cfg.Now()
	m.quitArmed = now
	m.status.Warn("press Ctrl+C again to quit")
	return tea.Batch(closed, tea.Tick(armedFor, func(time.Time) tea.Msg { return disarmMsg{now} }))
}

// disarm forgets the first Ctrl+C.
func (m *Model) disarm() {
	m.quitArmed = time.Time{}
	m.status.Warn("")
}

// promptKey handles a key while a question is open.
func (m *Model) promptKey(k tea.KeyPressMsg) tea.Cmd {
	scope := keymap.Asked
	if m.prompt.Explaining() {
		scope = keymap.Writing // whatever refuses, a reason is sent as a message is
	}
	if m.prompt.Press(m.known(scope, k)) {
		return m.reason.Update(k)
	}
	return nil
}

// terminalKey handles the keys that are about the terminal, whatever is open.
func terminalKey(name string) (tea.Cmd, bool) {
	switch name {
	case "ctrl+z":
		return tea.Suspend, true
	case "ctrl+l":
		return tea.ClearScreen, true
	default:
		return nil, false
	}
}

// scrollKey handles the keys that work on the transcript, whatever is below it.
func (m *Model) scrollKey(name string) bool {
	switch name {
	case "ctrl+o":
		m.transcript.ToggleAll()
	case "pgup":
		m.transcript.Page(-1)
	case "pgdown":
		m.transcript.Page(+1)
	case "ctrl+up":
		m.transcript.Scroll(-1)
	case "ctrl+down":
		m.transcript.Scroll(+1)
	case "ctrl+home":
		m.transcript.Home()
	case "ctrl+end":
		m.transcript.Follow()
	case "ctrl+f":
		m.find()
	default:
		return false
	}
	return true
}

// focusKey handles a key while a card has the focus. Any other key gives the
// focus back to the composer, where it is typed.
func (m *Model) focusKey(name string) bool {
	switch name {
	case "enter", "space":
		m.transcript.ToggleFocused()
	case "tab", "up":
		m.transcript.FocusNext(-1)
	case "shift+tab", "down":
		m.transcript.FocusNext(+1)
	case "left":
		m.transcript.Pan(-1)
	case "right":
		m.transcript.Pan(+1)
	case "esc":
		m.transcript.Blur()
	default:
		m.transcript.Blur()
		return false
	}
	return true
}

func (m *Model) completionKey(name string) (tea.Cmd, bool) {
	switch name {
	case "up", "ctrl+p":
		m.completion.Choose(-1)
	case "down", "ctrl+n":
		m.completion.Choose(+1)
	case "esc":
		m.completion.Close()
	case "tab":
		chosen, _ := m.completion.Current()
		m.complete(chosen)
		return nil, true
	case "enter":
		chosen, exact := m.completion.Current()
		// A name typed to its end, or one that takes no arguments, leaves
		// nothing to wait for.
		if chosen.Hint == "" || exact {
			return m.submit("/" + chosen.Name), true
		}
		m.complete(chosen)
		return nil, true
	default:
		return nil, false
	}
	m.composer.SetHint(m.hintFor(m.composer.Value()))
	return nil, true
}

func (m *Model) complete(chosen slash.Item) {
	m.composer.Set("/" + chosen.Name + " ")
	m.typed()
}

// composeKey handles the keys that mean something else in an empty composer, or
// never reach it.
func (m *Model) composeKey(name string) (tea.Cmd, bool) {
	empty := m.composer.Empty()
	switch {
	case name == "enter":
		if m.composer.BreakLine() {
			return nil, true
		}
		return m.submit(m.composer.Value()), true
	case name == "esc":
		m.stop()
	case name == "ctrl+d" && empty:
		return tea.Quit, true
	case name == "ctrl+p" && m.cfg.Picker != nil:
		return m.browse(m.cfg.Picker(), ""), true
	case name == "?" && empty:
		return m.showHelp(keymap.Writing), true
	case name == "home" && empty:
		m.transcript.Home()
	case name == "end" && empty:
		m.transcript.Follow()
	case name == "ctrl+r":
		return m.searchMemory(), true
	case name == "ctrl+g" && m.cfg.Editor != nil:
		return m.edit(), true
	case name == "ctrl+_", name == "ctrl+/", name == "ctrl+shift+-":
		m.revert(-1)
	case name == "ctrl+y":
		m.revert(+1)
	case name == "tab" && !empty:
		m.unfold()
	case name == "tab" || name == "shift+tab":
		if empty {
			m.transcript.FocusNext(-1)
		}
	case name == "up" && empty && m.queue.Len() > 0:
		m.chooseQueued()
	case name == "up" && m.composer.Recall(-1), name == "down" && m.composer.Recall(+1):
		m.typed()
		// The arrows go on through the history, not through a list.
		m.closeLists()
	default:
		return nil, false
	}
	return nil, true
}
