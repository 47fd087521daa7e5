package importer

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Swissquote's columns in English, German and French.
const (
	swissquoteOrder       = "Order #|Auftrag #|Ordre #|Numéro d'ordre|N° d'ordre"
	swissquoteNet         = "Net Amount|Nettobetrag|Montant net"
	swissquoteAccrued     = "Accrued Interest|Aufgelaufene Zinsen|Intérêts courus"
	swissquoteBalance     = "Balance|Saldo|Solde"
	swissquoteAccount     = "Currency|Währung|Devise|Monnaie"
	swissquoteNetCurrency = "Net Amount Currency|Currency Net Amount|Währung Nettobetrag|Devise du montant net|Monnaie du montant net"
	// Change in the account's cash, in its own currency.
	swissquoteAccountNet = "Net Amount in the currency of the account|Net Amount in account currency|Nettobetrag in der Währung des Kontos|" +
		"Nettobetrag in Kontowährung|Montant net dans la devise du compte|Montant net dans la monnaie du compte"
)

// Swissquote returns the format of Swissquote's list of transactions. Order numbers cover several lines, and many
// lines have none, so a line is identified by all its cells.
func Swissquote() Format {
	s := spec{
		name: "swissquote", title: "Swissquote, transactions (CSV)", blanks: []string{"-"},
		date: "Date|Datum", action: "Transaction|Transactions|Transaktionen|Transaktion", symbol: "Symbol|Symbole", isin: "ISIN", security: "Name|Nom",
		currency: swissquoteNetCurrency, quantity: "Quantity|Anzahl|Quantité", price: "Unit price|Stückpreis|Prix unitaire",
		amount: swissquoteNet, fee: "Costs|Kosten|Coûts|Frais", others: []string{swissquoteAccrued, swissquoteBalance, swissquoteAccountNet},
		layouts: []string{"02-01-2006 15:04:05", "02-01-2006 15:04", "02.01.2006 15:04:05", "02.01.2006 15:04", "02-01-2006", "02.01.2006"},
		decimal: DecimalPoint, priced: true, net: true,
		rules: []rule{
			{words: "buy|kauf|achat", out: portfolio.KindBuy},
			{words: "sell|verkauf|vente", in: portfolio.KindSell},
			{words: "dividend|dividende|dividends", in: portfolio.KindDividend},
			{words: "capital gain|gain en capital", in: portfolio.KindDividend, note: "capital gain"},
			{words: "interest|interests|zinsen|zinsen auf einlagen|zinsen auf belastungen|intérêts", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "custody fees|depotgebühren|droits de garde|frais de garde|spesen steuerauszug|tax statement", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "payment|zahlung|paiement|twint", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "credit|gutschrift|einzahlung|crédit", in: portfolio.KindDeposit},
			{words: "debit|belastung|auszahlung|débit", out: portfolio.KindWithdrawal},
			{words: swissquoteExchange, problem: "the other side of the exchange is missing or ambiguous; enter the exchange by hand"},
		},
		parse: parseSwissquote, join: joinSwissquote, check: checkSwissquote, complete: completeSwissquote, finish: checkSwissquoteBalances,
		identify: func(l *specLine) (market.Symbol, string, error) {
			if r := l.rule(); r.in == portfolio.KindInterest || r.out == portfolio.KindFee {
				return "", "", nil
			}
			quoted := "" // dividends may be in another currency
			if r := l.rule(); r.out == portfolio.KindBuy || r.in == portfolio.KindSell {
				quoted = l.currency
			}
			return l.identifySecurity(quoted)
		},
	}
	s.header = []string{s.date, swissquoteOrder, s.action, s.symbol, s.isin, s.quantity, s.price, s.fee, s.amount, swissquoteAccount + "|" + s.currency}
	return s.format()
}

const swissquoteExchange = "forex credit|forex debit|forex-gutschrift|forex-belastung|fx-gutschrift comp.|fx-belastung comp.|fx credit comp.|fx debit comp.|crédit forex|débit forex"

// parseSwissquote determines the currencies. Pence become pounds, and the account's cash changes by
// the net amount unless the file says otherwise.
func parseSwissquote(l *specLine) error {
	account := l.swissquoteAccount()
	if l.currency == "" {
		l.currency = l.cell(swissquoteAccount)
	}
	// The time orders the transactions of a day, because files begin with the newest line.
	if h, m, s := l.time.Clock(); h+m+s == 0 {
		l.time = time.Time{}
	}
	l.time = l.time.UTC()
	accrued, balance, cash := l.others[swissquoteAccrued], l.others[swissquoteBalance], l.others[swissquoteAccountNet]
	if whole, places := market.MinorUnit(l.currency); whole != "" {
		l.currency = whole
		for _, sum := range []*decimal.NullDecimal{&l.price, &l.fee, &accrued, &l.amount} {
			sum.Decimal = sum.Decimal.Shift(-places)
		}
	}
	if _, places := market.MinorUnit(cmp.Or(l.cell(swissquoteAccount), l.cell(swissquoteNetCurrency))); places > 0 {
		cash.Decimal, balance.Decimal = cash.Decimal.Shift(-places), balance.Decimal.Shift(-places)
	}
	switch {
	case !ValidCurrency(l.currency) || !ValidCurrency(account):
		return errors.New("missing currency; enter the line by hand")
	case !l.amount.Valid:
		return errors.New("no net amount and no cash change; enter the change in securities by hand")
	case cash.Decimal.IsZero() && account != l.currency:
		return fmt.Errorf("missing cash change of the %s account; enter the line by hand", account)
	case l.fee.Decimal.IsNegative() || accrued.Decimal.IsNegative():
		return errors.New("negative costs or interest; enter the line by hand")
	case cash.Decimal.IsZero():
		cash = l.amount
	}
	l.others[swissquoteAccrued], l.others[swissquoteBalance], l.others[swissquoteAccountNet], l.others[swissquoteNet] = accrued, balance, cash, l.amount
	return nil
}

