package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/humanize"
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
	// For a table of an unknown broker, the confirmation shows how its columns are read, with examples.
	columns, examples ownLines
}

// choose returns the format or mapping that the call names, or the only format that recognizes the
// file. If there is none, it returns a mapping.
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
		return byMapping(*in.NewMapping, f, true)
	case in.Mapping != "":
		m, err := d.savedMapping(ctx, strings.TrimSpace(in.Mapping))
		if err != nil {
			return formatChoice{}, err
		}
		return byMapping(m, f, false)
	}
	var format importer.Format
	var err error
	if in.Format != "" {
		if format, err = importer.FindFormat(Formats(), in.Format); err != nil {
			return formatChoice{}, fmt.Errorf("%w: %w", errImport, err)
		}
	} else if format, err = importer.Detect(Formats(), f); err != nil {
		return d.chooseMapping(ctx, in, f, o, fmt.Errorf("%w: %w", errImport, err))
	}
	if len(in.Columns) > 0 {
		return formatChoice{}, fmt.Errorf("%w: %s has the format %s, which nfa knows; omit columns", errImport, f.Name, format.Name)
	}
	return formatChoice{format: format, ownAccounts: format.Name == importer.Native().Name}, nil
}

// chooseMapping returns the mapping of a table of an unknown broker: the saved one that fits it, else a
// guess, which the confirmation shows with examples. If the guess is incomplete, the error asks the
// questions.
func (d Deps) chooseMapping(ctx context.Context, in importInput, f importer.File, o importer.Options, cause error) (formatChoice, error) {
	columns, conventions := importer.MappingFields()
	for field := range in.Columns {
		if known := slices.Concat(columns, conventions); !slices.Contains(known, field) {
			return formatChoice{}, fmt.Errorf("%w: columns: unknown field %.40q; use one of %s", errImport, field, strings.Join(known, ", "))
		}
	}
	m, saved, err := d.fittingMapping(ctx, f)
	if err != nil {
		return formatChoice{}, err
	}
	learned := len(in.Meanings) > 0
	guess, _ := importer.GuessMapping(f, importer.Corrections{Fields: in.Columns, Kinds: in.Meanings})
	if saved && len(in.Columns) == 0 {
		for word, meaning := range guess.Kinds { // words that the earlier files did not have
			if _, known := m.Kinds[word]; !known && meaning != "" {
				m.AddKinds(map[string]string{word: meaning})
				learned = true
			}
		}
		m.AddKinds(in.Meanings)
	} else {
		if guess.Name = m.Name; !saved {
			guess.Name = d.mappingName(ctx, in.Account, f)
		}
		m, learned = guess, true
	}
	questions := m.OpenQuestions()
	if m.Columns.Currency == "" && m.Fixed.Currency == "" && o.Currency == "" && !importer.NamesCurrency(f, m) {
		questions = append(questions, "currency: the file does not name the currency of its amounts")
	}
	if len(questions) > 0 {
		return formatChoice{}, mappingProposal(f, m, questions, cause)
	}
	if m.Columns.Account != "" {
		m.Fixed.Account = cmp.Or(m.Fixed.Account, m.Name)
	}
	c, err := byMapping(m, f, learned)
	c.columns, c.examples = describeMapping(f, m), previewMapping(f, m, o)
	return c, err
}

// fittingMapping returns the only saved mapping whose columns the file has.
func (d Deps) fittingMapping(ctx context.Context, f importer.File) (importer.Mapping, bool, error) {
	if d.Mappings == nil {
		return importer.Mapping{}, false, nil
	}
	names, err := d.Mappings.Mappings(ctx)
	if err != nil {
		return importer.Mapping{}, false, fmt.Errorf("list saved mappings: %w", err)
	}
	var fitting []importer.Mapping
	for _, name := range names {
		// A mapping that cannot be read fits no file. If the call names it, the error says why.
		if m, err := d.savedMapping(ctx, name); err == nil && m.Fits(f) {
			fitting = append(fitting, m)
		}
	}
	if len(fitting) != 1 {
		return importer.Mapping{}, false, nil
	}
	return fitting[0], true, nil
}

