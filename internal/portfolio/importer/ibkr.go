package importer

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// IBKR returns the format of all Interactive Brokers exports.
func IBKR() Format {
	return Format{
		Name:       "ibkr",
		Title:      "Interactive Brokers, Flex Query (XML or CSV), activity statement and transaction history (CSV)",
		Recognizes: func(f File) bool { return ibkrFileReaderFor(f) != nil },
		Read:       readIBKR,
	}
}

// ibkrFileReader reads one of the file types into a gatherer.
type ibkrFileReader func(*ibkrGatherer, File) error

func ibkrFileReaderFor(f File) ibkrFileReader {
	head := strings.TrimSpace(f.Text[:min(len(f.Text), 4096)])
	switch {
	case strings.HasPrefix(head, "<") && (strings.Contains(head, "<FlexQueryResponse") || strings.Contains(head, "<FlexStatements")):
		return gatherIBKRFlexXML
	case strings.HasPrefix(head, "<"):
		return nil
	case strings.HasPrefix(f.Text, "Statement,Header,") || strings.HasPrefix(f.Text, `"Statement","Header",`) || strings.HasPrefix(f.Text, "Transaction History,Header,"):
		return gatherIBKRActivity
	}
	rows, err := f.head().RowsWith(TableOptions{Comma: ',', Lazy: true})
	if err == nil && slices.ContainsFunc(rows, func(row Row) bool { return ibkrSectionOf(row, ibkrHeader(row)) != "" }) {
		return gatherIBKRFlexCSV
	}
	return nil
}

func readIBKR(f File, o Options) (Statement, error) {
	gather := ibkrFileReaderFor(f)
	if gather == nil {
		return Statement{}, fmt.Errorf("%s: %w: not an English Flex Query or activity statement", f.Name, ErrFormat)
	}
	g := &ibkrGatherer{Collector: NewCollector("ibkr", o)}
	if err := gather(g, f); err != nil {
		return Statement{}, err
	}
	g.settleTrades()
	g.settleCash()
	g.settleActions()
	g.settleTransfers()
	return g.Statement(nil), nil
}

// ibkrGatherer collects records until the whole file is read, because executions decide whether
// orders count, and taxes are matched with dividends.
type ibkrGatherer struct {
	*Collector
	trades      []ibkrTrade
	payments    []ibkrPayment
	actions     []ibkrAction
	transfers   []ibkrRecord
	summaryRows []Row // sums of trades, and their lots
	hasTrades   bool  // the file has trades, even if they could not be read
}

// Supported sections.
const (
	ibkrTrades    = "trades"
	ibkrCash      = "cash transactions"
	ibkrActions   = "corporate actions"
	ibkrTransfers = "transfers"
)

func (g *ibkrGatherer) add(section string, r ibkrRecord) {
	r.identify = g.Identify
	switch section {
	case ibkrTrades:
		g.addTrade(r)
	case ibkrCash:
		g.addPayment(r)
	case ibkrActions:
		g.addAction(r)
	case ibkrTransfers:
		g.transfers = append(g.transfers, r)
	}
}

// account returns the account of a record. A dash means all accounts together.
func (g *ibkrGatherer) account(r ibkrRecord) string {
	return g.AccountFor(strings.TrimPrefix(r.get("accountid"), "-"))
}

// id returns the broker's number of a record, or else a fingerprint of the given fields, which must not
// depend on the columns that the user selected for the export.
func (g *ibkrGatherer) id(r ibkrRecord, prefix string, numbers, fields []string) string {
	for _, number := range numbers {
		if text := r.get(number); text != "" && text != "0" {
			return prefix + text
		}
	}
	cells := []string{prefix}
	for _, field := range fields {
		cells = append(cells, r.get(field))
	}
	return prefix + g.counter.ID(cells)
}

// Limits of a Flex XML file; queries have four levels and some hundred fields.
const (
	maxIBKRXMLDepth   = 12
	maxIBKRAttributes = 512
)

