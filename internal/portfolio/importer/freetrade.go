package importer

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Freetrade returns the format of Freetrade's activity feed. Totals are changes in cash without a sign, in the currency
// of the account; tax withheld on a dividend is in the currency of the security.
func Freetrade() Format {
	return spec{
		name: "freetrade", title: "Freetrade, activity feed (CSV)", header: []string{"Title", "Type", "Timestamp", "Account Currency", "Total Amount", "Buy / Sell", "Ticker", "ISIN"},
		date: "Timestamp", action: "Type", symbol: "Ticker", isin: "ISIN", security: "Title", id: "Order ID", currency: "Account Currency",
		quantity: "Quantity", price: "Price per Share in Account Currency", amount: "Total Amount", fee: "FX Fee Amount", tax: "Stamp Duty",
		others:  []string{freetradeTax, freetradeRate},
		layouts: []string{time.RFC3339Nano}, utc: true, decimal: DecimalPoint, net: true, tolerance: decimal.New(1, -3),
		rules: []rule{
			{words: "order", book: bookFreetradeOrder},
			{words: "freeshare_order|free_share", book: bookFreetradeGift},
			{words: "dividend|special_dividend|property_income_distribution", book: bookFreetradeDividend},
			{words: "interest_from_cash", in: portfolio.KindInterest},
			{words: "top_up", in: portfolio.KindDeposit},
			{words: "withdrawal", kind: portfolio.KindWithdrawal},
			{words: "monthly_statement|tax_certificate", ignore: "a document, not a transaction"},
		},
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" && l.isin == "" {
				return "", "", nil
			}
			listing := Listing{Ticker: l.symbol, ISIN: l.isin, Currency: l.cell("Instrument Currency"), Name: l.cell("Title")}
			if l.cell("Venue") == "London Stock Exchange" {
				listing.Exchange = "XLON"
			}
			return l.collector.Identify(listing)
		},
		note: func(l *specLine) string { return l.cell("Title") },
	}.format()
}

const (
	freetradeTax  = "Dividend Withheld Tax Amount"
	freetradeRate = "Base FX Rate"
)

func bookFreetradeOrder(l *specLine) ([]portfolio.Transaction, error) {
	r := rule{kind: portfolio.KindBuy}
	if strings.EqualFold(l.cell("Buy / Sell"), "sell") {
		r.kind = portfolio.KindSell
		l.fee.Decimal, l.tax.Decimal = l.fee.Decimal.Add(l.tax.Decimal), decimal.Zero // a duty on a sale is a cost
	}
	return l.book(r)
}

// bookFreetradeGift records a free share. No cash is paid; its cost basis is its value on that day.
func bookFreetradeGift(l *specLine) ([]portfolio.Transaction, error) {
	t, err := l.transaction(rule{kind: portfolio.KindBuy, note: "free share, at its value on that day"})
	if err != nil {
		return nil, err
	}
	t.Kind, t.Price = portfolio.KindTransferIn, decimal.NullDecimal{}
	return []portfolio.Transaction{t}, nil
}

func bookFreetradeDividend(l *specLine) ([]portfolio.Transaction, error) {
	l.quantity = decimal.NullDecimal{} // the number of shares held, which do not move
	withheld := l.others[freetradeTax].Decimal
	if rate := l.others[freetradeRate].Decimal; rate.IsPositive() {
		withheld = withheld.Mul(rate).Round(2)
	}
	l.tax = decimal.NewNullDecimal(withheld)
	return l.book(rule{in: portfolio.KindDividend})
}
