package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// state is the text before the cursor and behind it.
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

// restore writes a state, its cursor included.
func (c *Composer) restore(s DraftState) {
	c.pastes = s.Pastes
	c.area.SetValue(s.After)
	c.area.MoveToBegin()
	c.insert(s.Before)
}

// change makes a change that can be undone.
func (c *Composer) change(kind ChangeKind, do func()) {
	from := c.state()
	do()
	c.undo.Record(from, c.state(), kind)
}

// changeKindOf tells blanks from the letters of a word. What comes as many letters at
// once, as from an input method, is a word of its own.
func changeKindOf(text string) ChangeKind {
	if strings.TrimFunc(text, unicode.IsSpace) == "" {
		return ChangeBlanks
	}
	return ChangeLetters
}

// UndoStep undoes a change (-1) or redoes it (+1), and reports whether it did.
func (c *Composer) UndoStep(step int) bool {
	turn := c.undo.Undo
	if step > 0 {
		turn = c.undo.Redo
	}
	s, ok := turn(c.state())
	if ok {
		c.restore(s)
	}
	return ok
}

// press handles a key that is no text. A key that deletes next to a label deletes the whole label,
// because half of one would stand for nothing.
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

// Replace replaces that many characters before the cursor by text.
func (c *Composer) Replace(letters int, text string) {
	c.change(ChangeWhole, func() {
		s := c.state()
		runes := []rune(s.Before)
		s.Before = string(runes[:max(len(runes)-letters, 0)]) + markdown.Sanitize(text)
		c.restore(s)
	})
}

// ExpandPaste replaces the label before the cursor by its paste. It reports whether the paste is
// too long to be shown.
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

// HistoryText returns the message as it is stored for later chats.
func (c *Composer) HistoryText() string { return c.pastes.Abridge(c.area.Value()) }

// SetKeys sets the user's keys for the functions of the text area.
func (c *Composer) SetKeys(keys KeyMap) {
	area := &c.area.KeyMap
	for name, b := range map[string]*key.Binding{
		"new-line": &area.InsertNewline, "word-left": &area.WordBackward, "word-right": &area.WordForward,
		"cut-word": &area.DeleteWordBackward, "cut-word-on": &area.DeleteWordForward,
		"line-begin": &area.LineStart, "line-end": &area.LineEnd,
		"cut-before": &area.DeleteBeforeCursor, "cut-behind": &area.DeleteAfterCursor,
	} {
		*b = key.NewBinding(key.WithKeys(keys.Keys(name)...))
	}
}