// gatherIBKRFlexXML reads a Flex Query as XML. Records are elements whose fields are attributes,
// inside an element for their section.
func gatherIBKRFlexXML(g *ibkrGatherer, f File) error {
	d := xml.NewDecoder(strings.NewReader(f.Text))
	d.Entity = map[string]string{}
	// The text is already UTF-8, whatever the document declares.
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
			return fmt.Errorf("%s, line %d: %w: DOCTYPE is not allowed in a Flex Query", f.Name, line, ErrFormat)
		case xml.StartElement:
			if len(path) >= maxIBKRXMLDepth || len(token.Attr) > maxIBKRAttributes {
				return fmt.Errorf("%s, line %d: %w: nested too deeply or too many attributes", f.Name, line, ErrFormat)
			}
			path = append(path, token.Name.Local)
			r := ibkrRecordOf(token, names)
			if container := slices.Contains([]string{"FlexQueryResponse", "FlexStatements", "FlexStatement"}, token.Name.Local); len(path) == 1 || len(r.fields) == 0 || container {
				continue
			}
			if records++; records > MaxRows {
				return fmt.Errorf("%s, line %d: %w: more than %d records", f.Name, line, ErrTooLarge, MaxRows)
			}
			r.row = Row{Line: line, Source: f.Text[begin:d.InputOffset()]}
			g.addElement(path[len(path)-2], token.Name.Local, r)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// ibkrRecordOf converts the attributes of an element to fields. names caches normalized names.
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

func (g *ibkrGatherer) addElement(section, element string, r ibkrRecord) {
	switch {
	case element == "Trade" || element == "Order" && section == "Trades":
		g.add(ibkrTrades, r)
	case section == "Trades":
		g.summaryRows = append(g.summaryRows, r.row)
	case element == "CashTransaction":
		g.add(ibkrCash, r)
	case element == "CorporateAction":
		g.add(ibkrActions, r)
	case element == "Transfer":
		g.add(ibkrTransfers, r)
	case isIBKRReport(section) || isIBKRReport(element):
		g.Ignore(r.row, "a report, not a transaction")
	default:
		g.Problem(r.row, "section %s is not supported: enter its transactions by hand if they are not among the cash transactions", Shorten(section))
	}
}

// isIBKRReport reports whether a section repeats or summarizes others.
func isIBKRReport(section string) bool {
	switch ibkrFieldName(section) {
	case "accountinformation", "cashreport", "changeinnav", "openpositions", "equitysummaryinbase", "securitiesinfo", "conversionrates",
		"fxlots", "fxpositions", "stmtfunds", "netstockpositionsummary", "priorperiodpositions", "mtmperformancesummaryinbase",
		"fifoperformancesummaryinbase", "mtdytdperformancesummary", "changeindividendaccruals", "opendividendaccruals",
		"changeinpositionvalues", "interestaccruals", "tierinterestdetails", "fxtransactions",
		"financialinstrumentinformation", "statement", "summary", "netassetvalue", "marktomarketperformancesummary", "codes",
		"realizedunrealizedperformancesummary", "forexbalances", "baseexchangerate", "basecurrencyexchangerate", "noteslegalnotes", "notes",
		"tradesummary", "tradesummarybysymbol", "tradesummarybyassetclass", "commissiondetails", "locationofcustomerassetspositionsandmoney",
		"monthytdperformancesummary", "monthyeartodateperformancesummary", "performancebysymbol", "positionsandmarktomarketprofitandloss",
		"stockyieldenhancementprogramsecuritieslent", "securitieslent":
		return true
	}
	return false
}

// ibkrHeader returns a row's cells as field names.
func ibkrHeader(row Row) []string {
	names := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		names[i] = ibkrFieldName(cell)
	}
	return names
}

