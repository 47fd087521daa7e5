package ledger

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// These bounds limit the sample of a file in an error.
const (
	maxSampleLines  = 4
	maxSampleCells  = 60
	maxSampleHeader = 2000 // bytes
)

// fileSample returns the first lines of a file. If amounts are hidden, a model reads only the
// header and the kinds of the cells below it, which is enough to map the columns.
func fileSample(f importer.File) ownLines {
	var out ownLines
	rows, err := importer.File{Name: f.Name, Text: textHead(f.Text)}.Rows(0)
	if err != nil {
		out.add("the file is not a table")
		return out
	}
	out = append(out, tool.Note{
		Text:   "first lines (" + toolkit.OutsideTextNote + "):",
		Public: "first lines; only the header is shown (" + toolkit.OutsideTextNote + "; " + toolkit.AmountsHiddenNote + "):",
	})
	rows = rows[:min(len(rows), maxSampleLines)]
	header := headerOf(rows)
	for i, r := range rows {
		public := fmt.Sprintf("- line %d, cell types: %s", r.Line, cellKinds(r))
		if i == header {
			names := strings.Join(strings.Fields(toolkit.OwnWords(strings.Join(r.Cells, ", ")).Redacted()), " ")
			public = fmt.Sprintf("- line %d: %s", r.Line, strings.ToValidUTF8(names[:min(len(names), maxSampleHeader)], ""))
		}
		out = append(out, tool.Note{Text: fmt.Sprintf("- line %d: %s", r.Line, r.Text()), Public: public})
	}
	return out
}

// headerOf returns the index of the row with the most names and no numbers or dates, -1 if no row
// has two names.
func headerOf(rows []importer.Row) int {
	header, most := -1, 1
	for i, r := range rows {
		names := 0
		for _, cell := range r.Cells {
			switch cellKind(cell) {
			case "text":
				names++
			case "number", "date":
				names = -len(r.Cells)
			}
		}
		if names > most {
			header, most = i, names
		}
	}
	return header
}

func cellKinds(r importer.Row) string {
	var kinds []string
	for i, cell := range r.Cells {
		if i == maxSampleCells {
			kinds = append(kinds, fmt.Sprintf("and %d more", len(r.Cells)-i))
			break
		}
		kinds = append(kinds, cellKind(cell))
	}
	return strings.Join(kinds, ", ")
}

var (
	dateCell     = lazyregexp.New(`(?i)^(?:\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}|(?:19|20)\d{6}|\d{1,2}:\d{2}|\d{1,2}[-. ]*(?:` + months + `)|(?:` + months + `)[a-z]*[. ]+\d)(?:\D|$)`)
	currencyCell = lazyregexp.New(`^[A-Z]{3} ?|\p{Sc}| ?[A-Z]{3}$`)
)

const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

// cellKind returns text, number, date or empty.
func cellKind(cell string) string {
	cell = strings.TrimSpace(cell)
	switch {
	case cell == "":
		return "empty"
	case !strings.ContainsFunc(cell, unicode.IsNumber):
		return "text"
	case dateCell().MatchString(cell):
		return "date"
	case len(importer.NumberReadings(currencyCell().ReplaceAllString(cell, ""), importer.DecimalPoint)) > 0:
		return "number"
	}
	return "text"
}

// textHead returns the start of a text, cut at the end of a line.
func textHead(text string) string {
	const limit = 16 << 10
	if len(text) <= limit {
		return text
	}
	return text[:strings.LastIndexByte(text[:limit], '\n')+1]
}

// ownLines are lines of an error that quote the user's file. Each has a second text for a model
// while amounts are hidden.
type ownLines toolkit.Notes

func (l *ownLines) add(format string, args ...any) { (*toolkit.Notes)(l).Note("", format, args...) }

func (l ownLines) String() string {
	var texts []string
	for _, line := range l {
		texts = append(texts, line.Text)
	}
	return strings.Join(texts, "\n")
}

// Redacted implements [tool.Redactor].
func (l ownLines) Redacted() string {
	var texts []string
	for _, line := range l {
		texts = append(texts, line.Public)
	}
	return strings.Join(texts, "\n")
}
