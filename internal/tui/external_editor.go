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

type (
	editorReadyMsg struct {
		file DraftFile
		err  error
	}
	editorClosedMsg struct {
		file DraftFile
		err  error // how the editor ended
	}
	// draftEditedMsg carries the result of editing the draft.
	draftEditedMsg struct{ EditResult }
)

// openEditor opens the draft in the user's editor.
func (m *Model) openEditor() tea.Cmd {
	text := m.input.composer.Value()
	return func() tea.Msg {
		s, err := CreateDraftFile(text)
		return editorReadyMsg{s, err}
	}
}

// runEditor gives the terminal to the editor.
func (m *Model) runEditor(msg editorReadyMsg) tea.Cmd {
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return nil
	}
	cmd, err := m.chat.Editor(msg.file.Path)
	if err != nil {
		m.transcript.Say(transcript.Error, err.Error())
		return func() tea.Msg { return draftEditedMsg{EditResult{Err: msg.file.Remove()}} }
	}
	return m.terminal.Lend(cmd, func(err error) tea.Msg { return editorClosedMsg{msg.file, err} })
}

// readEditedDraft returns the command that reads the edited file.
func (m *Model) readEditedDraft(msg editorClosedMsg) tea.Cmd {
	return func() tea.Msg { return draftEditedMsg{msg.file.ReadBack(msg.err)} }
}

// applyEditedDraft replaces the draft with the edited text.
func (m *Model) applyEditedDraft(msg draftEditedMsg) {
	m.terminal.TakeBack()
	if msg.Err != nil {
		m.transcript.Say(transcript.Error, msg.Err.Error())
	}
	if msg.Changed {
		m.input.write(markdown.Sanitize(msg.Text))
		m.input.closeLists()
	}
}

// maxEditedBytes is the maximum size of an edited file that is read back.
const maxEditedBytes = 1 << 20

// DraftFile is the temporary file with a draft for an external editor.
type DraftFile struct {
	Path     string
	original []byte
}

// CreateDraftFile writes a draft into a temporary file.
func CreateDraftFile(text string) (DraftFile, error) {
	dir, err := os.MkdirTemp("", "nfa-message-*")
	if err != nil {
		return DraftFile{}, fmt.Errorf("open editor: %w", err)
	}
	s := DraftFile{Path: filepath.Join(dir, "message.md"), original: []byte(text)}
	if text != "" {
		s.original = append(s.original, '\n')
	}
	if err := os.WriteFile(s.Path, s.original, 0o600); err != nil {
		return DraftFile{}, fmt.Errorf("open editor: %w", errors.Join(err, s.Remove()))
	}
	return s, nil
}

// Remove removes the file and its folder.
func (s DraftFile) Remove() error { return os.RemoveAll(filepath.Dir(s.Path)) }

// EditResult is the result of editing a DraftFile. Changed and Err may both be set.
type EditResult struct {
	Text    string
	Changed bool
	Err     error
}

// ReadBack reads and removes the file after the editor ended with an error or nil. If the text cannot
// replace the draft, the file is kept and the error contains its path.
func (s DraftFile) ReadBack(ended error) EditResult {
	after, err := s.read()
	gone := errors.Is(err, os.ErrNotExist)
	if gone {
		err = errors.New("the file was deleted")
	}
	if gone || err == nil && bytes.Equal(after, s.original) {
		if err = errors.Join(ended, err, s.Remove()); err != nil {
			err = fmt.Errorf("editor: %w; your message is unchanged", err)
		}
		return EditResult{Err: err}
	}
	if err = errors.Join(ended, err); err != nil {
		return EditResult{Err: fmt.Errorf("editor: %w; your message is unchanged, and the edited text is in %s", err, s.Path)}
	}
	return EditResult{Text: strings.TrimRight(string(after), "\n"), Changed: true, Err: s.Remove()}
}

func (s DraftFile) read() ([]byte, error) {
	info, err := os.Lstat(s.Path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("the file is not a regular file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxEditedBytes+1))
	if err == nil && len(text) > maxEditedBytes {
		err = fmt.Errorf("the text is larger than %d KiB", maxEditedBytes>>10)
	}
	return text, err
}
