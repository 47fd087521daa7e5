package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// formatChoice is how a file is read.
type formatChoice struct {
	format importer.Format
	save   *importer.Mapping // once it has been used
	// ownAccounts: the file says which accounts its lines are of.
	ownAccounts bool
}

// choose takes the format or mapping that the call names, or the one format that
// recognizes the file. Where none does, the error proposes a mapping.
func (d Deps) choose(ctx context.Context, in importInput, f importer.File, o importer.Options) (formatChoice, error) {
	named := 0
	for _, chosen := range []bool{in.Format != "", in.Mapping != "", in.NewMapping != nil} {
		if chosen {
			named++
		}
	}
	switch {
	case named > 1:
		return formatChoice{}, fmt.Errorf("%w: give one of format, mapping and new_mapping", errImport)
	case in.NewMapping != nil:
		return byMapping(*in.NewMapping, f, o, true)
	case in.Mapping != "":
		m, err := d.savedMapping(ctx, strings.TrimSpace(in.Mapping))
		if err != nil {
			return formatChoice{}, err
		}
		return byMapping(m, f, o, false)
	}
	var format importer.Format
	var err error
	if in.Format != "" {
		if format, err = importer.FindFormat(Formats(), in.Format); err != nil {
			return formatChoice{}, fmt.Errorf("%w: %w", errImport, err)
		}
	} else if format, err = importer.Detect(Formats(), f); err != nil {
		return formatChoice{}, d.mappingProposal(ctx, f, o, fmt.Errorf("%w: %w", errImport, err))
	}
	return formatChoice{format: format, ownAccounts: format.Name == importer.Native().Name}, nil
}

func byMapping(m importer.Mapping, f importer.File, o importer.Options, save bool) (formatChoice, error) {
	if slices.ContainsFunc(Formats(), func(known importer.Format) bool { return strings.EqualFold(known.Name, m.Name) }) {
		return formatChoice{}, fmt.Errorf("%w: %s is the name of a format; give the mapping another one", errImport, m.Name)
	}
	if err := m.Validate(); err != nil {
		return formatChoice{}, toolkit.Errorf("%w: the mapping %.60q: %w\n%s", errImport, m.Name, err, fileSample(f))
	}
	c := formatChoice{format: importer.MappedFormat(m), ownAccounts: m.Columns.Account != "" || m.Fixed.Account != ""}
	if save {
		c.save = &m
	}
	return c, nil
}

func (d Deps) savedMapping(ctx context.Context, name string) (importer.Mapping, error) {
	var m importer.Mapping
	if d.Mappings == nil {
		return m, fmt.Errorf("%w: mappings are not kept here; give it with new_mapping", errImport)
	}
	doc, ok, err := d.Mappings.Mapping(ctx, name)
	if err != nil {
		return m, fmt.Errorf("mapping %.60q: %w", name, err)
	}
	if !ok {
		return m, fmt.Errorf("%w: no mapping %.60q; %s", errImport, name, d.savedNames(ctx))
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("%w: the mapping %.60q that is kept cannot be read: %w; give it anew with new_mapping", errImport, name, err)
	}
	return m, nil
}

func (d Deps) savedNames(ctx context.Context) string {
	if d.Mappings == nil {
		return "none is saved"
	}
	names, err := d.Mappings.Mappings(ctx)
	if err != nil || len(names) == 0 {
		return "none is saved"
	}
	return fmt.Sprintf("saved are %q", names)
}

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
		out.add("- set %s", toolkit.OwnWords(doubt))
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
