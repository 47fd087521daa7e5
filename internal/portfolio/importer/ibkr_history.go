package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrHistory reads the Transaction History section of a statement. Amounts are in the base
// currency, which the Summary section names; only the price is in the currency of the exchange.
type ibkrHistory struct{ base string }

// add records a row, or reports why it cannot.
func (h *ibkrHistory) add(g *ibkrGatherer, r ibkrRecord) {
	r.identify = g.Identify
	if h.base == "" {
		h.base = g.options.Currency
	}
	t, err := h.transaction(g, r)
	if err != nil {
		g.Skip(err, r.row)
		return
	}
	g.Add(t, "history-"+g.counter.ID(r.row.Cells), r.row)
}

func (h *ibkrHistory) transaction(g *ibkrGatherer, r ibkrRecord) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Account: g.AccountFor(r.get("account")), Currency: h.base}
	if !ValidCurrency(h.base) {
		return t, fmt.Errorf("the file does not name the base currency: set currency, such as USD")
	}
	var err error
	if t.Date, _, err = parseIBKRTime(r.get("date")); err != nil {
		return t, err
	}
	var quantity, price, gross, commission, net decimal.Decimal
	if err := r.numbers(map[string]*decimal.Decimal{"quantity": &quantity, "price": &price, "grossamount": &gross, "commission": &commission, "netamount": &net}); err != nil {
		return t, err
	}
	description := r.get("description")
	ticker, isin := r.get("symbol"), ""
	if named, number := parseIBKRSecurity(description); named != "" {
		isin = number
	}
	if ticker == "-" {
		ticker = ""
	}
	t.Note = Shorten(description)
	switch kind := foldWord(r.get("transactiontype")); kind {
	case "buy", "sell":
		t.Kind, t.Quantity, t.Amount, t.Fee = portfolio.KindBuy, quantity.Abs(), gross.Abs(), commission.Abs()
		if kind == "sell" {
			t.Kind = portfolio.KindSell
		}
		t.Name, t.Note = Shorten(description), ""
		if currency := r.get("pricecurrency"); currency == h.base {
			t.Price = decimal.NewNullDecimal(price)
		} else if currency != "" {
			t.Note = fmt.Sprintf("%s %s a share", price, currency)
		}
		t.Symbol, t.ISIN, err = r.identify(Listing{Ticker: ticker, ISIN: isin, Currency: strings.Trim(r.get("pricecurrency"), "-"), Name: description})
		return t, err
	case "dividend", "payment in lieu", "payment in lieu of dividend":
		t.Kind, t.Amount = portfolio.KindDividend, net
		t.Symbol, t.ISIN, err = r.identify(Listing{Ticker: ticker, ISIN: isin})
	case "foreign tax withholding", "withholding tax", "sales tax":
		t.Kind, t.Amount = kindBySign(net, portfolio.KindTaxRefund, portfolio.KindTax), net.Abs()
		if ticker != "" {
			t.Symbol, t.ISIN, err = r.identify(Listing{Ticker: ticker, ISIN: isin})
		}
	case "deposit", "withdrawal", "electronic fund transfer", "cash transfer", "transfer", "wire":
		t.Kind, t.Amount = kindBySign(net, portfolio.KindDeposit, portfolio.KindWithdrawal), net.Abs()
	case "credit interest", "debit interest", "interest", "investment interest received", "investment interest paid", "broker interest received", "broker interest paid":
		t.Kind, t.Amount = kindBySign(net, portfolio.KindInterest, portfolio.KindInterestDue), net.Abs()
	case "other fee", "fee", "other fees", "commission adjustment", "forex trade component":
		// The last one is the gain or loss of a currency exchange, in the base currency.
		t.Kind, t.Amount = kindBySign(net, portfolio.KindFeeRefund, portfolio.KindFee), net.Abs()
	case "adjustment":
		return t, IgnoreReason("currency translation of the balance, not a payment")
	default:
		return t, fmt.Errorf("unknown transaction type %q: enter the transaction by hand", Shorten(r.get("transactiontype")))
	}
	if err == nil && t.Kind == portfolio.KindDividend && !t.Amount.IsPositive() {
		err = fmt.Errorf("dividend of %s is a reversal: remove the reversed line", t.Amount)
	}
	if t.Amount.IsZero() {
		err = IgnoreReason("amount is zero")
	}
	return t, err
}
