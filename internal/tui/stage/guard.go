package stage

import (
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/crash"
)

// Crash is the message of a model that knows of a panic in another goroutine: the chat
// ends as after one of its own.
type Crash struct{ At *crash.Site }

// guard stands between Bubble Tea and the model. Bubble Tea would also recover,
// but by killing the program and printing the stack over the user's terminal;
// here a panic ends the chat in order, and the stack goes to whoever called Run.
type guard struct {
	model tea.Model
	drawn func() // told of each view, nil in tests

	mu     sync.Mutex
	caught *crash.Site
}

func (g *guard) crashed() *crash.Site {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.caught
}

// catch keeps the first panic: those after it are usually its echo.
func (g *guard) catch(at *crash.Site) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.caught == nil {
		g.caught = at
	}
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.At(r))
			cmd = tea.Quit
		}
	}()
	return protect(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.At(r))
			next, cmd = g, tea.Quit
		}
	}()
	if m, ok := msg.(Crash); ok {
		g.catch(m.At)
		return g, tea.Quit
	}
	if g.crashed() != nil {
		return g, tea.Quit
	}
	g.model, cmd = g.model.Update(msg)
	return g, protect(cmd)
}

func (g *guard) View() (view tea.View) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(crash.At(r))
			view = tea.View{AltScreen: true}
		}
	}()
	if g.crashed() != nil {
		return tea.View{AltScreen: true}
	}
	view = g.model.View()
	// What is drawn before the size of the terminal is known is no frame.
	if view.Content != "" && g.drawn != nil {
		g.drawn()
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
				msg = Crash{crash.At(r)}
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
