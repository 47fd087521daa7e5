package shelf

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// row is a Row made ready to be drawn and found.
type row struct {
	Row
	words string // all that the filter looks at, in lower case
	name  string // what it looks at where only letters in their order have to be there
}

func newRow(r Row) row {
	out := row{Row: r}
	out.Label, out.Group = draw.OneLine(r.Label), draw.OneLine(r.Group)
	out.About, out.Alone = draw.OneLine(r.About), draw.OneLine(r.Alone)
	out.Marks = make([]string, len(r.Marks))
	for i, m := range r.Marks {
		out.Marks[i] = draw.OneLine(m)
	}
	out.name = strings.ToLower(out.Label + "\n" + draw.OneLine(r.Key))
	out.words = strings.ToLower(strings.Join([]string{out.Label, draw.OneLine(r.Key), out.Group, out.About, draw.OneLine(r.Words)}, "\n"))
	return out
}

func (r row) matches(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(r.words, w) })
}

// resembles reports whether the name holds the letters of each word in their order,
// with others between them: "gpt4o" for gpt-4.1-mini-o.
func (r row) resembles(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !within(w, r.name) })
}

func within(letters, text string) bool {
	for _, r := range letters {
		at := strings.IndexRune(text, r)
		if at < 0 {
			return false
		}
		text = text[at+utf8.RuneLen(r):]
	}
	return true
}

// line is what a line of the list holds: a heading, or a row.
type line struct {
	heading string
	row     int // -1 for a heading
}

// list holds the rows, those that match the filter, and the cursor.
type list struct {
	rows   []row
	known  bool // rows were given
	filter string

	lines  []line
	places []int // the lines that hold rows: where the cursor can stand
	at     int   // of places
	from   int   // the first line in sight
}

// set takes rows and gathers those of a group, in the order of their first.
func (l *list) set(given []Row) {
	now, stood := l.current()
	l.rows, l.known = l.rows[:0:0], true
	var groups []string
	byGroup := map[string][]row{}
	for _, r := range given {
		r := newRow(r)
		if _, seen := byGroup[r.Group]; !seen {
			groups = append(groups, r.Group)
		}
		byGroup[r.Group] = append(byGroup[r.Group], r)
	}
	for _, g := range groups {
		l.rows = append(l.rows, byGroup[g]...)
	}
	l.arrange()
	if stood {
		l.stand(now.Key)
	}
}

func (l *list) setFilter(words string) {
	now, stood := l.current()
	l.filter = words
	l.arrange()
	if stood && !l.stand(now.Key) {
		l.at = 0
	}
}

// arrange lays out the rows that match under their headings: those that hold the
// words, and where none does, those whose names resemble them.
func (l *list) arrange() {
	words := strings.Fields(strings.ToLower(l.filter))
	l.arrangeBy(func(r row) bool { return r.matches(words) })
	if len(l.places) == 0 {
		l.arrangeBy(func(r row) bool { return r.resembles(words) })
	}
	l.at = min(l.at, max(len(l.places)-1, 0))
}

func (l *list) arrangeBy(matches func(row) bool) {
	l.lines, l.places = nil, nil
	group := ""
	for i, r := range l.rows {
		if !matches(r) {
			continue
		}
		if r.Group != group {
			group = r.Group
			l.lines = append(l.lines, line{heading: group, row: -1})
		}
		l.places = append(l.places, len(l.lines))
		l.lines = append(l.lines, line{row: i})
	}
}

// stand puts the cursor on a row, if it is among those that match.
func (l *list) stand(key string) bool {
	at := slices.IndexFunc(l.places, func(p int) bool { return l.rows[l.lines[p].row].Key == key })
	if at >= 0 {
		l.at = at
	}
	return at >= 0
}

func (l *list) current() (row, bool) {
	if len(l.places) == 0 {
		return row{}, false
	}
	return l.rows[l.lines[l.places[l.at]].row], true
}

// move puts the cursor n rows further, and stops at the ends.
func (l *list) move(n int) { l.at = max(min(l.at+n, len(l.places)-1), 0) }

// sight gives the lines that are seen through height of them, and the number of
// the first. Around the cursor a margin stays in sight, and with it the heading.
func (l *list) sight(height int) ([]line, int) {
	if len(l.places) == 0 || height < 1 {
		return nil, 0
	}
	margin := min(2, (height-1)/2)
	at := l.places[l.at]
	l.from = max(min(l.from, at-margin), at+margin-height+1)
	l.from = max(min(l.from, len(l.lines)-height), 0)
	return l.lines[l.from:min(l.from+height, len(l.lines))], l.from
}
