package report

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/trace"
)

// footnotePattern matches a footnote of the text itself.
var footnotePattern = lazyregexp.New(`\[\^([0-9]{1,6})\]`)

// lastTextNote returns the highest footnote number of the text itself. A table has none.
func (p *Provenance) lastTextNote(text string) int {
	if p.Format == CSV {
		return 0
	}
	last := 0
	for _, m := range footnotePattern().FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			last = max(last, n)
		}
	}
	return last
}

// markdown inserts the count below the title, a mark after each figure and the notes at the end.
func (p *Provenance) markdown(text string, numbers []trace.MatchedNumber) []byte {
	if len(numbers) == 0 {
		return []byte(endSentence(text))
	}
	marked := trace.Annotate(text, numbers, func(m trace.MatchedNumber) string { return footnote(m, text) })
	var b strings.Builder
	title, rest := splitTitle(marked)
	b.WriteString(title + p.headline() + "\n\n" + strings.TrimLeft(endSentence(rest), "\n"))
	if len(p.Figures) > 0 {
		b.WriteString("\n")
	}
	for _, f := range p.Figures {
		b.WriteString(noteMark(f.Note) + ": " + f.line(escapeMarkdown, inlineCode) + "\n")
	}
	return []byte(b.String())
}

func (p *Provenance) headline() string { return "> " + p.Summary() + "." }

// splitTitle splits a text after its title.
func splitTitle(text string) (title, rest string) {
	first, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(first, "# ") {
		return "", text
	}
	return first + "\n\n", rest
}

func footnote(m trace.MatchedNumber, text string) string {
	mark := noteMark(m.Note)
	switch m.Status {
	case trace.Untraced:
		mark = " " + untracedMark
	case trace.Contradicted:
		mark += " " + contradictedMark
	}
	if next := strings.TrimLeft(text[m.End:], "`"); strings.HasPrefix(next, "(") {
		mark += " " // otherwise it would become a link
	}
	return mark
}

func noteMark(n int) string { return "[^" + strconv.Itoa(n) + "]" }

// longestPart is the maximum length of one part of a note, in characters. The record has all of it.
const longestPart = 400

// line formats a note: what the figure is, and where it comes from. plain and code escape outside
// text.
func (f Figure) line(plain, code func(string) string) string {
	parts := []string{plain(strings.TrimSpace(cmp.Or(f.Label, f.ID, "figure") + " " + f.Value + " " + f.Unit))}
	add := func(name, text string, set func(string) string) {
		if text != "" {
			parts = append(parts, name+" "+set(text))
		}
	}
	if !f.AsOf.IsZero() {
		add("as of", formatTime(f.AsOf), plain)
	}
	add("source:", f.Source, plain)
	add("formula:", f.Formula, code)
	add("from:", strings.Join(f.Inputs, "; "), plain)
	add("tool:", strings.TrimSpace(f.Call.Name+" "+f.Call.Arguments), code)
	return strings.Join(parts, " · ")
}

// formatTime formats a time, as a date only if it is midnight UTC.
func formatTime(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, "`", `'`, `[`, `\[`, `<`, `\<`, `|`, `\|`)

// escapeMarkdown escapes text so that Markdown shows it unchanged.
func escapeMarkdown(text string) string { return markdownSigns.Replace(oneLine(text)) }

func inlineCode(text string) string { return "`" + strings.ReplaceAll(oneLine(text), "`", "'") + "`" }

// oneLine returns outside text on one line, shortened, and without control characters that could
// affect a terminal.
func oneLine(text string) string {
	r := []rune(strings.Join(strings.Fields(strings.Map(replaceUnsafe, text)), " "))
	if len(r) > longestPart {
		return string(r[:longestPart]) + "…"
	}
	return string(r)
}

func replaceUnsafe(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return -1
	}
	return r
}

func endSentence(text string) string { return strings.TrimRight(text, "\n") + "\n" }

// textOf returns the text of a report as Markdown, without the added count, marks and notes. Lines
// keep their numbers.
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

// removeMarks removes from a Markdown report what nfa inserted.
func (p *Provenance) removeMarks(text string) string {
	seen := false
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case !seen && strings.HasPrefix(bare, "> ") && p.isSummary(bare[2:]):
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

// isNote reports whether a line is one of the record's notes. Its text is not checked here, because
// notes are checked with the figures.
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

// hasNote reports whether a footnote number belongs to the record.
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
