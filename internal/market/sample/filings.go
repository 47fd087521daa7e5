package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// filed is what the sample has of one company, newest first, and the sections of
// the filings whose text is there.
type filed struct {
	filings []market.Filing
	texts   map[string][]section // by accession
}

func loadFilings(files fs.FS, l listing) (filed, error) {
	path := "data/filings/" + l.file()
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return filed{}, fmt.Errorf("reading sample data: %w", err)
	}
	all, err := parseFilings(text)
	if err != nil {
		return filed{}, fmt.Errorf("parsing %s: %w", path, err)
	}
	f := filed{filings: all, texts: make(map[string][]section)}
	for i := range all {
		one := &all[i]
		if one.Symbol != l.Symbol {
			return filed{}, fmt.Errorf("parsing %s: it holds %s, not %s", path, one.Symbol, l.Symbol)
		}
		path := "data/filings/" + one.Accession + ".txt"
		text, err := fs.ReadFile(files, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // most filings are listed only
		}
		if err == nil {
			f.texts[one.Accession], err = parseSections(text)
		}
		if err != nil {
			return filed{}, fmt.Errorf("parsing %s: %w", path, err)
		}
		for _, s := range f.texts[one.Accession] {
			one.Contents = append(one.Contents, s.FilingItem)
		}
	}
	return f, nil
}

// Filings lists the filings of sym. An error for want of them names the companies
// that have some.
func (s *Source) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return nil, err
	}
	load, ok := s.filings[l.Symbol]
	if !ok {
		return nil, absent(fmt.Sprintf("the sample holds no filings of %s, only of %s", l.Symbol, s.filers()))
	}
	all, err := load()
	if err != nil {
		return nil, err
	}
	found := q.Of(all.filings)
	if len(found) == 0 {
		oldest, newest := all.filings[len(all.filings)-1].Filed, all.filings[0].Filed
		return nil, absent(fmt.Sprintf("the sample's %d filings of %s are of the forms %s, filed from %s to %s; none is what was asked for",
			len(all.filings), l.Symbol, strings.Join(formsOf(all.filings), ", "), oldest.Format(dateLayout), newest.Format(dateLayout)))
	}
	for i := range found {
		found[i] = ownFiling(found[i])
	}
	return found, nil
}

// ownFiling is a copy that a caller may change.
func ownFiling(f market.Filing) market.Filing {
	f.Items, f.Contents = slices.Clone(f.Items), slices.Clone(f.Contents)
	f.Provenance.Flags = slices.Clone(f.Provenance.Flags)
	return f
}

func (s *Source) filers() string {
	var out []string
	for _, l := range s.listings {
		if l.filings {
			out = append(out, string(l.Symbol))
		}
	}
	return strings.Join(out, ", ")
}

func formsOf(all []market.Filing) []string {
	var out []string
	for _, f := range all {
		if !slices.Contains(out, f.Form) {
			out = append(out, f.Form)
		}
	}
	return out
}

// FilingSection returns a section of one of the few filings whose text the
// sample holds.
func (s *Source) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	var none market.FilingSection
	if err := ctx.Err(); err != nil {
		return none, err
	}
	for _, l := range s.listings {
		if !l.filings {
			continue
		}
		all, err := s.filings[l.Symbol]()
		if err != nil {
			return none, err
		}
		if i := slices.IndexFunc(all.filings, func(f market.Filing) bool { return f.Accession == accession }); i >= 0 {
			return all.section(ownFiling(all.filings[i]), item)
		}
	}
	return none, fmt.Errorf("sample filing %q: %w", accession, market.ErrUnknownSymbol)
}

func (f filed) section(of market.Filing, item market.FilingItem) (market.FilingSection, error) {
	sections, ok := f.texts[of.Accession]
	if !ok {
		return market.FilingSection{}, absent(fmt.Sprintf("the sample lists the %s of %s filed %s without its text; it holds the text of %s",
			of.Form, of.Symbol, of.Filed.Format(dateLayout), f.readable()))
	}
	i, err := market.Pick(of.Contents, item)
	if err != nil {
		return market.FilingSection{}, fmt.Errorf("%s filed %s: %w", of.Form, of.Filed.Format(dateLayout), err)
	}
	text := sections[i].text
	return market.FilingSection{
		Filing: of, FilingItem: sections[i].FilingItem, Text: text, Method: "headings", Confidence: 1,
		CrossReference: market.RefersElsewhere(text),
	}, nil
}

// readable names the filings whose text is there.
func (f filed) readable() string {
	var out []string
	for _, one := range f.filings {
		if len(one.Contents) > 0 {
			out = append(out, fmt.Sprintf("%s (%s filed %s)", one.Accession, one.Form, one.Filed.Format(dateLayout)))
		}
	}
	return strings.Join(out, ", ")
}
