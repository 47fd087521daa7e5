package ibkr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// section is what a table of a Flex CSV has, by its columns.
type section int

const (
	sectionNone section = iota
	sectionTrades
	sectionCash
	sectionActions
	sectionTransfers
)

// headerOf is a row's cells as names of fields.
func headerOf(row sheet.Row) []string {
	names := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		names[i] = spelled(cell)
	}
	return names
}

// sectionOf tells what the columns of a header are of. No data has these words in
// its cells, and no other broker calls a column CurrencyPrimary.
func sectionOf(row sheet.Row, header []string) section {
	if !slices.Contains(row.Cells, "CurrencyPrimary") {
		return sectionNone
	}
	has := func(columns ...string) bool {
		for _, column := range columns {
			if !slices.Contains(header, column) {
				return false
			}
		}
		return true
	}
	switch {
	case has("buysell", "quantity", "tradeprice") && (has("tradedate") || has("datetime")):
		return sectionTrades
	case has("direction", "type", "quantity"):
		return sectionTransfers
	case has("type", "quantity", "description") && (has("actionid") || has("actiondescription") || has("proceeds")):
		return sectionActions
	case has("type", "amount") && (has("settledate") || has("datetime") || has("reportdate")):
		return sectionCash
	}
	return sectionNone
}

// gatherFlat reads a Flex Query as CSV: tables below one another, each with its own
// header, and with marks at the beginning and end where the user asked for them.
func gatherFlat(g *gatherer, f sheet.File) error {
	rows, err := f.Rows(',')
	if err != nil {
		return fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	var header []string
	current := sectionNone
	for _, row := range rows {
		names := headerOf(row)
		if s := sectionOf(row, names); s != sectionNone {
			header, current = names, s
			continue
		}
		switch {
		case row.Empty():
			continue
		case isMark(row.At(0)):
			g.Ignore(row, "marks the beginning or end of a section")
			continue
		// Columns of another kind of table begin here, without a section to read.
		case slices.Contains(row.Cells, "CurrencyPrimary") || slices.Contains(row.Cells, "ClientAccountID"):
			header, current = names, sectionNone
			g.Ignore(row, "the header of a report")
			continue
		}
		g.flat(current, header, row)
	}
	return nil
}

func (g *gatherer) flat(s section, header []string, row sheet.Row) {
	r := record{row: row, fields: make([]field, 0, len(header))}
	for i, name := range header {
		r.add(name, row.At(i))
	}
	switch s {
	case sectionTrades:
		g.trade(r)
	case sectionCash:
		g.payment(r)
	case sectionActions:
		g.action(r)
	case sectionTransfers:
		g.transfers = append(g.transfers, r)
	case sectionNone:
		g.Problem(row, "a table that is not read: export Trades, Cash Transactions, Corporate Actions and Transfers, with their currency and dates")
	}
}

func isMark(cell string) bool {
	return slices.Contains([]string{"BOF", "BOA", "BOS", "EOS", "EOA", "EOF"}, strings.ToUpper(cell))
}
