package edgar

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// FilingSection returns one item of a filing's main document. The document is cached, because filed documents
// do not change.
func (s *Source) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	var none market.FilingSection
	doing := fmt.Sprintf("%s of filing %.40s", item, accession)
	number, err := market.ParseAccession(accession)
	if err != nil {
		return none, err
	}
	f, row, err := s.locate(ctx, number, doing)
	if err != nil {
		return none, err
	}
	if row.document == "" {
		return none, s.client.NewError(doing, market.ErrNoData, "EDGAR names no main document; read the filing at "+s.hosts.index(f.cik, number))
	}
	doc, answer, err := getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.document(f.cik, number, row.document), Fresh: client.Forever, Check: responseCheck(market.ErrUnknownSymbol),
	}, func(document []byte) (Document, error) {
		return s.lastDocument.get(number, func() (Document, error) { return ParseDocument(document, row.form) })
	})
	if err != nil {
		return none, err
	}
	filing := s.filing(f, row, answer)
	filing.Contents = doc.Items()
	filing.Provenance.Endpoint = "Archives"
	text, err := doc.Section(item)
	if err != nil {
		return none, fmt.Errorf("%s of %s filed %s: %w", filing.Form, f.Name, filing.Filed.Format("2006-01-02"), err)
	}
	return market.FilingSection{
		Filing: filing, FilingItem: text.Item, Text: text.Text, Method: text.Method,
		Confidence: text.Confidence, CrossReference: text.CrossReference, Warnings: text.Warnings,
	}, nil
}
