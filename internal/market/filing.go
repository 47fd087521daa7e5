package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Filing is a document that a company filed with its regulator.
type Filing struct {
	Accession string `json:"accession"` // "0000320193-24-000123"
	Form      string `json:"form"`      // as the regulator writes it: "10-K", "8-K", "10-K/A"
	Filed     Date   `json:"filed"`
	// Period is the last day of the reported period, or the day of the event; zero if the form has
	// none.
	Period  Date   `json:"period,omitzero"`
	Company string `json:"company"`
	Symbol  Symbol `json:"symbol"`
	CIK     string `json:"cik"` // ten digits
	URL     string `json:"url"` // of the main document
	// Items are the events of an 8-K ("2.02", "5.02"); empty for other forms.
	Items []string `json:"items,omitempty"`
	// Contents are the readable sections, if known before the document is opened.
	Contents   []FilingItem `json:"contents,omitempty"`
	Provenance Provenance   `json:"provenance"`
}

// Amends reports whether the filing changes an earlier one, possibly only in part.
func (f Filing) Amends() bool { return strings.HasSuffix(f.Form, "/A") }

// FilingQuery narrows a list of filings. The zero value asks for all.
type FilingQuery struct {
	// Forms are the accepted forms; empty means all. An amendment ("10-K/A") counts as its form.
	Forms []string
	Filed Range
	Limit int // maximum number of filings, newest first; zero or less means no limit
}

// Matches reports whether f matches the query.
func (q FilingQuery) Matches(f Filing) bool {
	form := strings.TrimSuffix(f.Form, "/A")
	wanted := func(candidate string) bool {
		return strings.EqualFold(candidate, form) || strings.EqualFold(candidate, f.Form)
	}
	return q.Filed.Contains(f.Filed) && (len(q.Forms) == 0 || slices.ContainsFunc(q.Forms, wanted))
}

// Filter returns the matching filings, newest first.
func (q FilingQuery) Filter(filings []Filing) []Filing {
	var out []Filing
	for _, f := range filings {
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		if q.Matches(f) {
			out = append(out, f)
		}
	}
	return out
}

// FilingSection is one item of a filing as text.
type FilingSection struct {
	Filing Filing `json:"filing"`
	FilingItem
	Text string `json:"text"`
	// Method is how the section was found ("contents", "headings"), with a Confidence from 0 to 1.
	Method     string  `json:"method"`
	Confidence float64 `json:"confidence"`
	// CrossReference means that the section mostly refers to another document or section.
	CrossReference bool     `json:"cross_reference,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
}

// maxReferenceLen is more than a section needs that only refers to another document.
const maxReferenceLen = 800

// IsCrossReference reports whether a section only refers to another place, as Part III of a 10-K usually
// does.
func IsCrossReference(text string) bool {
	if len(text) > maxReferenceLen {
		return false
	}
	// In an 8-K this phrase is about other filings, not a reference.
	text = strings.ReplaceAll(strings.ToLower(text), "not be deemed incorporated by reference", "")
	for _, phrase := range []string{
		"incorporated by reference", "incorporated herein by reference", "set forth in", "set forth under",
		"is included in", "are included in", "is contained in", "are contained in", "appears under", "appear under",
	} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}

// FilingSource provides filings and their sections. Filings lists newest first. An unlisted symbol
// yields ErrUnknownSymbol, a known one without matching filings ErrNoData. FilingSection yields
// ErrUnknownSymbol for an unknown accession. It yields ErrNoData, listing the available items, for
// an item that the filing does not have or has in several parts.
type FilingSource interface {
	Filings(ctx context.Context, sym Symbol, q FilingQuery) ([]Filing, error)
	FilingSection(ctx context.Context, accession string, item FilingItem) (FilingSection, error)
}

// ErrInvalidAccession means that a text cannot be an accession number.
var ErrInvalidAccession = errors.New("invalid accession number")

// ParseAccession parses an accession number with or without dashes and returns it with dashes. Other text
// yields ErrInvalidAccession.
func ParseAccession(text string) (string, error) {
	text = strings.TrimSpace(text)
	number := text
	if len(text) == 20 && text[10] == '-' && text[13] == '-' {
		number = text[:10] + text[11:13] + text[14:]
	}
	if len(number) != 18 || strings.ContainsFunc(number, func(r rune) bool { return r < '0' || r > '9' }) {
		return "", fmt.Errorf("%w %.40q; expected the form 0000320193-24-000123", ErrInvalidAccession, text)
	}
	return number[:10] + "-" + number[10:12] + "-" + number[12:], nil
}
