package importer

import (
	"fmt"
	"slices"
	"strings"
)

// ibkrSection is what a table of a Flex CSV has, by its columns.
type ibkrSection int

const (
	ibkrSectionNone ibkrSection = iota
	ibkrSectionTrades
	ibkrSectionCash
	ibkrSectionActions
	ibkrSectionTransfers
)

// ibkrHeader is a row's cells as names of fields.
func ibkrHeader(row Row) []string {
	names := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		names[i] = ibkrFieldName(cell)
	}
	return names
}

// ibkrSectionOf tells what the columns of a header are of. No data has these words in
// its cells, and no other broker calls a column CurrencyPrimary.
func ibkrSectionOf(row Row, header []string) ibkrSection {
	if !slices.Contains(row.Cells, "CurrencyPrimary") {
		return ibkrSectionNone
	}
	hasColumn := func(columns ...string) bool {
		for _, column := range columns {
			if !slices.Contains(header, column) {
				return false
			}
		}
		return true
	}
	switch {
	case hasColumn("buysell", "quantity", "tradeprice") && (hasColumn("tradedate") || hasColumn("datetime")):
		return ibkrSectionTrades
	case hasColumn("direction", "type", "quantity"):
		return ibkrSectionTransfers
	case hasColumn("type", "quantity", "description") && (hasColumn("actionid") || hasColumn("actiondescription") || hasColumn("proceeds")):
		return ibkrSectionActions
	case hasColumn("type", "amount") && (hasColumn("settledate") || hasColumn("datetime") || hasColumn("reportdate")):
		return ibkrSectionCash
	}
	return ibkrSectionNone
}

// gatherIBKRFlexCSV reads a Flex Query as CSV: tables below one another, each with its own
// header, and with marks at the beginning and end where the user asked for them.
func gatherIBKRFlexCSV(g *ibkrGatherer, f File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	var header []string
	current := ibkrSectionNone
	for _, row := range rows {
		names := ibkrHeader(row)
		if s := ibkrSectionOf(row, names); s != ibkrSectionNone {
			header, current = names, s
			continue
		}
		switch {
		case row.Empty():
			continue
		case isIBKRMark(row.At(0)):
			g.Ignore(row, "marks the beginning or end of a section")
			continue
		// Columns of another kind of table begin here, without a section to read.
		case slices.Contains(row.Cells, "CurrencyPrimary") || slices.Contains(row.Cells, "ClientAccountID"):
			header, current = names, ibkrSectionNone
			g.Ignore(row, "the header of a report")
			continue
		}
		g.addFlexCSV(current, header, row)
	}
	return nil
}

func (g *ibkrGatherer) addFlexCSV(s ibkrSection, header []string, row Row) {
	r := ibkrRecord{row: row, fields: make([]ibkrField, 0, len(header))}
	for i, name := range header {
		r.add(name, row.At(i))
	}
	switch s {
	case ibkrSectionTrades:
		g.addTrade(r)
	case ibkrSectionCash:
		g.addPayment(r)
	case ibkrSectionActions:
		g.addAction(r)
	case ibkrSectionTransfers:
		g.transfers = append(g.transfers, r)
	case ibkrSectionNone:
		g.Problem(row, "a table that is not read: export Trades, Cash Transactions, Corporate Actions and Transfers, with their currency and dates")
	}
}

func isIBKRMark(cell string) bool {
	return slices.Contains([]string{"BOF", "BOA", "BOS", "EOS", "EOA", "EOF"}, strings.ToUpper(cell))
}
