package edgar

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// maxDocument limits the size of a document. The largest annual reports, those of banks, have about 40 MB
// including inline XBRL.
const maxDocument = 64 << 20

// ErrTooLarge means that a document is larger than any filing should be.
var ErrTooLarge = errors.New("document over 64 MB")

// Methods of finding a section.
const (
	MethodContents = "contents" // by the links of the table of contents
	MethodHeadings = "headings" // by lines that read like an item's heading
)

// Document is the text of a filing with the positions of its items. It is immutable and safe for
// concurrent use.
type Document struct {
	text     string
	sections []Section
}

// Section is one item of a document.
type Section struct {
	Item market.FilingItem
	Text string // starts with the item's heading, if any
	// Method is MethodContents or MethodHeadings.
	Method string
	// Confidence is 1 if contents, headings and the usual length agree, 0.9 or 0.8 with only one of
	// contents and headings, 0.7 if the two disagree, and at most 0.5 for an unusual length.
	Confidence float64
	// CrossReference means that the item mostly refers to another document or section.
	CrossReference bool
	Warnings       []string
	// From and To are the range in the whole text, in characters (not bytes).
	From, To int
}

// ParseDocument reads the main document of a filing. The form ("10-K", "10-Q/A") determines the
// items to find; the document of an unknown form has none. A document without any text yields
// market.ErrMalformed, one over 64 MB ErrTooLarge.
//
// The encoding is UTF-8; bytes that are not valid UTF-8 are read as Windows-1252.
func ParseDocument(doc []byte, form string) (Document, error) {
	if len(doc) > maxDocument {
		return Document{}, fmt.Errorf("reading a %s of %d bytes: %w", form, len(doc), ErrTooLarge)
	}
	p := readDocument(doc)
	if p.text == "" {
		return Document{}, fmt.Errorf("reading a %s: %w: no text", form, market.ErrMalformed)
	}
	return Document{text: p.text, sections: divideDocument(p, outlineOf(form))}, nil
}

// Text returns the text of the whole document.
func (d Document) Text() string { return d.text }

// Items returns the items of the document, in document order.
func (d Document) Items() []market.FilingItem {
	items := make([]market.FilingItem, len(d.sections))
	for i, s := range d.sections {
		items[i] = s.Item
	}
	return items
}

// Section returns one item. If the document lacks the item, or several parts have it and item names
// no part, the error is market.ErrNoData with the available items.
func (d Document) Section(item market.FilingItem) (Section, error) {
	i, err := market.FindFilingItem(d.Items(), item)
	if err != nil {
		return Section{}, err
	}
	found := d.sections[i]
	found.Warnings = slices.Clone(found.Warnings)
	return found, nil
}
