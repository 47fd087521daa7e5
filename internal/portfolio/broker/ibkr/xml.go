package ibkr

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Bounds of a Flex XML: queries are four levels deep and have some hundred fields.
const (
	mostDepth      = 12
	mostAttributes = 512
)

// gatherXML walks through a Flex Query. Its records are elements whose fields are
// attributes, inside of an element for their section.
func gatherXML(g *gatherer, f sheet.File) error {
	d := xml.NewDecoder(strings.NewReader(f.Text))
	d.Entity = map[string]string{}
	// The text is UTF-8 by now, whatever the document says of itself.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var path []string
	names := map[string]string{}
	for records := 0; ; {
		line, _ := d.InputPos()
		begin := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", f.Name, broker.ErrFormat, err)
		}
		switch token := token.(type) {
		case xml.Directive:
			return fmt.Errorf("%s, line %d: %w: a Flex Query has no DOCTYPE", f.Name, line, broker.ErrFormat)
		case xml.StartElement:
			if len(path) >= mostDepth || len(token.Attr) > mostAttributes {
				return fmt.Errorf("%s, line %d: %w: nested too deeply or too many attributes", f.Name, line, broker.ErrFormat)
			}
			path = append(path, token.Name.Local)
			if r := recordOf(token, names); len(path) > 1 && len(r.fields) > 0 && !isFrame(token.Name.Local) {
				if records++; records > sheet.MostRows {
					return fmt.Errorf("%s, line %d: %w: more than %d records", f.Name, line, sheet.ErrTooLarge, sheet.MostRows)
				}
				r.row = sheet.Row{Line: line, Cells: []string{f.Text[begin:d.InputOffset()]}}
				g.record(path[len(path)-2], token.Name.Local, r)
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// isFrame tells elements around records.
func isFrame(element string) bool {
	return element == "FlexQueryResponse" || element == "FlexStatements" || element == "FlexStatement"
}

// recordOf takes the attributes of an element for fields. Names keeps how each is
// spelled.
func recordOf(e xml.StartElement, names map[string]string) record {
	r := record{fields: make([]field, 0, len(e.Attr))}
	for _, attribute := range e.Attr {
		name, known := names[attribute.Name.Local]
		if !known {
			name = spelled(attribute.Name.Local)
			names[attribute.Name.Local] = name
		}
		if value := strings.TrimSpace(attribute.Value); value != "" {
			r.fields = append(r.fields, field{name, value})
		}
	}
	return r
}

// record hands a record to the section it belongs to.
func (g *gatherer) record(section, element string, r record) {
	switch {
	case element == "Trade" || element == "Order" && section == "Trades":
		g.trade(r)
	case section == "Trades":
		g.sums = append(g.sums, r.row)
	case element == "CashTransaction":
		g.payment(r)
	case element == "CorporateAction":
		g.action(r)
	case element == "Transfer":
		g.transfers = append(g.transfers, r)
	case isReport(section) || isReport(element):
		g.Ignore(r.row, "a report, not a transaction")
	default:
		g.Problem(r.row, "section %s is not read: check that what it has is among the cash transactions, and record it by hand else", sheet.Shorten(section))
	}
}

// isReport tells sections that repeat or sum up what others record.
func isReport(section string) bool {
	switch spelled(section) {
	case "accountinformation", "cashreport", "changeinnav", "openpositions", "equitysummaryinbase", "securitiesinfo", "conversionrates",
		"fxlots", "fxpositions", "stmtfunds", "netstockpositionsummary", "priorperiodpositions", "mtmperformancesummaryinbase",
		"fifoperformancesummaryinbase", "mtdytdperformancesummary", "changeindividendaccruals", "opendividendaccruals",
		"changeinpositionvalues", "interestaccruals", "tierinterestdetails", "fxtransactions",
		"financialinstrumentinformation", "statement", "netassetvalue", "marktomarketperformancesummary", "codes",
		"realizedunrealizedperformancesummary", "forexbalances", "baseexchangerate", "basecurrencyexchangerate", "noteslegalnotes", "notes",
		"tradesummary", "tradesummarybysymbol", "tradesummarybyassetclass", "commissiondetails", "locationofcustomerassetspositionsandmoney",
		"monthytdperformancesummary", "monthyeartodateperformancesummary", "performancebysymbol", "positionsandmarktomarketprofitandloss",
		"stockyieldenhancementprogramsecuritieslent", "securitieslent":
		return true
	}
	return false
}
