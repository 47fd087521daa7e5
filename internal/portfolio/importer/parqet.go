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

// Parqet returns the format of Parqet's export. Its decimal separator is a comma, or a point in files saved by a
// spreadsheet, which may also have the year first.
func Parqet() Format {
	columns := []string{"datetime", "date", "price", "shares", "amount", "tax", "fee", "type", "assettype", "identifier", "currency"}
	return spec{
		name: "parqet", title: "Parqet, activities (CSV)", header: columns,
		date: "date", action: "type", isin: "identifier", security: "holdingname", currency: "currency",
		quantity: "shares", price: "price", amount: "amount", fee: "fee", tax: "tax",
		layouts: []string{"02.01.2006", time.DateOnly}, decimal: DecimalComma, guessed: true, priced: true,
		rules: []rule{
			{words: "buy", kind: portfolio.KindBuy},
			{words: "sell", kind: portfolio.KindSell},
			{words: "dividend", kind: portfolio.KindDividend},
			{words: "interest|cash interest", kind: portfolio.KindInterest},
			{words: "cost|costs|fee|fees|cash cost|cash costs|cash fee|cash fees", kind: portfolio.KindFee},
			{words: "transferin", kind: portfolio.KindTransferIn},
			{words: "transferout", kind: portfolio.KindTransferOut},
			{words: "cash transferin|cash deposit|cash buy", kind: portfolio.KindDeposit},
			{words: "cash transferout|cash withdrawal|cash sell", kind: portfolio.KindWithdrawal},
		},
		when: whenParqet, parse: parseParqet, identify: identifyParqet, complete: completeParqet,
		// The columns for gains and names change between exports.
		fingerprint: func(l *specLine) []string {
			var cells []string
			for _, column := range append(columns, "broker") {
				cells = append(cells, l.cell(column))
			}
			return cells
		},
	}.format()
}

// whenParqet reads the local date, and the time in UTC.
func whenParqet(l *specLine) error {
	var err error
	if l.date, err = ParseDay(l.cell("date"), l.layouts...); err != nil {
		return err
	}
	l.time, err = ParseTime(l.cell("datetime"), time.UTC, time.RFC3339Nano)
	return err
}

func parseParqet(l *specLine) error {
	if strings.EqualFold(l.cell("assettype"), "cash") {
		l.action = "cash " + l.action
	}
	switch {
	case !ValidCurrency(l.currency):
		return errors.New("missing currency; enter the activity by hand")
	case l.fee.Decimal.IsNegative() || l.quantity.Decimal.IsNegative():
		return errors.New("negative shares or fee; enter the activity by hand")
	case l.amount.Decimal.IsNegative():
		return errors.New("negative amount, which may reverse another line: remove that line, or enter this one by hand")
	}
	return nil
}

// identifyParqet identifies coins by code, and other securities by ISIN.
func identifyParqet(l *specLine) (market.Symbol, string, error) {
	switch {
	case l.isin == "" || strings.HasPrefix(l.action, "cash "):
		return "", "", nil
	case strings.EqualFold(l.cell("assettype"), "crypto"):
		symbol, err := CoinSymbol(l.isin)
		return symbol, "", err
	}
	return ParseSecurity("", l.isin)
}

// completeParqet books a negative tax as a refund, and finds the amount of a fee, which some lines
// have in the fee column.
func completeParqet(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
	switch t.Kind {
	case portfolio.KindTransferIn, portfolio.KindTransferOut:
		t.Currency, t.Fee, t.Tax = l.currency, l.fee.Decimal, l.tax.Decimal
		if t.CostUnknown {
			t.Price = l.price // the day's price, not the cost of the shares
		}
	case portfolio.KindFee:
		if fee := l.fee.Decimal; !l.tax.Decimal.IsZero() || t.Amount.IsPositive() && fee.IsPositive() && !t.Amount.Equal(fee) {
			return nil, errors.New("cost line with more than one of amount, fee and tax; enter the transaction by hand")
		}
		t.Amount = decimal.Max(t.Amount, l.fee.Decimal)
	}
	if !t.Tax.IsNegative() {
		return []portfolio.Transaction{t}, nil
	}
	switch t.Kind {
	case portfolio.KindSell, portfolio.KindDividend, portfolio.KindInterest:
	default:
		return nil, fmt.Errorf("negative tax of %s with a %s; enter both by hand", t.Tax, t.Kind)
	}
	refund := portfolio.Transaction{
		Date: t.Date, Time: t.Time, Kind: portfolio.KindTaxRefund, Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name,
		Currency: t.Currency, Amount: t.Tax.Neg(), SourceID: "/tax",
	}
	t.Tax = decimal.Zero
	return []portfolio.Transaction{t, refund}, nil
}
