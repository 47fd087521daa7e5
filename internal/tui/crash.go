package tui

import (
	"fmt"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Crash is a panic that was caught so that the terminal could be given back.
type Crash struct {
	Value any
	Stack []byte
}

// Error says what was panicked with; the stack is for the log.
func (c *Crash) Error() string { return fmt.Sprintf("the chat crashed: %v", c.Value) }

// crashMsg brings a panic of another goroutine to the root.
type crashMsg struct{ crash *Crash }

func newCrash(value any) *Crash { return &Crash{Value: value, Stack: debug.Stack()} }

// guard stands between Bubble Tea and the model. Bubble Tea would also recover,
// but by killing the program and printing the stack over the user's terminal;
// here a panic ends the chat in order, and the stack goes to whoever called Run.
type guard struct {
	model *Model

	mu     sync.Mutex
	caught *Crash
}

func (g *guard) crash() *Crash {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.caught
}

// catch keeps the first panic: those after it are usually its echo.
func (g *guard) catch(c *Crash) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.caught == nil {
		g.caught = c
	}
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(newCrash(r))
			cmd = tea.Quit
		}
	}()
	return protect(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(newCrash(r))
			next, cmd = g, tea.Quit
		}
	}()
	if m, ok := msg.(crashMsg); ok {
		g.catch(m.crash)
		return g, tea.Quit
	}
	if g.crash() != nil {
		return g, tea.Quit
	}
	_, cmd = g.model.Update(msg)
	return g, protect(cmd)
}

func (g *guard) View() (view tea.View) {
	defer func() {
		if r := recover(); r != nil {
			g.catch(newCrash(r))
			view = tea.View{AltScreen: true}
		}
	}()
	if g.crash() != nil {
		return tea.View{AltScreen: true}
	}
	return g.model.View()
}

// protect turns a panic in a command into a message.
func protect(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{newCrash(r)}
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
