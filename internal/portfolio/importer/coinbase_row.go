package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// coinbaseReader is what is known of a file.
type coinbaseReader struct {
	collector   *Collector
	table       Table
	columns     coinbaseColumns
	zone        *time.Location
	conversions map[coinbaseConversionKey]bool // the conversions whose line of what was given is there
	renamed     map[int]bool                   // the lines of coins that came back under another name at once
}

// coinbaseColumns are the names of those that changed over the years.
type coinbaseColumns struct {
	currency                    string // empty where fixed says it
	fixed                       string // the currency in the names of all other columns
	price, subtotal, total, fee string
}

func coinbaseColumnsOf(t Table) coinbaseColumns {
	c := coinbaseColumns{
		currency: coinbaseFirstColumn(t, "Price Currency", "Spot Price Currency"),
		price:    coinbaseFirstColumn(t, "Price at Transaction", "Spot Price at Transaction"),
		subtotal: "Subtotal",
		total:    coinbaseFirstColumn(t, "Total (inclusive of fees and/or spread)", "Total (inclusive of fees)"),
		fee:      coinbaseFirstColumn(t, "Fees and/or Spread", "Fees"),
	}
	for _, cell := range t.Header.Cells {
		code, ok := strings.CutSuffix(strings.TrimSpace(cell), " Spot Price at Transaction")
		if !ok || !ValidCurrency(code) || c.currency != "" {
			continue
		}
		c.fixed, c.price, c.subtotal = code, cell, code+" Subtotal"
		c.total, c.fee = code+" Total (inclusive of fees)", code+" Fees"
	}
	return c
}

func coinbaseFirstColumn(t Table, names ...string) string {
	for _, name := range names {
		if t.Has(name) {
			return name
		}
	}
	return ""
}

// maxCoinbasePlaces are the digits after the point that are kept of a price.
const maxCoinbasePlaces = 18

// coinbaseRow is one of the file, read but not yet understood. Sums are without their
// sign: the kind says what came and went.
type coinbaseRow struct {
	row                         Row
	kind, asset, currency, note string
	date                        market.Date
	time                        time.Time
	quantity                    decimal.Decimal // with its sign
	price                       decimal.NullDecimal
	subtotal, total, fee        decimal.NullDecimal
}

func (r *coinbaseReader) parseRow(row Row) (coinbaseRow, error) {
	t, c := r.table, r.columns
	l := coinbaseRow{row: row, kind: t.Cell(row, "Transaction Type"), asset: t.Cell(row, "Asset"), note: t.Cell(row, "Notes"), currency: c.fixed}
	if c.currency != "" {
		l.currency = t.Cell(row, c.currency)
	}
	if !ValidCurrency(l.currency) {
		return l, errors.New("the currency of the price is missing; enter it by hand")
	}
	instant, err := ParseTime(t.Cell(row, "Timestamp"), r.zone, "2006-01-02 15:04:05 MST", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700")
	if err != nil {
		return l, err
	}
	l.time = instant.UTC()
	l.date = DayOf(instant)
	if l.quantity, err = ParseNumber(t.Cell(row, "Quantity Transacted"), DecimalPoint); err != nil {
		return l, fmt.Errorf("quantity: %w", err)
	}
	for _, field := range []struct {
		name   string
		to     *decimal.NullDecimal
		signed bool
	}{{c.price, &l.price, false}, {c.subtotal, &l.subtotal, true}, {c.total, &l.total, true}, {c.fee, &l.fee, false}} {
		if *field.to, err = r.parseAmount(row, field.name, l.currency); err != nil {
			return l, err
		}
		if field.signed {
			field.to.Decimal = field.to.Decimal.Abs()
		}
		// More digits than a ledger takes come from a division.
		field.to.Decimal = field.to.Decimal.Round(maxCoinbasePlaces)
		if field.to.Decimal.IsNegative() {
			return l, fmt.Errorf("%s is below zero; enter it by hand", field.name)
		}
	}
	return l, nil
}

// parseAmount reads a cell with or without the sign of the line's currency.
func (r *coinbaseReader) parseAmount(row Row, column, currency string) (decimal.NullDecimal, error) {
	text := r.table.Cell(row, column)
	if column == "" || text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, code, err := ParseMoney(text, DecimalPoint)
	if err != nil {
		return decimal.NullDecimal{}, fmt.Errorf("%s: %w", column, err)
	}
	if code != "" && code != currency {
		return decimal.NullDecimal{}, fmt.Errorf("%s is in %s and the line in %s; enter it by hand", column, code, currency)
	}
	return decimal.NewNullDecimal(d), nil
}

// newTransaction is what all transactions of the line have.
func (l coinbaseRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{
		Date: l.date, Time: l.time, Kind: kind, Currency: l.currency,
		Name: Shorten(coinbaseUnstakedCode(l.asset)), Note: Shorten(l.note),
	}
}

// coinbaseCoin returns nfa's symbol of a coin.
func coinbaseCoin(code string) (market.Symbol, error) {
	return CoinSymbol(coinbaseUnstakedCode(code))
}

// coinbaseUnstakedCode is the one name of coins that Coinbase had two for.
func coinbaseUnstakedCode(code string) string {
	if code == "ETH2" {
		return "ETH"
	}
	return code
}

// isFiat tells money from coins.
func (l coinbaseRow) isFiat() bool { return IsFiat(l.asset) || l.asset == l.currency }
