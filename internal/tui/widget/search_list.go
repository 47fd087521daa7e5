package widget

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"
)

// SearchEntry is something that the search finds. All of it may be outside text.
type SearchEntry struct {
	Label string
	About string
	Kind  string // one word at the right: "symbol"
	// Terms also find it, after Label.
	Terms string
	// Fuzzy means that single letters of Label find it, as for commands.
	Fuzzy bool
	// Late puts matches at the start of Label behind fuzzy matches of other entries, as for symbols,
	// which are so short that they start with anything.
	Late bool
}

// searchRows is the maximum number of listed entries.
const searchRows = 8

// SearchList is one search field over many entries, with the best matches below it. Create it with
// NewSearchList; it is not safe for concurrent use.
type SearchList struct {
	st   *Styles
	keys KeyMap
	// Line is the editor of the search text.
	Line *Composer

	entries []searchText
	recent  []int // entries for an empty text
	found   []int
	chosen  int
}

// searchText is an entry with its texts in lower case.
type searchText struct {
	SearchEntry
	label, about, terms string
}

// NewSearchList returns an empty search.
func NewSearchList(st *Styles, keys KeyMap) *SearchList {
	return &SearchList{st: st, keys: keys, Line: NewComposer(st, keys, "> ")}
}

// SetEntries replaces the entries. While nothing is typed, only the first start entries are shown. The
// highlight stays at its row.
func (s *SearchList) SetEntries(entries []SearchEntry, start int) {
	s.entries = make([]searchText, len(entries))
	for i, e := range entries {
		s.entries[i] = searchText{e, strings.ToLower(strings.TrimPrefix(e.Label, "/")), strings.ToLower(e.About), strings.ToLower(e.Terms)}
	}
	s.recent = nil
	for i := range min(start, searchRows) {
		s.recent = append(s.recent, i)
	}
	chosen := s.chosen
	s.search()
	s.chosen = min(chosen, max(len(s.found)-1, 0))
}

// minNameLetters is the number of letters from which the start of a security's name is a good match.
const minNameLetters = 3

// rank returns how well an entry matches, lower is better; ok is false if it does not.
func (e searchText) rank(typed string) (rank int, ok bool) {
	if e.Fuzzy {
		rank = nameRank(e.label, typed)
	} else {
		rank = labelRank(e.label, typed)
	}
	switch {
	case !e.Late || rank == rankExact:
	case len(typed) >= minNameLetters && strings.HasPrefix(e.about, typed):
		rank = rankPrefix
	case rank == rankPrefix || textRank(e.about, typed) == rankAbout:
		rank = rankLetters
	}
	rank = min(rank, textRank(e.terms, typed), textRank(e.about, typed))
	return rank, rank < rankNoMatch
}

// labelRank works like nameRank for a label of whole words: scattered letters do not match.
func labelRank(label, typed string) int {
	switch {
	case label == typed:
		return rankExact
	case strings.HasPrefix(label, typed):
		return rankPrefix
	case textRank(label, typed) == rankAbout:
		return rankWords
	case strings.Contains(label, typed):
		return rankPart
	}
	return rankNoMatch
}

