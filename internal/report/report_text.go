package report

import (
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// textOf is the text of a report as Markdown, without what was added to it: the line
// that counts, the marks and the notes. Lines of Markdown keep their numbers.
func (p *Provenance) textOf(data []byte) (string, error) {
	switch p.Format {
	case HTML:
		return htmlText(data)
	case CSV:
		return p.csvText(data)
	}
	return p.removeMarks(string(data)), nil
}

var markPattern = lazyregexp.New(`\[\^([0-9]{1,6})\](?: \[contradicted\])?| \[untraced\]`)

// removeMarks takes out of a Markdown report what was put in.
func (p *Provenance) removeMarks(text string) string {
	headline, seen := p.headline(), false
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case !seen && bare == headline:
			seen = true
			b.WriteString("\n")
		case p.isNote(bare):
			b.WriteString("\n")
		default:
			b.WriteString(markPattern().ReplaceAllStringFunc(line, p.removeMark))
		}
	}
	return b.String()
}

// isNote reports whether a line is one of the record's notes, whatever it says:
// the notes are checked with the figures.
func (p *Provenance) isNote(line string) bool {
	m := footnotePattern().FindStringSubmatchIndex(line)
	return m != nil && m[0] == 0 && strings.HasPrefix(line[m[1]:], ": ") && p.hasNote(line[m[2]:m[3]])
}

func (p *Provenance) removeMark(mark string) string {
	if m := footnotePattern().FindStringSubmatch(mark); m != nil && !p.hasNote(m[1]) {
		return mark
	}
	return ""
}

// hasNote reports whether a footnote's number is one of the record's.
func (p *Provenance) hasNote(number string) bool {
	n, err := strconv.Atoi(number)
	return err == nil && n >= p.lowestNote() && n <= p.highestNote()
}

// lowestNote returns the number of the first note, because the notes of a record are numbered
// consecutively.
func (p *Provenance) lowestNote() int {
	if len(p.Figures) == 0 {
		return 1
	}
	return p.Figures[0].Note
}

func (p *Provenance) highestNote() int {
	if len(p.Figures) == 0 {
		return 0
	}
	return p.Figures[len(p.Figures)-1].Note
}
