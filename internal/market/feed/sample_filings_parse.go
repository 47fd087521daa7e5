package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// sectionText is an item with its text.
type sectionText struct {
	market.FilingItem
	text string
}

const sampleFilingColumns = "accession,form,filed,period,items,document"

// parseSampleFilings reads a company's list of filings, newest first.
func parseSampleFilings(text []byte) ([]market.Filing, error) {
	t, err := openSampleTable(text)
	if err != nil {
		return nil, err
	}
	provenance, err := t.provenance()
	if err != nil {
		return nil, err
	}
	if err := t.require("symbol", "company", "cik"); err != nil {
		return nil, err
	}
	if strings.Join(t.columns, ",") != sampleFilingColumns {
		return nil, fmt.Errorf("columns %q are not those of filings", strings.Join(t.columns, ","))
	}
	var all []market.Filing
	cells := make([][]byte, len(t.columns))
	for {
		more, err := t.next(cells)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		one, err := parseFilingRow(cells)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", t.line-1, err)
		}
		if n := len(all); n > 0 && one.Filed.After(all[n-1].Filed) {
			return nil, fmt.Errorf("line %d: %s is newer than the filing before", t.line-1, cells[2])
		}
		one.Company, one.CIK, one.Symbol = t.head["company"], t.head["cik"], market.Symbol(t.head["symbol"])
		one.URL = documentURL(one, string(cells[5]))
		one.Provenance = provenance
		one.Provenance.AsOf, one.Provenance.Unit = one.Filed, "document"
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, errors.New("no filings")
	}
	return all, nil
}

func parseFilingRow(cells [][]byte) (market.Filing, error) {
	accession, err := market.ParseAccession(string(cells[0]))
	if err != nil {
		return market.Filing{}, err
	}
	f := market.Filing{Accession: accession, Form: string(cells[1]), Items: strings.Fields(string(cells[4]))}
	if f.Form == "" || len(cells[5]) == 0 {
		return market.Filing{}, errors.New("no form or no document")
	}
	if f.Filed, err = parseSampleDate(cells[2]); err != nil {
		return market.Filing{}, fmt.Errorf("filed: %w", err)
	}
	if len(cells[3]) > 0 {
		if f.Period, err = parseSampleDate(cells[3]); err != nil {
			return market.Filing{}, fmt.Errorf("period: %w", err)
		}
	}
	return f, nil
}

func documentURL(f market.Filing, document string) string {
	return fmt.Sprintf("https://www.sec.gov/Archives/edgar/data/%s/%s/%s",
		strings.TrimLeft(f.CIK, "0"), strings.ReplaceAll(f.Accession, "-", ""), document)
}

// parseSampleSections reads a filing's text: sections, each after a line
// "= part | item | title".
func parseSampleSections(text []byte) ([]sectionText, error) {
	var all []sectionText
	begin := 0 // of the text of the section that is being read
	for at, n := 0, 1; at < len(text); n++ {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		next := min(at+len(line)+1, len(text))
		if head, ok := bytes.CutPrefix(line, []byte("= ")); ok {
			item, err := parseItemHeading(string(head))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			if len(all) > 0 {
				all[len(all)-1].text = string(text[begin:at])
			}
			all, begin = append(all, sectionText{FilingItem: item}), next
		} else if len(all) == 0 {
			return nil, fmt.Errorf("line %d: text before the first section", n)
		}
		at = next
	}
	if len(all) == 0 {
		return nil, errors.New("no sections")
	}
	all[len(all)-1].text = string(text[begin:])
	return all, nil
}

func parseItemHeading(head string) (market.FilingItem, error) {
	parts := strings.SplitN(head, "|", 3)
	if len(parts) != 3 {
		return market.FilingItem{}, fmt.Errorf("%.60q is not part, item and title", head)
	}
	part, number, title := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])
	item, err := market.ParseFilingItem(strings.TrimSpace(part + " - " + number))
	if part == "" {
		item, err = market.ParseFilingItem(number)
	}
	item.Title = title
	return item, err
}
