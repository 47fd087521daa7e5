package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// Composer is a multi-line editor. It uses the terminal's own cursor, so that input methods open next
// to it. It is not safe for concurrent use.
type Composer struct {
	// History holds the sent messages for recall.
	History MessageHistory

	st     *Styles
	prompt string
	area   textarea.Model
	hint   string
	// placeholder is drawn instead of an empty text.
	placeholder string

	pastes Pastes
	undo   UndoStack
}

// NewComposer returns an empty composer, whose first line starts with prompt.
func NewComposer(st *Styles, keyMap KeyMap, prompt string) *Composer {
	c := &Composer{st: st, prompt: prompt, area: textarea.New()}
	c.area.SetStyles(textarea.Styles{
		Cursor: textarea.CursorStyle{Shape: tea.CursorBar, Blink: !st.ReducedMotion},
	})
	c.area.ShowLineNumbers = false
	c.area.SetVirtualCursor(false)
	c.area.DynamicHeight = true
	c.area.CharLimit = 0
	c.area.MaxWidth = 0
	c.area.MaxHeight = MaxUnfoldedLines
	// Without a maximum content height, the area accepts no more lines than it can show.
	c.area.MaxContentHeight = 1 << 20
	indent := strings.Repeat(" ", ansi.StringWidth(prompt))
	c.area.SetPromptFunc(len(indent), func(info textarea.PromptInfo) string {
		if info.LineNumber == 0 {
			return c.st.Accent.Apply(prompt)
		}
		return indent
	})
	keys := &c.area.KeyMap
	for action, b := range map[string]*key.Binding{
		"new-line": &keys.InsertNewline, "word-left": &keys.WordBackward, "word-right": &keys.WordForward,
		"cut-word": &keys.DeleteWordBackward, "cut-word-on": &keys.DeleteWordForward,
		"line-begin": &keys.LineStart, "line-end": &keys.LineEnd,
		"cut-before": &keys.DeleteBeforeCursor, "cut-behind": &keys.DeleteAfterCursor,
	} {
		*b = key.NewBinding(key.WithKeys(keyMap.Keys(action)...))
	}
	// These two start a clipboard program, but the terminal already pastes.
	keys.Paste.SetEnabled(false)
	keys.CopySelection.SetEnabled(false)
	// The area does not show its selection, and the next letter would replace the selected text.
	for _, b := range []*key.Binding{
		&keys.SelectAll, &keys.SelectCharacterForward, &keys.SelectCharacterBackward, &keys.SelectWordForward,
		&keys.SelectWordBackward, &keys.SelectLineUp, &keys.SelectLineDown,
	} {
		b.SetEnabled(false)
	}
	c.area.Focus()
	return c
}

// SetSize sets the width of the composer and its maximum height.
func (c *Composer) SetSize(width, rows int) {
	c.area.MaxHeight = max(min(rows, MaxUnfoldedLines), 1)
	c.area.SetWidth(width)
}

// SetHint sets a hint that is drawn after the text if there is space, such as the arguments of a
// command. It is not part of the text.
func (c *Composer) SetHint(hint string) { c.hint = hint }

// SetPlaceholder sets the text that is drawn while the composer is empty.
func (c *Composer) SetPlaceholder(text string) { c.placeholder = text }

// Height returns the number of rows of the text.
func (c *Composer) Height() int { return c.area.Height() }

// Value returns the text, with the pastes instead of their labels.
func (c *Composer) Value() string { return c.pastes.ExpandAll(c.area.Value()) }

// Empty reports whether the text is empty, without even a line break.
func (c *Composer) Empty() bool { return c.area.Length() == 0 && c.area.LineCount() == 1 }

// Pasted reports whether a part of the message was pasted.
func (c *Composer) Pasted() bool { return c.pastes.any }

// Set replaces the text, as one step to undo.
func (c *Composer) Set(text string) {
	c.change(ChangeWhole, func() {
		c.pastes = Pastes{}
		c.setText(c.pastes.Fold(text))
	})
}

// setText replaces the text, which may contain labels.
func (c *Composer) setText(text string) {
	c.area.SetValue(text)
	c.area.MoveToEnd()
	c.refreshArea()
}

// refreshArea makes the area lay out its new text; otherwise it scrolls by the previous layout.
func (c *Composer) refreshArea() { c.area, _ = c.area.Update(nil) }

// Reset starts a new message and clears the undo history.
func (c *Composer) Reset() {
	c.area.Reset()
	c.pastes = Pastes{}
	c.undo = UndoStack{}
	c.History.StopRecall()
}

// Update handles a key or a paste. It sanitizes pasted text.
func (c *Composer) Update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.change(ChangeWhole, func() {
			c.insert(c.pastes.Fold(markdown.Sanitize(msg.Content)))
			c.pastes.any = true
		})
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

