package transcript

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// figureMarks returns the marks of the figures that are not traced: amber or red and underlined, or
// with a sign if there are no colors. If no figure of a table or a list is traced, its first line has
// one mark for all.
func figureMarks(st *widget.Styles, text string, figures []trace.MatchedNumber) []markdown.Mark {
	var marks []markdown.Mark
	for i := 0; i < len(figures); {
		if last, end := untracedBlock(text, figures, i); last > 1 {
			marks = append(marks, figureMark(st, trace.Untraced, end, end))
			i += last
			continue
		}
		if n := figures[i]; n.Status != trace.Traced {
			marks = append(marks, figureMark(st, n.Status, n.Start, n.End))
		}
		i++
	}
	return marks
}

func figureMark(st *widget.Styles, status trace.Status, start, end int) markdown.Mark {
	color, sign := st.Warn, "?"
	if status == trace.Contradicted {
		color, sign = st.Bad, "!"
	}
	m := markdown.Mark{Start: start, End: end}
	if color == "" {
		m.Suffix = sign
		return m
	}
	m.Style = markdown.Style("4").With(color)
	if start == end {
		m.Suffix = sign
	}
	return m
}

// rowPattern matches a line of a table or of a list.
var rowPattern = lazyregexp.New(`^ {0,3}(?:\||[-*+] |\d{1,3}[.)] )`)

// untracedBlock returns the number of figures in the table or list that contains figures[first], and the end
// of its first line. It returns 0, 0 if there is no such block or one of its figures has a source.
func untracedBlock(text string, figures []trace.MatchedNumber, first int) (count, end int) {
	start := strings.LastIndexByte(text[:figures[first].Start], '\n') + 1
	lineAt := func(i int) string {
		line, _, _ := strings.Cut(text[i:], "\n")
		return line
	}
	if !rowPattern().MatchString(lineAt(start)) {
		return 0, 0
	}
	stop := start
	for stop < len(text) && rowPattern().MatchString(lineAt(stop)) {
		stop = min(len(text), stop+len(lineAt(stop))+1)
	}
	for start > 0 {
		previous := strings.LastIndexByte(text[:start-1], '\n') + 1
		if !rowPattern().MatchString(lineAt(previous)) {
			break
		}
		start = previous
	}
	for _, n := range figures {
		if n.Start < start || n.Start >= stop {
			continue
		}
		if n.Status != trace.Untraced {
			return 0, 0
		}
		count++
	}
	return count, start + len(strings.TrimRight(lineAt(start), " |*_`\r"))
}
