package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// quitWindow is how long the first Ctrl+C waits for the second.
const quitWindow = 3 * time.Second

type quitTimeoutMsg struct{ armedAt time.Time }

// handleKey routes a key: to what interrupts first, then to what is open, then to the
// composer.
func (m *Model) handleKey(k tea.KeyPressMsg) tea.Cmd {
	anywhere := m.componentKey(widget.ScopeAnywhere, k)
	if anywhere == "ctrl+c" {
		return m.interrupt()
	}
	m.clearQuit()
	if cmd, ok := terminalKey(anywhere); ok {
		return cmd
	}
	if m.listScreen != nil && !m.prompt.Open() {
		return m.listScreenKey(k)
	}
	if m.scrollKey(m.componentKey(widget.ScopeReading, k)) {
		return nil
	}
	switch {
	case m.prompt.Open():
		return m.promptKey(k)
	case m.form != nil && m.componentKey(widget.ScopeForm, k) == "esc":
		return m.cancelForm()
	case m.form != nil:
		return m.formKey(k)
	case m.findBar != nil:
		return m.findBarKey(k)
	case m.historySearch != nil:
		again := m.componentKey(widget.ScopeWriting, k) == "ctrl+r"
		return m.historySearchKey(k, m.componentKey(widget.ScopeCompletion, k), again)
	case m.transcript.Focused():
		if cmd, ok := m.selectionKey(m.componentKey(widget.ScopeSelection, k)); ok {
			return cmd
		}
		if m.focusKey(m.componentKey(widget.ScopeSelection, k)) {
			return nil
		}
	case m.queue.Open() && m.queueKey(m.componentKey(widget.ScopeCompletion, k)),
		m.completions.Open() && m.completionsKey(m.componentKey(widget.ScopeCompletion, k)):
		return nil
	case m.commandList.Open():
		if cmd, ok := m.commandListKey(m.componentKey(widget.ScopeCompletion, k)); ok {
			return cmd
		}
	}
	if cmd, ok := m.composeKey(m.componentKey(widget.ScopeWriting, k)); ok {
		return cmd
	}
	m.transcript.Blur()
	cmd := m.composer.Update(k)
	m.updateCompletion()
	return cmd
}

// componentKey returns the name by which components of the scope know a pressed key.
func (m *Model) componentKey(scope widget.KeyScope, k tea.KeyPressMsg) string {
	return m.keys.ComponentKey(scope, k.String())
}

// interrupt stops a running turn or closes the form; pressed twice, it quits.
func (m *Model) interrupt() tea.Cmd {
	if !m.quitArmed.IsZero() {
		return tea.Quit
	}
	m.stop()
	m.historySearch = nil
	m.queue.Close()
	var closed tea.Cmd
	if m.listScreen != nil {
		m.listScreen.CancelDialog()
	} else if m.form != nil {
		closed = m.cancelForm()
	}
	now := m.cfg.Now()
	m.quitArmed = now
	m.status.Warn("press Ctrl+C again to quit")
	return tea.Batch(closed, tea.Tick(quitWindow, func(time.Time) tea.Msg { return quitTimeoutMsg{now} }))
}

// clearQuit forgets the first Ctrl+C.
func (m *Model) clearQuit() {
	m.quitArmed = time.Time{}
	m.status.Warn("")
}

// promptKey handles a key while an approval is pending.
func (m *Model) promptKey(k tea.KeyPressMsg) tea.Cmd {
	scope := widget.ScopeApproval
	if m.prompt.EditingReason() {
		scope = widget.ScopeWriting // a reason is sent with the same key as a message
	}
	if m.prompt.Press(m.componentKey(scope, k)) {
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
		m.openFindBar()
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

func (m *Model) commandListKey(name string) (tea.Cmd, bool) {
	switch name {
	case "up", "ctrl+p":
		m.commandList.Choose(-1)
	case "down", "ctrl+n":
		m.commandList.Choose(+1)
	case "esc":
		m.commandList.Close()
	case "tab":
		chosen, _ := m.commandList.Current()
		m.completeCommand(chosen)
		return nil, true
	case "enter":
		chosen, exact := m.commandList.Current()
		// A name typed to its end, or one that takes no arguments, leaves
		// nothing to wait for.
		if chosen.Hint == "" || exact {
			return m.submit("/" + chosen.Name), true
		}
		m.completeCommand(chosen)
		return nil, true
	default:
		return nil, false
	}
	m.composer.SetHint(m.hintFor(m.composer.Value()))
	return nil, true
}

func (m *Model) completeCommand(chosen widget.CommandItem) {
	m.composer.Set("/" + chosen.Name + " ")
	m.updateCompletion()
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
		return m.openListScreen(m.cfg.Picker(), ""), true
	case name == "?" && empty:
		return m.showHelp(widget.ScopeWriting), true
	case name == "home" && empty:
		m.transcript.Home()
	case name == "end" && empty:
		m.transcript.Follow()
	case name == "ctrl+r":
		return m.openHistorySearch(), true
	case name == "ctrl+g" && m.cfg.Editor != nil:
		return m.openEditor(), true
	case name == "ctrl+_", name == "ctrl+/", name == "ctrl+shift+-":
		m.undoStep(-1)
	case name == "ctrl+y":
		m.undoStep(+1)
	case name == "tab" && !empty:
		m.expandPaste()
	case name == "tab" || name == "shift+tab":
		if empty {
			m.transcript.FocusNext(-1)
		}
	case name == "up" && empty && m.queue.Len() > 0:
		m.editQueued()
	case name == "up" && m.composer.Recall(-1), name == "down" && m.composer.Recall(+1):
		m.updateCompletion()
		// The arrows go on through the history, not through a list.
		m.closeLists()
	default:
		return nil, false
	}
	return nil, true
}