// mappingName returns a new name for the mapping of a file: the account's, else the first word of
// the file's name.
func (d Deps) mappingName(ctx context.Context, account string, f importer.File) string {
	base := cmp.Or(strings.TrimSpace(account), strings.ToLower(strings.FieldsFunc(f.Name+" table", func(r rune) bool { return !unicode.IsLetter(r) })[0]))
	if slices.ContainsFunc(Formats(), func(known importer.Format) bool { return strings.EqualFold(known.Name, base) }) {
		base += " table"
	}
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s %d", base, n)
		}
		if d.Mappings == nil {
			return name
		}
		if _, taken, err := d.Mappings.Mapping(ctx, name); !taken || err != nil {
			return name
		}
	}
}

func byMapping(m importer.Mapping, f importer.File, save bool) (formatChoice, error) {
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

// mappingProposal returns the error for a table that a guess cannot read: what it guessed, and what
// the user can answer.
func mappingProposal(f importer.File, m importer.Mapping, questions []string, cause error) error {
	text, err := toolkit.EncodeResult(m)
	if m.Columns.Date == "" || err != nil || len(text) > maxMappingBytes {
		return toolkit.Errorf("%w; set columns, such as date=COLUMN\n%s", cause, fileSample(f))
	}
	// A cell of the file may contain an amount.
	public := m
	public.Kinds = maps.Clone(m.Kinds)
	maps.DeleteFunc(public.Kinds, func(word, _ string) bool { return strings.ContainsFunc(word, unicode.IsNumber) })
	publicText, err := toolkit.EncodeResult(public)
	if err != nil {
		return err
	}
	out := describeMapping(f, m)
	for i, question := range questions {
		if i == maxQuestions {
			out.add("and %s", humanize.Count(len(questions)-maxQuestions, "more question", "more questions"))
			break
		}
		out.add("- to clarify: %s", toolkit.OwnWords(question))
	}
	out.add("set columns, such as fee=COLUMN or totals=net; meanings, such as WORD=dividend; or currency")
	out = append(out, fileSample(f)...)
	const asJSON = "or as a mapping for new_mapping; set name to the broker's name: "
	out = append(out, tool.Note{Text: asJSON + text, Public: asJSON + publicText})
	return toolkit.Errorf("%w\n%s", cause, out)
}

// describeMapping lists the fields with their columns, and the columns that are not read.
func describeMapping(f importer.File, m importer.Mapping) ownLines {
	columns, conventions := importer.MappingFields()
	read := m.Described()
	var parts []string
	for _, field := range slices.Concat(columns, conventions) {
		if value := read[field]; value != "" {
			if field == "decimal" {
				value = strconv.Quote(value)
			}
			parts = append(parts, field+"="+value)
		}
	}
	var out ownLines
	out.add("reads the columns as: %s", toolkit.OwnWords(strings.Join(parts, ", ")))
	if unread := m.Unread(f); len(unread) > 0 {
		out.add("ignores: %s", toolkit.OwnWords(strings.Join(unread, ", ")))
	}
	return out
}

// maxExamples is the number of lines shown as examples.
const maxExamples = 3

// previewMapping shows how a mapping reads the first lines of each kind.
func previewMapping(f importer.File, m importer.Mapping, o importer.Options) ownLines {
	// As in the import itself, an account named in a line has priority.
	m.Fixed.Account = cmp.Or(m.Fixed.Account, m.Name)
	readings, err := importer.PreviewMapped(f, m, o, maxPreviewLines)
	if err != nil {
		return fileSample(f)
	}
	var out ownLines
	shown := map[string]bool{}
	for _, r := range readings {
		kind := r.Problem + r.Ignored
		if len(r.Entries) > 0 {
			kind = string(r.Entries[0].Transaction.Kind)
		}
		if shown[kind] || len(shown) == maxExamples {
			continue
		}
		shown[kind] = true
		line := fmt.Sprintf("  line %d: %s", r.Row.Line, toolkit.OwnWords(r.Row.Text()))
		out = append(out, tool.Note{Text: line, Public: fmt.Sprintf("  line %d", r.Row.Line)})
		for _, e := range r.Entries {
			out = append(out, tool.Note{Text: "    is " + positions.DescribeTransaction(e.Transaction), Public: "    is " + positions.TransactionLabel(e.Transaction)})
		}
		if text := r.Problem + r.Ignored; text != "" {
			out.add("    is left out: %s", toolkit.OwnWords(text))
		}
	}
	return out
}

// maxPreviewLines are searched for examples.
const maxPreviewLines = 500
