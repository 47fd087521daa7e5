package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// composer is where the user writes: several lines, with the terminal's own
// cursor, so that input methods open beside it.
type composer struct {
	st     *draw.Styles
	prompt string
	area   textarea.Model
	hint   string // the arguments of the command being typed

	pastes  draft.Pastes
	history draft.History
	undo    draft.Undo
}

func newComposer(st *draw.Styles, prompt string) *composer {
	c := &composer{prompt: prompt, area: textarea.New()}
	c.area.ShowLineNumbers = false
	c.area.SetVirtualCursor(false)
	c.area.DynamicHeight = true
	c.area.CharLimit = 0
	c.area.MaxWidth = 0
	c.area.MaxHeight = draft.Rows
	// Without a content height of its own the area would stop taking lines
	// where it stops growing.
	c.area.MaxContentHeight = 1 << 20
	indent := strings.Repeat(" ", ansi.StringWidth(prompt))
	c.area.SetPromptFunc(len(indent), func(info textarea.PromptInfo) string {
		if info.LineNumber == 0 {
			return c.st.Accent.Apply(prompt)
		}
		return indent
	})
	keys := &c.area.KeyMap
	keys.InsertNewline = key.NewBinding(key.WithKeys("alt+enter", "ctrl+j", "shift+enter"))
	// These two would start a clipboard program; the terminal pastes by itself.
	keys.Paste.SetEnabled(false)
	keys.CopySelection.SetEnabled(false)
	// What is chosen but not drawn so would be lost with the next letter.
	for _, b := range []*key.Binding{
		&keys.SelectAll, &keys.SelectCharacterForward, &keys.SelectCharacterBackward, &keys.SelectWordForward,
		&keys.SelectWordBackward, &keys.SelectLineUp, &keys.SelectLineDown,
	} {
		b.SetEnabled(false)
	}
	c.SetStyles(st)
	c.area.Focus()
	return c
}

// SetStyles changes the theme.
func (c *composer) SetStyles(st *draw.Styles) {
	c.st = st
	c.area.SetStyles(textarea.Styles{
		Cursor: textarea.CursorStyle{Shape: tea.CursorBar, Blink: !st.Still},
	})
}

// SetSize gives the composer its width and the most rows it may take.
func (c *composer) SetSize(width, rows int) {
	c.area.MaxHeight = max(min(rows, draft.Rows), 1)
	c.area.SetWidth(width)
}

func (c *composer) height() int { return c.area.Height() }

// Value is the text, with the pastes in the place of their labels.
func (c *composer) Value() string { return c.pastes.Unfold(c.area.Value()) }

func (c *composer) empty() bool { return c.area.Length() == 0 && c.area.LineCount() == 1 }

// Set replaces the text; that is one step to undo.
func (c *composer) Set(text string) {
	c.change(draft.Whole, func() {
		c.pastes = draft.Pastes{}
		c.put(c.pastes.Fold(text))
	})
}

// put replaces what stands in the composer, labels included.
func (c *composer) put(text string) {
	c.area.SetValue(text)
	c.area.MoveToEnd()
	c.redraw()
}

// redraw lets the area see its new text: it scrolls by what it drew last.
func (c *composer) redraw() { c.area, _ = c.area.Update(nil) }

// reset begins a new message. What was sent is gone, and is not undone.
func (c *composer) reset() {
	c.area.Reset()
	c.pastes = draft.Pastes{}
	c.undo = draft.Undo{}
	c.history.Leave()
}

// Update takes a key or a paste. What comes from the clipboard was written by
// others and is cleaned before it can be drawn.
func (c *composer) Update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.change(draft.Whole, func() { c.insert(c.pastes.Fold(markdown.Sanitize(msg.Content))) })
	case tea.KeyPressMsg:
		if msg.Text != "" {
			c.change(kindOf(msg.Text), func() { c.insert(markdown.Sanitize(msg.Text)) })
			return nil
		}
		kind := draft.Whole
		if name := msg.String(); name == "backspace" || name == "delete" {
			kind = draft.Erasures
		}
		c.change(kind, func() { cmd = c.press(msg) })
	default:
		c.area, cmd = c.area.Update(msg)
	}
	return cmd
}

// insert writes text at the cursor.
func (c *composer) insert(text string) {
	c.area.InsertString(text)
	c.redraw()
}

// breakLine turns a backslash before the cursor into a line break, for
// terminals that cannot tell Shift+Enter from Enter. It reports whether it did.
func (c *composer) breakLine() bool {
	text := c.area.Value()
	if !strings.HasSuffix(text, `\`) {
		return false
	}
	c.change(draft.Whole, func() { c.put(strings.TrimSuffix(text, `\`) + "\n") })
	return true
}

// recall goes through earlier messages, back with -1, and reports whether it
// did: only an untouched recalled text, or none, may be replaced.
func (c *composer) recall(step int) bool {
	written := c.Value()
	text, ok := c.history.Recall(step, written)
	switch {
	case !ok || text == written:
	case text == "":
		c.change(draft.Whole, c.area.Reset)
	default:
		c.Set(text)
	}
	return ok
}

// View draws the text, with the hint behind it where there is room.
func (c *composer) View() []string {
	text := c.area.Value()
	room := c.area.Width() - ansi.StringWidth(text) - 2
	if c.hint != "" && c.area.LineCount() == 1 && c.height() == 1 && room > 4 {
		return []string{c.st.Accent.Apply(c.prompt) + text + "  " + c.st.Dim.Apply(draw.Fit(draw.OneLine(c.hint), room))}
	}
	return strings.Split(c.area.View(), "\n")
}

// cursor is where the terminal's cursor stands, relative to the composer.
func (c *composer) cursor() *tea.Cursor { return c.area.Cursor() }
