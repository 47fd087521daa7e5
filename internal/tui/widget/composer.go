package widget

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// Composer is an editor of several lines with the terminal's own cursor, so that input methods
// open next to it. It is not safe for concurrent use.
type Composer struct {
	// History holds the sent messages, to be recalled.
	History MessageHistory

	st     *Styles
	prompt string
	area   textarea.Model
	hint   string

	pastes Pastes
	undo   UndoStack
}

// NewComposer returns an empty composer, whose first line starts with prompt.
func NewComposer(st *Styles, prompt string) *Composer {
	c := &Composer{prompt: prompt, area: textarea.New()}
	c.area.ShowLineNumbers = false
	c.area.SetVirtualCursor(false)
	c.area.DynamicHeight = true
	c.area.CharLimit = 0
	c.area.MaxWidth = 0
	c.area.MaxHeight = MaxUnfoldedLines
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
	// Without a visible selection, the selected text would be lost with the next letter.
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
func (c *Composer) SetStyles(st *Styles) {
	c.st = st
	c.area.SetStyles(textarea.Styles{
		Cursor: textarea.CursorStyle{Shape: tea.CursorBar, Blink: !st.ReducedMotion},
	})
}

// SetSize sets the width of the composer and its maximum height.
func (c *Composer) SetSize(width, rows int) {
	c.area.MaxHeight = max(min(rows, MaxUnfoldedLines), 1)
	c.area.SetWidth(width)
}

// SetHint sets the hint after a single line that leaves enough columns: the arguments of the
// command that is being typed. The hint is not part of the text.
func (c *Composer) SetHint(hint string) { c.hint = hint }

// Height returns the number of rows of the text.
func (c *Composer) Height() int { return c.area.Height() }

// Value returns the text, with the pastes in the place of their labels.
func (c *Composer) Value() string { return c.pastes.ExpandAll(c.area.Value()) }

// Empty reports whether the text is empty, without even a line break.
func (c *Composer) Empty() bool { return c.area.Length() == 0 && c.area.LineCount() == 1 }

// Set replaces the text; that is one step to undo.
func (c *Composer) Set(text string) {
	c.change(ChangeWhole, func() {
		c.pastes = Pastes{}
		c.setText(c.pastes.Fold(text))
	})
}

// setText replaces what stands in the composer, labels included.
func (c *Composer) setText(text string) {
	c.area.SetValue(text)
	c.area.MoveToEnd()
	c.refreshArea()
}

// refreshArea makes the area lay out its new text, because it scrolls by what it drew last.
func (c *Composer) refreshArea() { c.area, _ = c.area.Update(nil) }

// Reset starts a new message. What was sent cannot be undone.
func (c *Composer) Reset() {
	c.area.Reset()
	c.pastes = Pastes{}
	c.undo = UndoStack{}
	c.History.StopRecall()
}

// Update handles a key or a paste. Pasted text comes from outside and is sanitized before it is
// drawn.
func (c *Composer) Update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.change(ChangeWhole, func() { c.insert(c.pastes.Fold(markdown.Sanitize(msg.Content))) })
	case tea.KeyPressMsg:
		if msg.Text != "" {
			c.change(changeKindOf(msg.Text), func() { c.insert(markdown.Sanitize(msg.Text)) })
			return nil
		}
		kind := ChangeWhole
		if name := msg.String(); name == "backspace" || name == "delete" {
			kind = ChangeErasures
		}
		c.change(kind, func() { cmd = c.press(msg) })
	default:
		c.area, cmd = c.area.Update(msg)
	}
	return cmd
}

// insert inserts text at the cursor.
func (c *Composer) insert(text string) {
	c.area.InsertString(text)
	c.refreshArea()
}

// BreakLine turns a backslash before the cursor into a line break, for
// terminals that cannot tell Shift+Enter from Enter. It reports whether it did.
func (c *Composer) BreakLine() bool {
	text := c.area.Value()
	if !strings.HasSuffix(text, `\`) {
		return false
	}
	c.change(ChangeWhole, func() { c.setText(strings.TrimSuffix(text, `\`) + "\n") })
	return true
}

// Recall shows an earlier message (-1) or a later one (+1), and reports whether it did: only an
// empty text or an unchanged recalled one is replaced.
func (c *Composer) Recall(step int) bool {
	written := c.Value()
	text, ok := c.History.Recall(step, written)
	switch {
	case !ok || text == written:
	case text == "":
		c.change(ChangeWhole, c.area.Reset)
	default:
		c.Set(text)
	}
	return ok
}

// View draws the text, with the hint after it if it fits.
func (c *Composer) View() []string {
	text := c.area.Value()
	space := c.area.Width() - ansi.StringWidth(text) - 2
	if c.hint != "" && c.area.LineCount() == 1 && c.Height() == 1 && space > 4 {
		return []string{c.st.Accent.Apply(c.prompt) + text + "  " + c.st.Dim.Apply(FitLine(OneLine(c.hint), space))}
	}
	return strings.Split(c.area.View(), "\n")
}

// Cursor returns the position of the cursor, relative to the composer.
func (c *Composer) Cursor() *tea.Cursor { return c.area.Cursor() }
