package widget

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// SearchTarget is the text that a FindBar searches.
type SearchTarget interface {
	Find(text string) bool             // searches for text; "" ends the search
	FindNext(step int) bool            // scrolls to the next match, if there is one
	MatchPosition() (match, total int) // the visible match, from 1, and the number of matches
}

// FindBar is the open search line of the transcript. It is not safe for concurrent use.
type FindBar struct {
	// Line is the editor of the search text. The caller draws it.
	Line *Composer

	keys   KeyMap
	target SearchTarget
}

// OpenFindBar opens a search.
func OpenFindBar(st *Styles, keys KeyMap, target SearchTarget) *FindBar {
	return &FindBar{Line: NewComposer(st, keys, "find: "), keys: keys, target: target}
}

// Press handles a key, and reports whether it closed the search.
func (s *FindBar) Press(k tea.KeyPressMsg) (cmd tea.Cmd, closed bool) {
	switch s.keys.Action(ScopeSearch, k) {
	case "search-close":
		s.target.Find("")
		return nil, true
	case "search-up":
		s.seek(-1)
		return nil, false
	case "search-down":
		s.seek(+1)
		return nil, false
	}
	return s.Write(k), false
}

// Write adds a key or a paste to the search text, and searches.
func (s *FindBar) Write(msg tea.Msg) tea.Cmd {
	before := s.Line.Value()
	cmd := s.Line.Update(msg)
	if text := s.Line.Value(); text != before {
		s.target.Find(text)
		s.showCount()
	}
	return cmd
}

func (s *FindBar) seek(step int) {
	if s.Line.Value() == "" {
		return
	}
	if !s.target.FindNext(step) {
		s.Line.SetHint("no more matches")
		return
	}
	s.showCount()
}

// showCount shows the number of matching blocks.
func (s *FindBar) showCount() {
	match, total := s.target.MatchPosition()
	switch {
	case s.Line.Value() == "":
		s.Line.SetHint("")
	case total == 0:
		s.Line.SetHint("no matches")
	default:
		s.Line.SetHint(fmt.Sprintf("%d of %d", match, total))
	}
}