// ibkrSectionOf returns the section of a header row, or "" for other rows. These words do not occur
// in data, and no other broker has a column CurrencyPrimary.
func ibkrSectionOf(row Row, header []string) string {
	if !slices.Contains(row.Cells, "CurrencyPrimary") {
		return ""
	}
	all := func(columns ...string) bool {
		return !slices.ContainsFunc(columns, func(column string) bool { return !slices.Contains(header, column) })
	}
	switch {
	case all("buysell", "quantity", "tradeprice") && (all("tradedate") || all("datetime")):
		return ibkrTrades
	case all("direction", "type", "quantity"):
		return ibkrTransfers
	case all("type", "quantity", "description") && (all("actionid") || all("actiondescription") || all("proceeds")):
		return ibkrActions
	case all("type", "amount") && (all("settledate") || all("datetime") || all("reportdate")):
		return ibkrCash
	}
	return ""
}

// gatherIBKRFlexCSV reads a Flex Query as CSV: several tables, each with its own header, and
// optional section markers.
func gatherIBKRFlexCSV(g *ibkrGatherer, f File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	var header []string
	section := ""
	for _, row := range rows {
		names := ibkrHeader(row)
		if s := ibkrSectionOf(row, names); s != "" {
			header, section = names, s
			continue
		}
		switch {
		case row.Empty():
		case slices.Contains([]string{"BOF", "BOA", "BOS", "EOS", "EOA", "EOF"}, strings.ToUpper(row.At(0))):
			g.Ignore(row, "section marker")
		// The header of a table without a supported section.
		case slices.Contains(row.Cells, "CurrencyPrimary") || slices.Contains(row.Cells, "ClientAccountID"):
			header, section = names, ""
			g.Ignore(row, "header of a report")
		case section == "":
			g.Problem(row, "unsupported table: export Trades, Cash Transactions, Corporate Actions and Transfers, with their currency and dates")
		default:
			r := ibkrRecord{row: row, fields: make([]ibkrField, 0, len(header))}
			for i, name := range header {
				r.add(name, row.At(i))
			}
			g.add(section, r)
		}
	}
	return nil
}

// gatherIBKRActivity reads an activity statement: each row begins with its section and row type,
// and a section's header may change within it.
func gatherIBKRActivity(g *ibkrGatherer, f File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	byTicker := ibkrInstruments(rows)
	// Trades are orders unless the user chose executions only.
	orders := slices.ContainsFunc(rows, func(row Row) bool { return row.At(0) == "Trades" && row.At(1) == "Data" && row.At(2) == "Order" })
	account := ""
	var history ibkrHistory
	var header []string
	for _, row := range rows {
		section := row.At(0)
		switch row.At(1) {
		case "Header":
			header = ibkrHeader(row)
			continue
		case "Data":
		default:
			g.Ignore(row, "total or note")
			continue
		}
		if section == "Account Information" && row.At(2) == "Account" {
			account = row.At(3)
		}
		if section == "Summary" && row.At(2) == "Base Currency" {
			history.base = row.At(3)
		}
		r := ibkrActivityRecord(header, row)
		if section == "Transaction History" {
			history.add(g, r)
			continue
		}
		r.add("accountid", account)
		if known, ok := byTicker[r.get("symbol")]; ok && r.get("symbol") != "" {
			r.set("isin", known.isin)
			r.set("name", known.name)
			r.add("listingexchange", known.exchange)
		}
		if section == "Trades" && orders && r.get("datadiscriminator") != "Order" {
			g.ignoreOrderPart(r)
			continue
		}
		g.addActivity(section, r)
	}
	return nil
}

// ignoreOrderPart ignores a line whose trade is already recorded as part of its order. A line with an
// unknown discriminator, or none, is a problem.
func (g *ibkrGatherer) ignoreOrderPart(r ibkrRecord) {
	switch word := r.get("datadiscriminator"); word {
	case "Trade", "Execution", "ClosedLot", "WashSale", "SubTotal", "Total":
		g.Ignore(r.row, "part of an order that is already recorded")
	default:
		if strings.HasSuffix(word, "Summary") || strings.HasPrefix(r.row.At(2), "Total") || strings.HasPrefix(r.row.At(2), "SubTotal") {
			g.Ignore(r.row, "part of an order that is already recorded")
			return
		}
		g.Problem(r.row, "unknown kind of trade line %q (column DataDiscriminator): compare it with the broker's statement and enter it by hand", Shorten(word))
	}
}

