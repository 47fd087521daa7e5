package importer

import (
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// VanguardUK returns the format of the cash transactions of Vanguard in the United Kingdom. The details have
// the kind, the quantity and, for funds traded on an exchange, the ticker. A table of the same trades follows
// in the full report.
func VanguardUK() Format {
	header := []string{"Date", "Details", "Amount", "Balance"}
	return spec{
		name: "vanguard-uk", title: "Vanguard UK, cash transactions (CSV)", header: header,
		recognizes: func(f File) bool {
			table, err := ReadTable(f, header...)
			return err == nil && slices.ContainsFunc(table.Rows, func(row Row) bool {
				return vanguardUKTrade().MatchString(row.At(table.Index("Details"))) || vanguardUKDividend().MatchString(row.At(table.Index("Details")))
			})
		},
		open: func(s *spec, f File) (Table, error) {
			table, err := ReadTable(f, s.header...)
			if end := slices.IndexFunc(table.Rows, func(row Row) bool { return row.At(0) == "Balance" }); err == nil && end >= 0 {
				table.Rows = table.Rows[:end]
			}
			return table, err
		},
		date: "Date", action: "Details", amount: "Amount", balance: "Balance",
		layouts: []string{"02/01/2006"}, decimal: DecimalPoint, money: "GBP", net: true,
		rules: []rule{
			{words: "bought*", out: portfolio.KindBuy}, {words: "sold*", in: portfolio.KindSell},
			{words: "div:*", in: portfolio.KindDividend},
			{words: "cash account interest*", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "account fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "deposit*", in: portfolio.KindDeposit}, {words: "regular deposit*", in: portfolio.KindDeposit},
			{words: "payment by*", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "withdrawal*", out: portfolio.KindWithdrawal},
		},
		parse: parseVanguardUK,
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" {
				return "", "", nil
			}
			return l.collector.Identify(Listing{Ticker: l.symbol, Exchange: "XLON", Currency: "GBP"})
		},
		note: func(l *specLine) string { return l.word },
	}.format()
}

var (
	// "Bought 1,550 Foo ETF Distributing (FOO)"
	vanguardUKTrade = lazyregexp.New(`^(?:Bought|Sold) ([0-9,]*\.?[0-9]+) .*?(?:\(([A-Z0-9.]+)\))?$`)
	// "DIV: FOO.XLON.GB @ GBP 0.4106"
	vanguardUKDividend = lazyregexp.New(`^(?:Reversal of )?DIV: ([A-Z0-9]+)\.XLON\.GB `)
)

func parseVanguardUK(l *specLine) error {
	// A reversal has the words of the line that it reverses, and a negative amount.
	l.action = strings.TrimPrefix(l.action, "reversal of ")
	if match := vanguardUKDividend().FindStringSubmatch(l.word); match != nil {
		l.symbol = match[1]
	}
	match := vanguardUKTrade().FindStringSubmatch(l.word)
	if match == nil {
		return nil
	}
	quantity, err := ParseNumber(match[1], DecimalPoint)
	if err != nil {
		return err
	}
	if match[2] == "" {
		return errors.New("the fund has no ticker: enter the trade by hand, with the fund's symbol or ISIN")
	}
	l.quantity, l.symbol = decimal.NewNullDecimal(quantity), match[2]
	return nil
}
