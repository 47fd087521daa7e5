package tui

import (
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/crash"
)

// CrashMsg reports a panic in another goroutine. It ends the chat like a panic in the update loop.
type CrashMsg struct{ Site *crash.Site }

// crashGuard wraps the model and recovers its panics. Bubble Tea would kill the program and print the
// stack over the screen; crashGuard quits normally, and Run returns the panic.
type crashGuard struct {
	model   tea.Model
	onDrawn func() // called after each view; nil in tests

	mu     sync.Mutex
	caught *crash.Site
}

func (g *crashGuard) crashed() *crash.Site {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.caught
}

// catch keeps the first panic, because later ones usually follow from it.
func (g *crashGuard) catch(at *crash.Site) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.caught == nil {
		g.caught = at
	}
}

func (g *crashGuard) Init() (cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.NewSite(r))
			cmd = tea.Quit
		}
	}()
	return protect(g.model.Init())
}

func (g *crashGuard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.NewSite(r))
			next, cmd = g, tea.Quit
		}
	}()
	if m, ok := msg.(CrashMsg); ok {
		g.catch(m.Site)
		return g, tea.Quit
	}
	if g.crashed() != nil {
		return g, tea.Quit
	}
	g.model, cmd = g.model.Update(msg)
	return g, protect(cmd)
}

func (g *crashGuard) View() (view tea.View) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.NewSite(r))
			view = tea.View{AltScreen: true}
		}
	}()
	if g.crashed() != nil {
		return tea.View{AltScreen: true}
	}
	view = g.model.View()
	// Before the size of the terminal is known, the view is empty.
	if view.Content != "" && g.onDrawn != nil {
		g.onDrawn()
	}
	return view
}

// protect turns a panic in a command into a message.
func protect(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = CrashMsg{crash.NewSite(r)}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = protect(c)
			}
		}
		return msg
	}
}