// swissquoteAccount returns the currency of the account, and of its balance.
func (l *specLine) swissquoteAccount() string {
	account := cmp.Or(l.cell(swissquoteAccount), l.cell(swissquoteNetCurrency))
	if whole, _ := market.MinorUnit(account); whole != "" {
		return whole
	}
	return account
}

// checkSwissquote separates the parts of the net amount: accrued interest of a bond, and tax listed under
// the costs of income.
func checkSwissquote(l *specLine) error {
	accrued := l.others[swissquoteAccrued].Decimal
	switch r := l.rule(); {
	case r.out == portfolio.KindBuy:
		l.amount.Decimal = l.amount.Decimal.Add(accrued)
	case r.in == portfolio.KindSell:
		l.amount.Decimal = l.amount.Decimal.Sub(accrued)
	case r.in == portfolio.KindDividend || r.in == portfolio.KindInterest:
		l.tax, l.fee = l.fee, decimal.NullDecimal{}
	}
	return nil
}

// completeSwissquote adds the accrued interest of a bond, and an exchange for bookings in another
// currency than the account's, so that cash in that currency is unchanged.
func completeSwissquote(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
	if t.Kind == portfolio.KindFee || t.Kind == portfolio.KindFeeRefund {
		t.Note = Shorten(l.word)
	}
	txs := []portfolio.Transaction{t}
	if accrued := l.others[swissquoteAccrued].Decimal; accrued.IsPositive() && (t.Kind == portfolio.KindBuy || t.Kind == portfolio.KindSell) {
		interest := t
		interest.Kind, interest.Amount, interest.Fee, interest.Quantity, interest.Price = portfolio.KindInterestDue, accrued, decimal.Zero, decimal.Zero, decimal.NullDecimal{}
		if t.Kind == portfolio.KindSell {
			interest.Kind = portfolio.KindInterest
		}
		interest.SourceID = "/interest"
		txs = append(txs, interest)
	}
	account, cash, net := l.swissquoteAccount(), l.others[swissquoteAccountNet].Decimal, l.others[swissquoteNet].Decimal
	if account == l.currency {
		return txs, nil
	}
	if cash.Sign() != net.Sign() {
		return nil, errors.New("the net amount has the wrong sign: remove the line that it reverses, or enter the transaction by hand")
	}
	exchange := portfolio.Transaction{Date: l.date, Time: l.time, Kind: portfolio.KindExchange, SourceID: "/exchange"}
	if net.IsNegative() {
		exchange.Currency, exchange.Amount, exchange.ToCurrency, exchange.ToAmount = account, cash.Neg(), l.currency, net.Neg()
		return append([]portfolio.Transaction{exchange}, txs...), nil
	}
	exchange.Currency, exchange.Amount, exchange.ToCurrency, exchange.ToAmount = l.currency, net, account, cash
	return append(txs, exchange), nil
}

// joinSwissquote joins the two lines of each currency exchange: same order and time, one negative
// and one positive.
func joinSwissquote(r *specReader, lines []*specLine) {
	for _, l := range lines {
		if rule := l.rule(); rule.out == portfolio.KindBuy || rule.in == portfolio.KindSell {
			_, _, _ = l.identifySecurity(l.currency) // reported with its line
		}
	}
	pairs := pairsOf(lines, func(l *specLine) string {
		if l.rule().words != swissquoteExchange {
			return ""
		}
		return l.cell(swissquoteOrder) + " " + l.cell(l.specReader.date)
	})
	for _, pair := range pairs {
		from, to := pair[0], pair[1]
		if from.amount.Decimal.IsPositive() {
			from, to = to, from
		}
		if !from.amount.Decimal.IsNegative() || !to.amount.Decimal.IsPositive() || from.currency == to.currency ||
			from.swissquoteAccount() != from.currency || to.swissquoteAccount() != to.currency {
			continue
		}
		r.add([]portfolio.Transaction{{
			Date: from.date, Time: from.time, Kind: portfolio.KindExchange, Currency: from.currency, Amount: from.amount.Decimal.Neg().Sub(from.fee.Decimal),
			Fee: from.fee.Decimal, ToCurrency: to.currency, ToAmount: to.amount.Decimal,
		}}, pair[:]...)
	}
}

// checkSwissquoteBalances checks the balances of each account.
func checkSwissquoteBalances(r *specReader, lines []*specLine) {
	var balances []balanceLine
	for _, l := range lines {
		if balance := l.others[swissquoteBalance]; balance.Valid {
			balances = append(balances, balanceLine{
				row: l.row, account: r.options.Account, currency: l.swissquoteAccount(), date: l.date, balance: balance.Decimal, changes: []decimal.Decimal{l.others[swissquoteAccountNet].Decimal},
			})
		}
	}
	r.collector.checkBalances(balances)
}
