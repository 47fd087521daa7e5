package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// What is shown of a file to find out how to read it.
const (
	maxSampleLines = 4  // lines
	maxDoubts      = 15 // and not all words of a long file
	// maxMappingBytes keeps a hostile header from filling the answer.
	maxMappingBytes = 6 << 10
)

// mappingProposal is the error of a file that no format recognizes, with a mapping to
// begin with: what the file proves of itself, and what the user has to say.
func (d ImportDeps) mappingProposal(ctx context.Context, f importer.File, o importer.Options, cause error) error {
	m, doubts := importer.GuessMapping(f)
	if m.Columns.Date == "" {
		return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), d.fileSample(f))
	}
	text, err := toolkit.EncodeResult(m)
	if err != nil || len(text) > maxMappingBytes {
		return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), d.fileSample(f))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a mapping to begin with, for new_mapping; give it the broker's name: %s\n", text)
	for i, doubt := range doubts {
		if i == maxDoubts {
			fmt.Fprintf(&b, "and %d more questions\n", len(doubts)-maxDoubts)
			break
		}
		fmt.Fprintf(&b, "- to be settled: %s\n", doubt)
	}
	if len(doubts) == 0 {
		b.WriteString(d.previewMapping(f, m, o))
	} else {
		b.WriteString(d.fileSample(f))
	}
	return fmt.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), b.String())
}

// previewMapping shows the first lines next to the transactions that the mapping makes of them.
func (d ImportDeps) previewMapping(f importer.File, m importer.Mapping, o importer.Options) string {
	m.Name = "proposed"
	// What the lines themselves name comes before it, as in the reading that follows.
	if m.Fixed.Account == "" {
		m.Fixed.Account = positions.DefaultAccount
	}
	readings, err := importer.PreviewMapped(f, m, o, maxSampleLines)
	if err != nil {
		return d.fileSample(f)
	}
	var b strings.Builder
	b.WriteString("the first lines as it reads them:\n")
	for _, r := range readings {
		for _, e := range r.Entries {
			fmt.Fprintf(&b, "- line %d: %s\n", r.Row.Line, d.MaskText(positions.DescribeTransaction(e.Transaction)))
		}
		if text := r.Problem + r.Ignored; text != "" {
			fmt.Fprintf(&b, "- line %d: %s\n", r.Row.Line, d.MaskText(text))
		}
	}
	return b.String()
}

// fileSample is how the file begins.
func (d ImportDeps) fileSample(f importer.File) string {
	rows, err := importer.File{Name: f.Name, Text: textHead(f.Text)}.Rows(0)
	if err != nil {
		return "its lines: not a table"
	}
	var b strings.Builder
	b.WriteString("its first lines (" + toolkit.OutsideTextNote + "):\n")
	for _, r := range rows[:min(len(rows), maxSampleLines)] {
		fmt.Fprintf(&b, "- line %d: %s\n", r.Line, d.MaskText(r.Text()))
	}
	return b.String()
}

// textHead is enough of a text for its first lines, cut at the end of one.
func textHead(text string) string {
	const limit = 16 << 10
	if len(text) <= limit {
		return text
	}
	return text[:strings.LastIndexByte(text[:limit], '\n')+1]
}
