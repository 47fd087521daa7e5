package ibkr

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// gatherActivity reads an activity statement: each row begins with its section and
// with what it is, and a section's header may change within it.
func gatherActivity(g *gatherer, f sheet.File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	known := instruments(rows)
	orders := hasOrders(rows)
	account := ""
	var header []string
	for _, row := range rows {
		section := row.At(0)
		switch row.At(1) {
		case "Header":
			header = headerOf(row)
			continue
		case "Data":
		default:
			g.Ignore(row, "a total or note")
			continue
		}
		if section == "Account Information" && row.At(2) == "Account" {
			account = row.At(3)
		}
		r := activityRecord(header, row)
		if r.get("accountid") == "" {
			r.set("accountid", account)
		}
		if n, ok := known[r.get("symbol")]; ok && r.get("symbol") != "" {
			r.set("isin", n.isin)
			r.set("name", n.name)
		}
		if section == "Trades" && orders && r.get("datadiscriminator") != "Order" {
			g.Ignore(row, "a part or lot of an order that is recorded itself")
			continue
		}
		g.activity(section, r)
	}
	return nil
}

// hasOrders reports whether trades are given as orders, which is what a statement
// has unless the user chose executions alone.
func hasOrders(rows []sheet.Row) bool {
	for _, row := range rows {
		if row.At(0) == "Trades" && row.At(1) == "Data" && row.At(2) == "Order" {
			return true
		}
	}
	return false
}

// activityRecord gives the columns of a statement the names of Flex fields.
func activityRecord(header []string, row sheet.Row) record {
	r := record{row: row, fields: make([]field, 0, len(header)+4)}
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

// activity hands a row of data to what its section is about.
func (g *gatherer) activity(section string, r record) {
	if isReport(section) {
		g.Ignore(r.row, "a report, not a transaction")
		return
	}
	if total := r.first("currency", "assetcategory", "subtitle"); strings.HasPrefix(total, "Total") || strings.HasPrefix(r.row.At(2), "Total") {
		g.Ignore(r.row, "a total")
		return
	}
	switch strings.ToLower(section) {
	case "trades":
		g.activityTrade(r)
	case "dividends", "withholding tax", "payment in lieu of dividends", "871(m) withholding", "deposits & withdrawals", "interest", "fees",
		"other fees", "advisor fees", "broker interest", "bond interest", "commission adjustments", "sales tax":
		r.set("type", section)
		g.payment(r)
	case "corporate actions":
		g.action(r)
	case "transfers":
		g.transfers = append(g.transfers, r)
	default:
		g.Problem(r.row, "section %s is not read: check whether it has payments, and record them by hand", sheet.Shorten(section))
	}
}

func (g *gatherer) activityTrade(r record) {
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
	g.trade(r)
}

type instrument struct{ isin, name string }

// instruments reads which ISIN each ticker has. One that stands for several is left
// out: its trades have their ticker alone.
func instruments(rows []sheet.Row) map[string]instrument {
	out := map[string]instrument{}
	var header []string
	for _, row := range rows {
		if row.At(0) != "Financial Instrument Information" {
			continue
		}
		if row.At(1) == "Header" {
			header = headerOf(row)
			continue
		}
		r := activityRecord(header, row)
		isin := r.get("securityid")
		if !broker.ValidISIN(isin) {
			isin = ""
		}
		for symbol := range strings.SplitSeq(r.get("symbol"), ",") {
			symbol = strings.TrimSpace(symbol)
			if before, twice := out[symbol]; twice && before.isin != isin {
				isin = ""
			}
			out[symbol] = instrument{isin: isin, name: r.get("description")}
		}
	}
	return out
}
