package widget

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// SearchTarget is what is looked through.
type SearchTarget interface {
	Find(words string) bool      // looks for words, or for "" no longer
	FindNext(step int) bool      // brings what holds them next into sight, unless there is none
	MatchPosition() (at, of int) // the one in sight, from 1, and how many hold the words
}

// FindBar is one that is open. It is not safe for concurrent use.
type FindBar struct {
	// Line is where the words are written. It is for those who draw it.
	Line *Composer

	target SearchTarget
}

// OpenFindBar begins a search.
func OpenFindBar(st *Styles, keys KeyMap, target SearchTarget) *FindBar {
	s := &FindBar{Line: NewComposer(st, "find: "), target: target}
	s.Line.SetKeys(keys)
	return s
}

// Press takes a key, which components know by name, and reports whether it has closed
// the search.
func (s *FindBar) Press(k tea.KeyPressMsg, name string) (cmd tea.Cmd, closed bool) {
	switch name {
	case "esc":
		s.target.Find("")
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
func (s *FindBar) Write(msg tea.Msg) tea.Cmd {
	before := s.Line.Value()
	cmd := s.Line.Update(msg)
	if words := s.Line.Value(); words != before {
		s.target.Find(words)
		s.showCount()
	}
	return cmd
}

func (s *FindBar) seek(step int) {
	if s.Line.Value() == "" {
		return
	}
	if !s.target.FindNext(step) {
		s.Line.SetHint("no more that way")
		return
	}
	s.showCount()
}

// showCount says how many things hold the words.
func (s *FindBar) showCount() {
	at, of := s.target.MatchPosition()
	switch {
	case s.Line.Value() == "":
		s.Line.SetHint("")
	case of == 0:
		s.Line.SetHint("nothing found")
	default:
		s.Line.SetHint(fmt.Sprintf("%d of %d", at, of))
	}
}
