package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// mostEdited is the most bytes that are taken back from an editor.
const mostEdited = 1 << 20

// sheet is the file in which a draft is edited, in a folder of its own that only
// the user can open.
type sheet struct {
	path   string
	before []byte
}

type (
	sheetMsg struct {
		sheet sheet
		err   error
	}
	editedMsg struct {
		sheet sheet
		err   error // how the editor ended
	}
	// rewrittenMsg is what came of it.
	rewrittenMsg struct {
		text    string
		changed bool
		err     error
	}
)

// edit lets the user go on writing in their editor.
func (m *Model) edit() tea.Cmd {
	text := m.composer.Value()
	return func() tea.Msg {
		s, err := openSheet(text)
		return sheetMsg{s, err}
	}
}

func openSheet(text string) (sheet, error) {
	dir, err := os.MkdirTemp("", "nfa-message-*")
	if err != nil {
		return sheet{}, fmt.Errorf("opening the editor: %w", err)
	}
	s := sheet{path: filepath.Join(dir, "message.md"), before: []byte(text)}
	if text != "" {
		s.before = append(s.before, '\n')
	}
	if err := os.WriteFile(s.path, s.before, 0o600); err != nil {
		return sheet{}, fmt.Errorf("opening the editor: %w", errors.Join(err, s.drop()))
	}
	return s, nil
}

func (s sheet) drop() error { return os.RemoveAll(filepath.Dir(s.path)) }

// lend gives the terminal to the editor.
func (m *Model) lend(msg sheetMsg) tea.Cmd {
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return nil
	}
	cmd, err := m.cfg.Editor(msg.sheet.path)
	if err != nil {
		m.transcript.Say(transcript.Error, err.Error())
		return func() tea.Msg { return rewrittenMsg{err: msg.sheet.drop()} }
	}
	return m.lender.Lend(cmd, func(err error) tea.Msg { return editedMsg{msg.sheet, err} })
}

// takeBack reads what the editor left, beside the screen.
func (m *Model) takeBack(msg editedMsg) tea.Cmd {
	return func() tea.Msg { return msg.sheet.finish(msg.err) }
}

// finish reads the sheet and takes it away. One that cannot take its place in the
// composer is kept, and the error says where.
func (s sheet) finish(ended error) rewrittenMsg {
	after, err := s.read()
	gone := errors.Is(err, os.ErrNotExist)
	if gone {
		err = errors.New("it deleted the file that it was given")
	}
	if gone || err == nil && bytes.Equal(after, s.before) {
		if err = errors.Join(ended, err, s.drop()); err != nil {
			err = fmt.Errorf("the editor: %w; the message is as it was", err)
		}
		return rewrittenMsg{err: err}
	}
	if err = errors.Join(ended, err); err != nil {
		return rewrittenMsg{err: fmt.Errorf("the editor: %w; the message is as it was, and what the editor left is in %s", err, s.path)}
	}
	return rewrittenMsg{text: strings.TrimRight(string(after), "\n"), changed: true, err: s.drop()}
}

func (s sheet) read() ([]byte, error) {
	info, err := os.Lstat(s.path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it left no ordinary file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostEdited+1))
	if err == nil && len(text) > mostEdited {
		err = fmt.Errorf("a message has at most %d KiB", mostEdited>>10)
	}
	return text, err
}

// rewrite puts what was edited into the composer.
func (m *Model) rewrite(msg rewrittenMsg) {
	m.lender.TakeBack()
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
	}
	if msg.changed {
		m.composer.Set(markdown.Sanitize(msg.text))
		m.typed()
		m.closeLists()
	}
}
