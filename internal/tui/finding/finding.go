// Package finding looks for words in a text: a line that they are written in, which
// says how many things hold them. What holds them, and which of it is in sight, is the
// affair of the Text.
//
// It knows Bubble Tea because composers do.
package finding

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// Text is what is looked through.
type Text interface {
	Find(words string) bool // looks for words, or for "" no longer
	FindNext(step int) bool // brings what holds them next into sight, unless there is none
	Found() (at, of int)    // the one in sight, from 1, and how many hold the words
}

// Search is one that is open. It is not safe for concurrent use.
type Search struct {
	// Line is where the words are written. It is for those who draw it.
	Line *composer.Composer

	in Text
}

// Open begins a search.
func Open(st *draw.Styles, keys keymap.Map, in Text) *Search {
	s := &Search{Line: composer.New(st, "find: "), in: in}
	s.Line.SetKeys(keys)
	return s
}

// Press takes a key, which components know by name, and reports whether it has closed
// the search.
func (s *Search) Press(k tea.KeyPressMsg, name string) (cmd tea.Cmd, closed bool) {
	switch name {
	case "esc":
		s.in.Find("")
		return nil, true
	case "enter", "up":
		s.seek(-1)
		return nil, false
	case "down", "shift+enter":
		s.seek(+1)
		return nil, false
	}
	return s.Write(k), false
}

// Write takes a key or a paste into the words, and looks for them.
func (s *Search) Write(msg tea.Msg) tea.Cmd {
	before := s.Line.Value()
	cmd := s.Line.Update(msg)
	if words := s.Line.Value(); words != before {
		s.in.Find(words)
		s.count()
	}
	return cmd
}

func (s *Search) seek(step int) {
	if s.Line.Value() == "" {
		return
	}
	if !s.in.FindNext(step) {
		s.Line.SetHint("no more that way")
		return
	}
	s.count()
}

// count says how many things hold the words.
func (s *Search) count() {
	at, of := s.in.Found()
	switch {
	case s.Line.Value() == "":
		s.Line.SetHint("")
	case of == 0:
		s.Line.SetHint("nothing found")
	default:
		s.Line.SetHint(fmt.Sprintf("%d of %d", at, of))
	}
}