// search finds the best entries for the text in Line. A pasted line break counts as a space.
func (s *SearchList) search() {
	if text := s.Line.Value(); strings.Contains(text, "\n") {
		s.Line.Set(strings.Join(strings.Fields(text), " "))
	}
	s.chosen = 0
	typed := strings.ToLower(strings.TrimSpace(s.Line.Value()))
	if typed == "" {
		s.found = s.recent
		return
	}
	typed = strings.TrimPrefix(typed, "/")
	type match struct{ entry, rank int }
	var found []match
	for i, e := range s.entries {
		if rank, ok := e.rank(typed); ok {
			found = append(found, match{i, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.rank, b.rank) })
	s.found = nil
	seen := map[string]bool{}
	for _, m := range found {
		// The start page and the history may have the same question.
		if key := s.entries[m.entry].Label; !seen[key] && len(s.found) < searchRows {
			seen[key] = true
			s.found = append(s.found, m.entry)
		}
	}
}

// Chosen returns the index of the highlighted entry; ok is false if nothing was found.
func (s *SearchList) Chosen() (entry int, ok bool) {
	if len(s.found) == 0 {
		return 0, false
	}
	return s.found[s.chosen], true
}

// SearchReply is the effect of a key on a SearchList.
type SearchReply int

// Replies.
const (
	SearchReplyHandled SearchReply = iota
	SearchReplyClosed
	SearchReplyOpen  // open Chosen
	SearchReplyWrite // write Chosen into the message
)

// Press handles a key.
func (s *SearchList) Press(k tea.KeyPressMsg) (tea.Cmd, SearchReply) {
	n := max(len(s.found), 1)
	switch s.keys.Action(ScopeCompletion, k) {
	case "list-up":
		s.chosen = (s.chosen + n - 1) % n
	case "list-down":
		s.chosen = (s.chosen + 1) % n
	case "list-close":
		return nil, SearchReplyClosed
	case "list-run":
		return nil, SearchReplyOpen
	case "list-take":
		return nil, SearchReplyWrite
	default:
		return s.Write(k), SearchReplyHandled
	}
	return nil, SearchReplyHandled
}

// Write adds a key or a paste to the search text, and searches.
func (s *SearchList) Write(msg tea.Msg) tea.Cmd {
	cmd := s.Line.Update(msg)
	s.search()
	return cmd
}

// searchTop is the number of rows above the entries: title, rule and field.
const searchTop = 3

// View draws the search in exactly height rows.
func (s *SearchList) View(width, height int) []string {
	s.Line.SetSize(width, 1)
	out := []string{
		JustifyLine(s.st.Strong.Apply("Search"), s.st.Dim.Apply(s.keys.Label("pick")), width),
		HorizontalRule(s.st, width, ""),
	}
	out = append(out, s.Line.View()[0])
	footer := s.st.Dim.Apply(FitLine(s.keys.Hints("", "   ", ActionHint{"list-run", "open"}, ActionHint{"list-take", "insert into the message"}, ActionHint{"list-close", "close"}), width))
	if width < HintWidth {
		footer = s.st.Dim.Apply(FitLine(s.keys.Hints("", "  ", ActionHint{"list-run", "open"}, ActionHint{"list-take", "write"}, ActionHint{"list-close", "close"}), width))
	}
	if len(s.found) == 0 && s.Line.Value() != "" {
		out = append(out, "  "+s.st.Dim.Apply("No matches."))
	}
	labels := 0
	for _, entry := range s.found {
		labels = max(labels, ansi.StringWidth(OneLine(s.entries[entry].Label)))
	}
	for i, entry := range s.found {
		out = append(out, s.row(s.entries[entry], i == s.chosen, width, labels))
	}
	out = out[:min(len(out), max(height-1, 0))]
	for len(out) < height-1 {
		out = append(out, "")
	}
	return append(out, footer)[:height]
}

// row draws an entry: label, description and kind. labels is the width of the longest label.
func (s *SearchList) row(e searchText, chosen bool, width, labels int) string {
	kind := OneLine(e.Kind)
	space := width - 2 - ansi.StringWidth(kind) - 2
	label, about := OneLine(e.Label), OneLine(e.About)
	column := min(max(labels+2, 24), space*3/5)
	if about == "" {
		column = space
	}
	left := padLine(FitLine(label, column-1), column)
	left = padLine(left+FitLine(about, space-column), space)
	mark, style := "  ", s.st.Dim.With("")
	if chosen {
		mark, style = s.st.Accent.Apply("›")+" ", s.st.Accent
	}
	return FitLine(mark+style.Apply(left)+"  "+s.st.Dim.Apply(kind), width)
}

// Cursor returns the cursor in the search field.
func (s *SearchList) Cursor() *tea.Cursor {
	c := s.Line.Cursor()
	if c != nil {
		c.Y += searchTop - 1
	}
	return c
}