// ibkrActivityFields maps columns of a statement to Flex fields with other names.
var ibkrActivityFields = map[string]string{
	"account": "accountid", "tprice": "tradeprice", "commfee": "ibcommission", "qty": "quantity", "cashamount": "cashtransfer",
	"xfercompany": "company", "xferaccount": "otheraccount",
}

// ibkrActivityRecord converts a statement row to a record with Flex field names.
func ibkrActivityRecord(header []string, row Row) ibkrRecord {
	r := ibkrRecord{row: row, fields: make([]ibkrField, 0, len(header)+4)}
	for i, column := range header {
		if name := ibkrActivityFields[column]; name != "" {
			column = name
		} else if code, ok := strings.CutPrefix(column, "commin"); ok && len(code) == 3 {
			r.set("ibcommissioncurrency", strings.ToUpper(code))
			column = "ibcommission"
		}
		r.add(column, row.At(i))
	}
	return r
}

// addActivity adds a data row of a section.
func (g *ibkrGatherer) addActivity(section string, r ibkrRecord) {
	if isIBKRReport(section) {
		g.Ignore(r.row, "a report, not a transaction")
		return
	}
	if total := r.first("currency", "assetcategory", "subtitle"); strings.HasPrefix(total, "Total") || strings.HasPrefix(r.row.At(2), "Total") {
		g.Ignore(r.row, "total")
		return
	}
	switch strings.ToLower(section) {
	case "trades":
		if word := r.get("datadiscriminator"); word == "ClosedLot" || word == "WashSale" || strings.HasSuffix(word, "Summary") {
			g.Ignore(r.row, "lot or total of trades that are already recorded")
			return
		}
		if strings.EqualFold(r.get("assetcategory"), "Forex") && r.get("ibcommissioncurrency") == "" && r.get("ibcommission") == "0" {
			r.set("ibcommission", "")
		}
		r.add("description", r.get("name"))
		g.add(ibkrTrades, r)
	case "dividends", "withholding tax", "payment in lieu of dividends", "871(m) withholding", "deposits & withdrawals", "interest", "fees",
		"other fees", "advisor fees", "broker interest", "bond interest", "commission adjustments", "sales tax":
		r.set("type", section)
		g.add(ibkrCash, r)
	case "corporate actions":
		g.add(ibkrActions, r)
	case "transfers":
		g.add(ibkrTransfers, r)
	default:
		g.Problem(r.row, "section %s is not supported: enter its payments by hand, if any", Shorten(section))
	}
}

type ibkrInstrument struct{ isin, name, exchange string }

// ibkrInstruments returns the ISIN of each ticker, except tickers with several ISINs: their trades
// have only the ticker.
func ibkrInstruments(rows []Row) map[string]ibkrInstrument {
	known := map[string]ibkrInstrument{}
	var header []string
	for _, row := range rows {
		if row.At(0) != "Financial Instrument Information" {
			continue
		}
		if row.At(1) == "Header" {
			header = ibkrHeader(row)
			continue
		}
		r := ibkrActivityRecord(header, row)
		isin := r.get("securityid")
		if !ValidISIN(isin) {
			isin = ""
		}
		for symbol := range strings.SplitSeq(r.get("symbol"), ",") {
			symbol = strings.TrimSpace(symbol)
			if before, twice := known[symbol]; twice && before.isin != isin {
				isin = ""
			}
			known[symbol] = ibkrInstrument{isin: isin, name: r.get("description"), exchange: r.get("listingexch")}
		}
	}
	return known
}
