package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// filterRow is a ListItem prepared for drawing and filtering.
type filterRow struct {
	ListItem
	searchText string // for the filter, in lower case
	searchName string // for the fuzzy match, in lower case
}

func newFilterRow(r ListItem) filterRow {
	out := filterRow{ListItem: r}
	out.Title, out.Group = OneLine(cmp.Or(r.Title, r.Name)), OneLine(r.Group)
	out.About, out.FullText = OneLine(r.About), OneLine(r.FullText)
	out.Marks, out.Columns = oneLines(r.Marks), oneLines(r.Columns)
	out.searchName = strings.ToLower(out.Title + "\n" + OneLine(r.Name))
	out.searchText = strings.ToLower(strings.Join([]string{out.Title, OneLine(r.Name), out.Group, out.About, OneLine(r.SearchTerms)}, "\n"))
	return out
}

func oneLines(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = OneLine(text)
	}
	return out
}

func (r filterRow) matches(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(r.searchText, w) })
}

// fuzzyMatches reports whether the name contains the letters of each word in order, possibly with
// others in between: "gpt4o" matches gpt-4.1-mini-o.
func (r filterRow) fuzzyMatches(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isSubsequence(w, r.searchName) })
}

func isSubsequence(letters, text string) bool {
	for _, r := range letters {
		at := strings.IndexRune(text, r)
		if at < 0 {
			return false
		}
		text = text[at+utf8.RuneLen(r):]
	}
	return true
}

// listLine is a line of the list: a heading or a row.
type listLine struct {
	heading string
	row     int // -1 for a heading
	hidden  int // rows that a folded group hides
}

// rowList holds the rows, those that match the filter, and the cursor.
type rowList struct {
	rows   []filterRow
	loaded bool // rows were set
	filter string

	expanded map[string]bool // groups that the user expanded

	lines    []listLine
	rowLines []int // the lines that the cursor can be on: rows, and headings of folded groups
	cursor   int   // index into rowLines
	from     int   // the first visible line
}

// set sets the rows and sorts them into their groups, in the order in which groups first appear.
func (l *rowList) set(rows []ListItem) {
	current, hadCurrent := l.current()
	l.rows, l.loaded = l.rows[:0:0], true
	var groups []string
	byGroup := map[string][]filterRow{}
	for _, r := range rows {
		r := newFilterRow(r)
		if _, seen := byGroup[r.Group]; !seen {
			groups = append(groups, r.Group)
		}
		byGroup[r.Group] = append(byGroup[r.Group], r)
	}
	for _, g := range groups {
		l.rows = append(l.rows, byGroup[g]...)
	}
	l.arrange()
	if hadCurrent {
		l.moveTo(current.Name)
	}
}

func (l *rowList) setFilter(filter string) {
	current, hadCurrent := l.current()
	l.filter = filter
	l.arrange()
	if hadCurrent && !l.moveTo(current.Name) {
		l.cursor = 0
	}
}

// arrange lays out the matching rows under their headings: rows that contain the words or, if
// there are none, rows with a similar name. Groups are folded only without a filter.
func (l *rowList) arrange() {
	words := strings.Fields(strings.ToLower(l.filter))
	l.arrangeBy(func(r filterRow) bool { return r.matches(words) })
	if len(l.rowLines) == 0 {
		l.arrangeBy(func(r filterRow) bool { return r.fuzzyMatches(words) })
	}
	l.cursor = min(l.cursor, max(len(l.rowLines)-1, 0))
}

func (l *rowList) arrangeBy(matches func(filterRow) bool) {
	l.lines, l.rowLines = nil, nil
	group, folded := "", -1
	for i, r := range l.rows {
		if !matches(r) {
			continue
		}
		if r.Group != group {
			group, folded = r.Group, -1
			if r.Folded && l.filter == "" && !l.expanded[group] {
				folded = len(l.lines)
				l.rowLines = append(l.rowLines, folded)
			}
			l.lines = append(l.lines, listLine{heading: group, row: -1})
		}
		if folded >= 0 {
			l.lines[folded].hidden++
			continue
		}
		l.rowLines = append(l.rowLines, len(l.lines))
		l.lines = append(l.lines, listLine{row: i})
	}
}

// expand expands the group at the cursor, if it is folded.
func (l *rowList) expand() bool {
	if !l.onFolded() {
		return false
	}
	if l.expanded == nil {
		l.expanded = map[string]bool{}
	}
	l.expanded[l.lines[l.rowLines[l.cursor]].heading] = true
	l.arrange()
	return true
}

// expandGroupOf expands the group of a row.
func (l *rowList) expandGroupOf(key string) {
	at := slices.IndexFunc(l.rows, func(r filterRow) bool { return r.Name == key })
	if at < 0 || !l.rows[at].Folded {
		return
	}
	if l.expanded == nil {
		l.expanded = map[string]bool{}
	}
	l.expanded[l.rows[at].Group] = true
	l.arrange()
}

// fold folds the group at the cursor again, if the user expanded it.
func (l *rowList) fold() {
	r, ok := l.current()
	if !ok || !l.expanded[r.Group] || l.filter != "" {
		return
	}
	delete(l.expanded, r.Group)
	l.arrange()
	at := slices.IndexFunc(l.rowLines, func(p int) bool { return l.lines[p].heading == r.Group })
	l.cursor = max(at, 0)
}

// titles returns the titles of the rows of a group.
func (l *rowList) titles(group string) []string {
	var out []string
	for _, r := range l.rows {
		if r.Group == group {
			out = append(out, r.Title)
		}
	}
	return out
}

// onFolded reports whether the cursor is on the heading of a folded group.
func (l *rowList) onFolded() bool {
	return len(l.rowLines) > 0 && l.lines[l.rowLines[l.cursor]].row < 0
}

// moveTo moves the cursor to a row, if it is shown.
func (l *rowList) moveTo(key string) bool {
	at := slices.IndexFunc(l.rowLines, func(p int) bool { return l.lines[p].row >= 0 && l.rows[l.lines[p].row].Name == key })
	if at >= 0 {
		l.cursor = at
	}
	return at >= 0
}

// moveToLine moves the cursor to a line if that line can be selected.
func (l *rowList) moveToLine(line int) {
	if at := slices.Index(l.rowLines, line); at >= 0 {
		l.cursor = at
	}
}

// count returns the number of rows that match the filter, also those of folded groups.
func (l *rowList) count() int {
	n := 0
	for _, line := range l.lines {
		n += line.hidden
		if line.row >= 0 {
			n++
		}
	}
	return n
}

// current returns the row at the cursor, if it is on a row.
func (l *rowList) current() (filterRow, bool) {
	if len(l.rowLines) == 0 || l.onFolded() {
		return filterRow{}, false
	}
	return l.rows[l.lines[l.rowLines[l.cursor]].row], true
}

// move moves the cursor by n rows, and stops at the ends.
func (l *rowList) move(n int) { l.cursor = max(min(l.cursor+n, len(l.rowLines)-1), 0) }

// visible returns at most height lines around the cursor, and the index of the first.
func (l *rowList) visible(height int) ([]listLine, int) {
	if len(l.rowLines) == 0 || height < 1 {
		return nil, 0
	}
	margin := min(2, (height-1)/2)
	at := l.rowLines[l.cursor]
	l.from = max(min(l.from, at-margin), at+margin-height+1)
	l.from = max(min(l.from, len(l.lines)-height), 0)
	return l.lines[l.from:min(l.from+height, len(l.lines))], l.from
}