// BreakLine replaces a backslash at the end of the text by a line break, for terminals that cannot
// distinguish Shift+Enter from Enter. It reports whether it did.
func (c *Composer) BreakLine() bool {
	text := c.area.Value()
	if !strings.HasSuffix(text, `\`) {
		return false
	}
	c.change(ChangeWhole, func() { c.setText(strings.TrimSuffix(text, `\`) + "\n") })
	return true
}

// Recall shows an earlier message (-1) or a later one (+1). It reports false if the text is neither
// empty nor a message that was recalled and not changed.
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
	if c.placeholder != "" && c.Empty() {
		space := c.area.Width() - ansi.StringWidth(c.prompt)
		return []string{c.st.Accent.Apply(c.prompt) + c.st.Dim.Apply(FitLine(c.placeholder, space))}
	}
	text := c.area.Value()
	space := c.area.Width() - ansi.StringWidth(text) - 2
	if c.hint != "" && c.area.LineCount() == 1 && c.Height() == 1 && space > 4 {
		return []string{c.st.Accent.Apply(c.prompt) + text + "  " + c.st.Dim.Apply(FitLine(OneLine(c.hint), space))}
	}
	return strings.Split(c.area.View(), "\n")
}

// Cursor returns the position of the cursor, relative to the composer.
func (c *Composer) Cursor() *tea.Cursor { return c.area.Cursor() }

// state returns the text before and after the cursor, with its pastes.
func (c *Composer) state() DraftState {
	text := c.area.Value()
	at := 0
	for range c.area.Line() {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	for range c.area.Column() {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return DraftState{Before: text[:at], After: text[at:], Pastes: c.pastes}
}

// TextBeforeCursor returns the text before the cursor.
func (c *Composer) TextBeforeCursor() string { return c.state().Before }

// restore sets the text and the cursor of a state.
func (c *Composer) restore(s DraftState) {
	c.pastes = s.Pastes
	c.area.SetValue(s.After)
	c.area.MoveToBegin()
	c.insert(s.Before)
}

// change runs do and records the change for undo.
func (c *Composer) change(kind ChangeKind, do func()) {
	from := c.state()
	do()
	c.undo.Record(from, c.state(), kind)
}

// changeKindOf returns the kind of typed text.
func changeKindOf(text string) ChangeKind {
	if strings.TrimFunc(text, unicode.IsSpace) == "" {
		return ChangeBlanks
	}
	return ChangeLetters
}

// UndoStep undoes a change (-1) or redoes it (+1), and reports whether it did.
func (c *Composer) UndoStep(step int) bool {
	change := c.undo.Undo
	if step > 0 {
		change = c.undo.Redo
	}
	s, ok := change(c.state())
	if ok {
		c.restore(s)
	}
	return ok
}

// press handles a key that is not text. A key that deletes next to a label deletes the whole label,
// because half a label has no paste.
func (c *Composer) press(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	s, times, keys := c.state(), 0, &c.area.KeyMap
	switch {
	case key.Matches(msg, keys.DeleteCharacterBackward, keys.DeleteWordBackward):
		if times = c.pastes.LabelBefore(s.Before); times > 0 {
			msg = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
	case key.Matches(msg, keys.DeleteCharacterForward, keys.DeleteWordForward):
		if times = c.pastes.LabelAfter(s.After); times > 0 {
			msg = tea.KeyPressMsg{Code: tea.KeyDelete}
		}
	}
	for range max(times, 1) {
		c.area, cmd = c.area.Update(msg)
	}
	return cmd
}

// Replace replaces that many characters before the cursor.
func (c *Composer) Replace(letters int, text string) {
	c.change(ChangeWhole, func() {
		s := c.state()
		runes := []rune(s.Before)
		s.Before = string(runes[:max(len(runes)-letters, 0)]) + markdown.Sanitize(text)
		c.restore(s)
	})
}

// ExpandPaste replaces the label before the cursor by its paste. It reports whether the paste is too
// long to show.
func (c *Composer) ExpandPaste() (tooLong bool) {
	before := c.TextBeforeCursor()
	text, ok := c.pastes.PasteBefore(before)
	switch {
	case !ok:
		return false
	case strings.Count(text, "\n") >= MaxExpandedLines:
		return true
	}
	c.Replace(c.pastes.LabelBefore(before), text)
	return false
}

// HistoryText returns the text to store for later chats, with long pastes abridged.
func (c *Composer) HistoryText() string { return c.pastes.Abridge(c.area.Value()) }

// Preview returns the text with labels instead of pastes.
func (c *Composer) Preview() string { return c.area.Value() }
