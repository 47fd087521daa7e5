package importer

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of a Flex XML: queries are four levels deep and have some hundred fields.
const (
	maxIBKRXMLDepth   = 12
	maxIBKRAttributes = 512
)

// gatherIBKRFlexXML walks through a Flex Query. Its records are elements whose fields are
// attributes, inside of an element for their section.
func gatherIBKRFlexXML(g *ibkrGatherer, f File) error {
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
			return fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
		}
		switch token := token.(type) {
		case xml.Directive:
			return fmt.Errorf("%s, line %d: %w: a Flex Query has no DOCTYPE", f.Name, line, ErrFormat)
		case xml.StartElement:
			if len(path) >= maxIBKRXMLDepth || len(token.Attr) > maxIBKRAttributes {
				return fmt.Errorf("%s, line %d: %w: nested too deeply or too many attributes", f.Name, line, ErrFormat)
			}
			path = append(path, token.Name.Local)
			if r := ibkrRecordOf(token, names); len(path) > 1 && len(r.fields) > 0 && !isIBKRContainer(token.Name.Local) {
				if records++; records > MaxRows {
					return fmt.Errorf("%s, line %d: %w: more than %d records", f.Name, line, ErrTooLarge, MaxRows)
				}
				r.row = Row{Line: line, Cells: []string{f.Text[begin:d.InputOffset()]}}
				g.addRecord(path[len(path)-2], token.Name.Local, r)
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// isIBKRContainer tells elements around records.
func isIBKRContainer(element string) bool {
	return element == "FlexQueryResponse" || element == "FlexStatements" || element == "FlexStatement"
}

// ibkrRecordOf takes the attributes of an element for fields. Names keeps how each is
// spelled.
func ibkrRecordOf(e xml.StartElement, names map[string]string) ibkrRecord {
	r := ibkrRecord{fields: make([]ibkrField, 0, len(e.Attr))}
	for _, attribute := range e.Attr {
		name, known := names[attribute.Name.Local]
		if !known {
			name = ibkrFieldName(attribute.Name.Local)
			names[attribute.Name.Local] = name
		}
		if value := strings.TrimSpace(attribute.Value); value != "" {
			r.fields = append(r.fields, ibkrField{name, value})
		}
	}
	return r
}

// addRecord hands a record to the section it belongs to.
func (g *ibkrGatherer) addRecord(section, element string, r ibkrRecord) {
	switch {
	case element == "Trade" || element == "Order" && section == "Trades":
		g.addTrade(r)
	case section == "Trades":
		g.summaryRows = append(g.summaryRows, r.row)
	case element == "CashTransaction":
		g.addPayment(r)
	case element == "CorporateAction":
		g.addAction(r)
	case element == "Transfer":
		g.transfers = append(g.transfers, r)
	case isIBKRReport(section) || isIBKRReport(element):
		g.Ignore(r.row, "a report, not a transaction")
	default:
		g.Problem(r.row, "section %s is not read: check that what it has is among the cash transactions, and record it by hand else", Shorten(section))
	}
}

// isIBKRReport tells sections that repeat or sum up what others record.
func isIBKRReport(section string) bool {
	switch ibkrFieldName(section) {
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
