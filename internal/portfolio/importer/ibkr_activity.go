package importer

import (
	"fmt"
	"strings"
)

// gatherIBKRActivity reads an activity statement: each row begins with its section and
// with what it is, and a section's header may change within it.
func gatherIBKRActivity(g *ibkrGatherer, f File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	byTicker := ibkrInstruments(rows)
	orders := hasIBKROrders(rows)
	account := ""
	var header []string
	for _, row := range rows {
		section := row.At(0)
		switch row.At(1) {
		case "Header":
			header = ibkrHeader(row)
			continue
		case "Data":
		default:
			g.Ignore(row, "a total or note")
			continue
		}
		if section == "Account Information" && row.At(2) == "Account" {
			account = row.At(3)
		}
		r := ibkrActivityRecord(header, row)
		if r.get("accountid") == "" {
			r.set("accountid", account)
		}
		if n, ok := byTicker[r.get("symbol")]; ok && r.get("symbol") != "" {
			r.set("isin", n.isin)
			r.set("name", n.name)
		}
		if section == "Trades" && orders && r.get("datadiscriminator") != "Order" {
			g.Ignore(row, "a part or lot of an order that is recorded itself")
			continue
		}
		g.addActivity(section, r)
	}
	return nil
}

// hasIBKROrders reports whether trades are given as orders, which is what a statement
// has unless the user chose executions alone.
func hasIBKROrders(rows []Row) bool {
	for _, row := range rows {
		if row.At(0) == "Trades" && row.At(1) == "Data" && row.At(2) == "Order" {
			return true
		}
	}
	return false
}

// ibkrActivityRecord gives the columns of a statement the names of Flex fields.
func ibkrActivityRecord(header []string, row Row) ibkrRecord {
	r := ibkrRecord{row: row, fields: make([]ibkrField, 0, len(header)+4)}
	for i, column := range header {
		text := row.At(i)
		switch {
		case column == "account":
			column = "accountid"
		case column == "tprice":
			column = "tradeprice"
		case column == "commfee":
			column = "ibcommission"
		case strings.HasPrefix(column, "commin") && len(column) == len("commin")+3:
			r.set("ibcommissioncurrency", strings.ToUpper(column[len("commin"):]))
			column = "ibcommission"
		case column == "qty":
			column = "quantity"
		case column == "cashamount":
			column = "cashtransfer"
		case column == "xfercompany":
			column = "company"
		case column == "xferaccount":
			column = "otheraccount"
		}
		r.add(column, text)
	}
	return r
}

// addActivity hands a row of data to what its section is about.
func (g *ibkrGatherer) addActivity(section string, r ibkrRecord) {
	if isIBKRReport(section) {
		g.Ignore(r.row, "a report, not a transaction")
		return
	}
	if total := r.first("currency", "assetcategory", "subtitle"); strings.HasPrefix(total, "Total") || strings.HasPrefix(r.row.At(2), "Total") {
		g.Ignore(r.row, "a total")
		return
	}
	switch strings.ToLower(section) {
	case "trades":
		g.addActivityTrade(r)
	case "dividends", "withholding tax", "payment in lieu of dividends", "871(m) withholding", "deposits & withdrawals", "interest", "fees",
		"other fees", "advisor fees", "broker interest", "bond interest", "commission adjustments", "sales tax":
		r.set("type", section)
		g.addPayment(r)
	case "corporate actions":
		g.addAction(r)
	case "transfers":
		g.transfers = append(g.transfers, r)
	default:
		g.Problem(r.row, "section %s is not read: check whether it has payments, and record them by hand", Shorten(section))
	}
}

func (g *ibkrGatherer) addActivityTrade(r ibkrRecord) {
	if word := r.get("datadiscriminator"); word == "ClosedLot" || word == "WashSale" || strings.HasSuffix(word, "Summary") {
		g.Ignore(r.row, "a lot or sum of trades that are recorded themselves")
		return
	}
	if kind := r.get("assetcategory"); strings.EqualFold(kind, "Forex") && r.get("ibcommissioncurrency") == "" && r.get("ibcommission") == "0" {
		r.set("ibcommission", "")
	}
	if r.get("description") == "" {
		r.set("description", r.get("name"))
	}
	g.addTrade(r)
}

type ibkrInstrument struct{ isin, name string }

// ibkrInstruments reads which ISIN each ticker has. One that stands for several is left
// out: its trades have their ticker alone.
func ibkrInstruments(rows []Row) map[string]ibkrInstrument {
	out := map[string]ibkrInstrument{}
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
			if before, twice := out[symbol]; twice && before.isin != isin {
				isin = ""
			}
			out[symbol] = ibkrInstrument{isin: isin, name: r.get("description")}
		}
	}
	return out
}
