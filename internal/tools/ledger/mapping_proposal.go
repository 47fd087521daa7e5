package ledger

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Bounds of a proposal: a hostile file could fill the answer.
const (
	maxDoubts       = 15
	maxMappingBytes = 6 << 10
)

// mappingProposal is the error of a file that no format recognizes, with a mapping to
// begin with: what the file proves, and what the user has to say.
func (d Deps) mappingProposal(ctx context.Context, f importer.File, o importer.Options, cause error) error {
	m, doubts := importer.GuessMapping(f)
	text, err := toolkit.EncodeResult(m)
	if m.Columns.Date == "" || err != nil || len(text) > maxMappingBytes {
		return toolkit.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), fileSample(f))
	}
	// A word of the file may have an amount in it.
	public := m
	public.Kinds = maps.Clone(m.Kinds)
	maps.DeleteFunc(public.Kinds, func(word, _ string) bool { return strings.ContainsFunc(word, unicode.IsNumber) })
	publicText, err := toolkit.EncodeResult(public)
	if err != nil {
		return err
	}
	const beginWith = "a mapping to begin with, for new_mapping; give it the broker's name: "
	out := ownLines{tool.Note{Text: beginWith + text, Public: beginWith + publicText}}
	for i, doubt := range doubts {
		if i == maxDoubts {
			out.add("and %d more questions", len(doubts)-maxDoubts)
			break
		}
		out.add("- to be settled: %s", toolkit.OwnWords(doubt))
	}
	if len(doubts) == 0 {
		out = append(out, previewMapping(f, m, o)...)
	} else {
		out = append(out, fileSample(f)...)
	}
	return toolkit.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), out)
}

// previewMapping shows the transactions that a mapping makes of the first lines.
func previewMapping(f importer.File, m importer.Mapping, o importer.Options) ownLines {
	m.Name = "proposed"
	// An account that a line names comes before it, as in the import that follows.
	if m.Fixed.Account == "" {
		m.Fixed.Account = positions.DefaultAccount
	}
	readings, err := importer.PreviewMapped(f, m, o, maxSampleLines)
	if err != nil {
		return fileSample(f)
	}
	var out ownLines
	out.add("the first lines as this mapping reads them:")
	for _, r := range readings {
		for _, e := range r.Entries {
			line := fmt.Sprintf("- line %d: ", r.Row.Line)
			out = append(out, tool.Note{Text: line + positions.DescribeTransaction(e.Transaction), Public: line + positions.TransactionLabel(e.Transaction)})
		}
		if text := r.Problem + r.Ignored; text != "" {
			out.add("- line %d: %s", r.Row.Line, toolkit.OwnWords(text))
		}
	}
	return out
}
