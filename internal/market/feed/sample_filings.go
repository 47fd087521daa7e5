package feed

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
)

// companyFilings holds the sample filings of one company, newest first, and the sections of those
// with text.
type companyFilings struct {
	filings []market.Filing
	texts   map[string][]sectionText // by accession
}

// sectionText is an item with its text.
type sectionText struct {
	market.FilingItem
	text string
}

// loadSampleFilings reads a company's list of filings, newest first. Most filings have no text.
func loadSampleFilings(l catalogEntry) companyFilings {
	t := openSampleTable("filings/" + l.fileName())
	f := companyFilings{texts: make(map[string][]sectionText)}
	for _, row := range t.rows {
		one := market.Filing{
			Accession: t.cell(row, "accession"), Form: t.cell(row, "form"), Items: strings.Fields(t.cell(row, "items")),
			Filed: sampleDate(t.cell(row, "filed")), Period: sampleDate(t.cell(row, "period")),
			Company: t.head["company"], CIK: t.head["cik"], Symbol: l.Symbol, Provenance: t.provenance(),
		}
		one.URL = fmt.Sprintf("https://www.sec.gov/Archives/edgar/data/%s/%s/%s",
			strings.TrimLeft(one.CIK, "0"), strings.ReplaceAll(one.Accession, "-", ""), t.cell(row, "document"))
		one.Provenance.AsOf, one.Provenance.Unit = one.Filed, "document"
		path := "filings/" + one.Accession + ".txt"
		if _, err := fs.Stat(sampleFiles, "data/"+path); err == nil {
			f.texts[one.Accession] = parseSampleSections(string(readSampleFile(path)))
		}
		for _, s := range f.texts[one.Accession] {
			one.Contents = append(one.Contents, s.FilingItem)
		}
		f.filings = append(f.filings, one)
	}
	return f
}

// parseSampleSections parses a filing's text into sections, each after a line "= part | item | title".
func parseSampleSections(text string) []sectionText {
	var all []sectionText
	for section := range strings.SplitAfterSeq(strings.TrimPrefix(text, "= "), "\n= ") {
		heading, text, _ := strings.Cut(strings.TrimSuffix(section, "= "), "\n")
		parts := strings.SplitN(heading, "|", 3)
		item := market.FilingItem{Part: strings.TrimSpace(parts[0]), Item: strings.TrimSpace(parts[1]), Title: strings.TrimSpace(parts[2])}
		all = append(all, sectionText{item, text})
	}
	return all
}

// Filings lists the filings of sym. If it has none, the error lists the companies that do.
func (s *SampleSource) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	l, err := s.find(ctx, sym)
	if err != nil {
		return nil, err
	}
	load, ok := s.filings[l.Symbol]
	if !ok {
		return nil, market.NoDataError(fmt.Sprintf("the sample data has no filings for %s, only for %s", l.Symbol, s.filerList()))
	}
	all := load()
	found := q.Filter(all.filings)
	if len(found) == 0 {
		oldest, newest := all.filings[len(all.filings)-1].Filed, all.filings[0].Filed
		return nil, market.NoDataError(fmt.Sprintf("the sample data has no such filing; it has %s for %s (%s), filed from %s to %s",
			humanize.Count(len(all.filings), "filing", "filings"), l.Symbol, strings.Join(distinctForms(all.filings), ", "), oldest.Format(sampleDateLayout), newest.Format(sampleDateLayout)))
	}
	for i := range found {
		found[i] = cloneFiling(found[i])
	}
	return found, nil
}

// cloneFiling returns a copy that a caller may change.
func cloneFiling(f market.Filing) market.Filing {
	f.Items, f.Contents = slices.Clone(f.Items), slices.Clone(f.Contents)
	f.Provenance.Flags = slices.Clone(f.Provenance.Flags)
	return f
}

func (s *SampleSource) filerList() string {
	var out []string
	for _, l := range s.listings {
		if l.filings {
			out = append(out, string(l.Symbol))
		}
	}
	return strings.Join(out, ", ")
}

func distinctForms(all []market.Filing) []string {
	var out []string
	for _, f := range all {
		if !slices.Contains(out, f.Form) {
			out = append(out, f.Form)
		}
	}
	return out
}

// FilingSection returns a section of one of the few filings with text.
func (s *SampleSource) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	var zero market.FilingSection
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	for _, l := range s.listings {
		if !l.filings {
			continue
		}
		company := s.filings[l.Symbol]()
		if i := slices.IndexFunc(company.filings, func(f market.Filing) bool { return f.Accession == accession }); i >= 0 {
			return company.section(cloneFiling(company.filings[i]), item)
		}
	}
	return zero, fmt.Errorf("sample filing %q: %w", accession, market.ErrUnknownSymbol)
}

func (f companyFilings) section(filing market.Filing, item market.FilingItem) (market.FilingSection, error) {
	sections, ok := f.texts[filing.Accession]
	if !ok {
		return market.FilingSection{}, market.NoDataError(fmt.Sprintf("the sample data has no text for the %s of %s filed %s, only for %s",
			filing.Form, filing.Symbol, filing.Filed.Format(sampleDateLayout), f.filingsWithText()))
	}
	i, err := market.FindFilingItem(filing.Contents, item)
	if err != nil {
		return market.FilingSection{}, fmt.Errorf("%s filed %s: %w", filing.Form, filing.Filed.Format(sampleDateLayout), err)
	}
	text := sections[i].text
	return market.FilingSection{
		Filing: filing, FilingItem: sections[i].FilingItem, Text: text, Method: "headings", Confidence: 1,
		CrossReference: market.IsCrossReference(text),
	}, nil
}

// filingsWithText lists the filings with text.
func (f companyFilings) filingsWithText() string {
	var out []string
	for _, filing := range f.filings {
		if len(filing.Contents) > 0 {
			out = append(out, fmt.Sprintf("%s (%s filed %s)", filing.Accession, filing.Form, filing.Filed.Format(sampleDateLayout)))
		}
	}
	return strings.Join(out, ", ")
}
