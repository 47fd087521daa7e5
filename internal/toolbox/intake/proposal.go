package intake

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/mapped"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// What is shown of a file to find out how to read it.
const (
	mostSample = 4  // lines
	mostDoubts = 15 // and not all words of a long file
	// mostMapping keeps a hostile header from filling the answer.
	mostMapping = 6 << 10
)

// proposal is the error of a file that no format recognizes, with a mapping to
// begin with: what the file proves of itself, and what the user has to say.
func (d Deps) proposal(ctx context.Context, f sheet.File, o broker.Options, cause error) error {
	m, doubts := mapped.Guess(f)
	if m.Columns.Date == "" {
		return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), d.sample(f))
	}
	text, err := present.Encoded(m)
	if err != nil || len(text) > mostMapping {
		return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), d.sample(f))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a mapping to begin with, for new_mapping; give it the broker's name: %s\n", text)
	for i, doubt := range doubts {
		if i == mostDoubts {
			fmt.Fprintf(&b, "and %d more questions\n", len(doubts)-mostDoubts)
			break
		}
		fmt.Fprintf(&b, "- to be settled: %s\n", doubt)
	}
	if len(doubts) == 0 {
		b.WriteString(d.understood(f, m, o))
	} else {
		b.WriteString(d.sample(f))
	}
	return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), b.String())
}

// understood shows the first lines beside what the mapping makes of them.
func (d Deps) understood(f sheet.File, m mapped.Mapping, o broker.Options) string {
	m.Name = "proposed"
	// What the lines themselves name comes before it, as in the reading that follows.
	if m.Fixed.Account == "" {
		m.Fixed.Account = book.StandardAccount
	}
	readings, err := mapped.Preview(f, m, o, mostSample)
	if err != nil {
		return d.sample(f)
	}
	var b strings.Builder
	b.WriteString("the first lines as it reads them:\n")
	for _, r := range readings {
		for _, e := range r.Entries {
			fmt.Fprintf(&b, "- line %d: %s\n", r.Row.Line, d.VeilText(book.Booking(e.Transaction)))
		}
		if said := r.Problem + r.Ignored; said != "" {
			fmt.Fprintf(&b, "- line %d: %s\n", r.Row.Line, d.VeilText(said))
		}
	}
	return b.String()
}

// sample is how the file begins.
func (d Deps) sample(f sheet.File) string {
	rows, err := sheet.File{Name: f.Name, Text: head(f.Text)}.Rows(0)
	if err != nil {
		return "its lines: not a table"
	}
	var b strings.Builder
	b.WriteString("its first lines (" + present.Outside + "):\n")
	for _, r := range rows[:min(len(rows), mostSample)] {
		fmt.Fprintf(&b, "- line %d: %s\n", r.Line, d.VeilText(r.Text()))
	}
	return b.String()
}

// head is enough of a text for its first lines, cut at the end of one.
func head(text string) string {
	const most = 16 << 10
	if len(text) <= most {
		return text
	}
	return text[:strings.LastIndexByte(text[:most], '\n')+1]
}
