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

// formatChoice is how to parse a file.
type formatChoice struct {
	format importer.Format
	save   *importer.Mapping // after the first import that uses it
	// ownAccounts is true if the lines of the file name their accounts.
	ownAccounts bool
}

// choose returns the format or mapping that the call names, or the only format that recognizes the
// file. If there is none, the error proposes a mapping.
func (d Deps) choose(ctx context.Context, in importInput, f importer.File, o importer.Options) (formatChoice, error) {
	named := 0
	for _, chosen := range []bool{in.Format != "", in.Mapping != "", in.NewMapping != nil} {
		if chosen {
			named++
		}
	}
	switch {
	case named > 1:
		return formatChoice{}, fmt.Errorf("%w: set only one of format, mapping and new_mapping", errImport)
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
		return formatChoice{}, fmt.Errorf("%w: %s is the name of a format; choose another name for the mapping", errImport, m.Name)
	}
	if err := m.Validate(); err != nil {
		return formatChoice{}, toolkit.Errorf("%w: mapping %.60q: %w\n%s", errImport, m.Name, err, fileSample(f))
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
		return m, fmt.Errorf("%w: saved mappings are unavailable; use new_mapping", errImport)
	}
	doc, ok, err := d.Mappings.Mapping(ctx, name)
	if err != nil {
		return m, fmt.Errorf("mapping %.60q: %w", name, err)
	}
	if !ok {
		return m, fmt.Errorf("%w: no mapping %.60q; %s", errImport, name, d.savedNames(ctx))
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("%w: cannot read the saved mapping %.60q: %w; replace it with new_mapping", errImport, name, err)
	}
	return m, nil
}

func (d Deps) savedNames(ctx context.Context) string {
	if d.Mappings == nil {
		return "none are saved"
	}
	names, err := d.Mappings.Mappings(ctx)
	if err != nil || len(names) == 0 {
		return "none are saved"
	}
	return fmt.Sprintf("saved mappings: %q", names)
}

// These bounds keep a hostile file from filling the answer.
const (
	maxQuestions    = 15
	maxMappingBytes = 6 << 10
)

// mappingProposal returns the error for a file that no format recognizes. It proposes a mapping:
// what the file shows, and questions for the user.
func (d Deps) mappingProposal(ctx context.Context, f importer.File, o importer.Options, cause error) error {
	m, questions := importer.GuessMapping(f)
	text, err := toolkit.EncodeResult(m)
	if m.Columns.Date == "" || err != nil || len(text) > maxMappingBytes {
		return toolkit.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), fileSample(f))
	}
	// A cell of the file may contain an amount.
	public := m
	public.Kinds = maps.Clone(m.Kinds)
	maps.DeleteFunc(public.Kinds, func(word, _ string) bool { return strings.ContainsFunc(word, unicode.IsNumber) })
	publicText, err := toolkit.EncodeResult(public)
	if err != nil {
		return err
	}
	const beginWith = "proposed mapping for new_mapping; set name to the broker's name: "
	out := ownLines{tool.Note{Text: beginWith + text, Public: beginWith + publicText}}
	for i, question := range questions {
		if i == maxQuestions {
			out.add("and %d more questions", len(questions)-maxQuestions)
			break
		}
		out.add("- to clarify: %s", toolkit.OwnWords(question))
	}
	if len(questions) == 0 {
		out = append(out, previewMapping(f, m, o)...)
	} else {
		out = append(out, fileSample(f)...)
	}
	return toolkit.Errorf("%w; %s\n%s", cause, d.savedNames(ctx), out)
}

// previewMapping shows the transactions that a mapping makes of the first lines.
func previewMapping(f importer.File, m importer.Mapping, o importer.Options) ownLines {
	m.Name = "proposed"
	// As in the import itself, an account named in a line has priority.
	if m.Fixed.Account == "" {
		m.Fixed.Account = positions.DefaultAccount
	}
	readings, err := importer.PreviewMapped(f, m, o, maxSampleLines)
	if err != nil {
		return fileSample(f)
	}
	var out ownLines
	out.add("the first lines, read with this mapping:")
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
