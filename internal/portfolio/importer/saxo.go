package importer

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Saxo returns the format of Saxo Bank's list of transactions. The event column describes the trade, "Buy 3 @ 134.85 USD"; the
// amount is the change in cash, in the currency of the account.
func Saxo() Format {
	trade := func(words string, kind portfolio.Kind) rule {
		return rule{words: words, kind: kind, book: bookSaxoTrade}
	}
	return spec{
		name: "saxo", title: "Saxo Bank, transactions (CSV)", header: []string{"Trade Date", "Type", "Instrument ISIN", "Instrument currency", "Instrument Symbol", "Event", saxoAmount, "Conversion Rate"},
		date: "Trade Date", action: "Event", symbol: "Instrument Symbol", isin: "Instrument ISIN", security: "Instrument", currency: "Instrument currency",
		layouts: []string{"02-Jan-2006"},
		rules: []rule{
			trade("buy *", portfolio.KindBuy), trade("koop *", portfolio.KindBuy), trade("kauf *", portfolio.KindBuy), trade("køb *", portfolio.KindBuy), trade("achat *", portfolio.KindBuy),
			trade("sell *", portfolio.KindSell), trade("verkoop *", portfolio.KindSell), trade("verkauf *", portfolio.KindSell), trade("salg *", portfolio.KindSell), trade("vente *", portfolio.KindSell),
			{words: "dividend*", in: portfolio.KindDividend, out: portfolio.KindTax},
			{words: "withholding tax*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "custody fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "vat*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "interest*", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "deposit|withdrawal|storting|opname|einzahlung|auszahlung", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
		},
		parse: parseSaxo,
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" && l.isin == "" {
				return "", "", nil
			}
			ticker, exchange, _ := strings.Cut(l.symbol, ":")
			return l.collector.Identify(Listing{Ticker: ticker, ISIN: l.isin, Exchange: strings.ToUpper(exchange), Currency: l.cell("Instrument currency"), Name: l.cell("Instrument")})
		},
		note: func(l *specLine) string { return l.word },
	}.format()
}

const saxoAmount = "Amount|Booked Amount"

// parseSaxo finds the currency of the amount: the instrument's currency if nothing was converted,
// otherwise the account's currency, which the file does not name.
func parseSaxo(l *specLine) error {
	var err error
	if l.amount, _, err = l.number(saxoAmount); err != nil {
		return err
	}
	rate, _, err := l.number("Conversion Rate")
	if err != nil {
		return err
	}
	if converted := rate.Valid && !rate.Decimal.Equal(decimal.NewFromInt(1)); converted {
		l.currency = l.options.Currency
		if l.currency == "" {
			return fmt.Errorf("amount of %s in the account's currency, which the file does not name: set currency, such as EUR", l.amount.Decimal)
		}
	}
	l.currency = cmp.Or(l.currency, l.options.Currency)
	return nil
}

var saxoTradePattern = lazyregexp.New(`(-?[0-9][0-9.,]*) @ ([0-9][0-9.,]*) ([A-Z]{3})`)

// bookSaxoTrade books a trade. The fee is the difference between the amount and quantity times
// price.
func bookSaxoTrade(l *specLine) ([]portfolio.Transaction, error) {
	match := saxoTradePattern().FindStringSubmatch(l.word)
	if match == nil {
		return nil, fmt.Errorf("no quantity and price in %q: enter the trade by hand", Shorten(l.word))
	}
	quantity, err1 := ParseEitherNumber(match[1], DecimalPoint)
	price, err2 := ParseEitherNumber(match[2], DecimalPoint)
	rate, _, err3 := l.number("Conversion Rate")
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	l.quantity = decimal.NewNullDecimal(quantity.Abs())
	value := quantity.Abs().Mul(price)
	if rate.Valid && rate.Decimal.IsPositive() {
		value = value.Mul(rate.Decimal)
	}
	t, err := l.transaction(*l.rule())
	if err != nil {
		return nil, err
	}
	t.Amount = value.Round(2)
	t.Fee = l.amount.Decimal.Abs().Sub(t.Amount)
	if t.Kind == portfolio.KindSell {
		t.Fee = t.Fee.Neg()
	}
	if rate.Decimal.Equal(decimal.NewFromInt(1)) {
		t.Price = decimal.NewNullDecimal(price)
	}
	switch {
	case t.Fee.IsNegative() && t.Fee.GreaterThanOrEqual(t.Amount.Mul(decimal.New(-2, -3))): // rounded price, or price improvement
		t.Amount, t.Fee = l.amount.Decimal.Abs(), decimal.Zero
	case t.Fee.IsNegative() || t.Fee.GreaterThan(t.Amount.Mul(decimal.New(1, -1)).Add(decimal.NewFromInt(50))):
		return nil, fmt.Errorf("%s at %s is %s, not %s: enter the trade by hand", quantity, price, value, l.amount.Decimal.Abs())
	}
	return []portfolio.Transaction{t}, nil
}
