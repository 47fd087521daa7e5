package importer

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// TradeRepublic reads two tables: Trade Republic's own export, with amounts before fee and tax, and the one
// that converters make from the app's timeline, in several languages and with net amounts in euros.
func TradeRepublic() Format {
	header := []string{"datetime", "category", "type", "asset_class", "symbol", "shares", "amount", "fee", "tax", "transaction_id"}
	converted := []string{"Datum|Date|Fecha", "Transactietype|Typ|Type|Tipo", "Waarde (netto)|Waarde|Wert|Value|Valeur", "Opmerking|Notiz|Note", "ISIN", "Aantal|Stück|Shares|Titres", "Kosten|Gebühren|Fees|Frais", "Belasting|Steuern|Taxes|Impôts"}
	return spec{
		name: "traderepublic", title: "Trade Republic, transactions (CSV)",
		recognizes: func(f File) bool {
			return HasTable(f, header...) || HasTable(f, converted...) && !HasTable(f, portfolioPerformanceHeader...)
		},
		open: func(s *spec, f File) (Table, error) {
			if HasTable(f, header...) {
				return ReadTable(f, header...)
			}
			s.date, s.action, s.amount, s.security, s.isin = converted[0], converted[1], converted[2], converted[3], converted[4]
			s.quantity, s.fee, s.tax, s.symbol, s.id, s.price = converted[5], converted[6], converted[7], "", "", ""
			s.currency, s.money, s.net, s.decimal, s.guessed = "", "EUR", true, DecimalComma, true
			s.layouts, s.utc = []string{time.DateOnly, "02.01.2006", "2006-01-02T15:04:05"}, false
			return ReadTable(f, converted...)
		},
		date: "datetime|date", action: "type", isin: "symbol", security: "name", id: "transaction_id", currency: "currency",
		quantity: "shares", price: "price", amount: "amount", fee: "fee", tax: "tax",
		layouts: []string{time.RFC3339Nano, time.DateOnly}, utc: true, decimal: DecimalPoint,
		rules: []rule{
			{words: "buy|kauf|aankoop|koop|achat|compra|acquisto|savings_plan|private_market_buy", kind: portfolio.KindBuy},
			{words: "sell|verkauf|verkoop|vente|venta|vendita|private_market_sell|final_maturity|tilg", kind: portfolio.KindSell},
			{words: "dividend|dividende|distribution|dividendo|dividends|dividend_equivalent_payment|earnings", in: portfolio.KindDividend},
			{words: "interest|interest_payment|coupon_payment|zinsen|rente|intérêts|intereses|interessi", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "deposit|einlage|storting|dépôt|depósito|deposito|removal|withdrawal|entnahme|onttrekking|retrait|retirada|prelievo", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "customer_*", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "transfer_*", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "card_*", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "pea_marketing|benefits_saveback|kickback|gift|referral|manual_cash_transfer", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: tradeRepublicTax + "|sec_account|pre_determined_tax_base|tax_refund|tax refund|steuerrückerstattung|belastingteruggave|taxes|steuern", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: tradeRepublicFee + "|gebühren|kosten|fee|card_ordering_fee|round_up_fee|round_up_savings_fee", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "free_receipt|stockperk|migration", book: bookTradeRepublicReceipt},
			{words: "share_exchange|reorganisation|adr_discontinuation|spin_off", problem: "{shares} shares of {symbol} moved by a corporate action, but the file does not give their cost basis: enter a merger or spin-off"},
			{words: "worthless", problem: "{shares} shares of {symbol} became worthless: enter a sale at price 0"},
			{words: "split|stock_split|reverse_split", problem: "split with {shares} shares received, but the file does not give the ratio: enter the split by hand"},
		},
		parse: parseTradeRepublic,
		identify: func(l *specLine) (market.Symbol, string, error) {
			switch {
			case l.isin == "":
				return "", "", nil
			case strings.EqualFold(l.cell("asset_class"), "crypto"):
				symbol, err := CoinSymbol(l.isin)
				return symbol, "", err
			}
			return l.collector.Identify(Listing{ISIN: l.isin, Name: l.cell(l.specReader.spec.security)})
		},
		note: func(l *specLine) string { return l.word },
	}.format()
}

const (
	tradeRepublicTax = "tax_optimization"
	tradeRepublicFee = "fees"
)

// parseTradeRepublic drops signs that the type already implies. A line with a tax and no amount is a tax,
// whatever its type: it corrects an earlier payment, or taxes income that a fund did not pay out. A line
// with only a fee is a fee.
func parseTradeRepublic(l *specLine) error {
	switch {
	case !l.amount.Decimal.IsZero():
	case !l.tax.Decimal.IsZero():
		l.action, l.amount, l.tax = tradeRepublicTax, l.tax, decimal.NullDecimal{}
	case !l.fee.Decimal.IsZero() && l.quantity.Decimal.IsZero():
		l.action, l.amount, l.fee = tradeRepublicFee, l.fee, decimal.NullDecimal{}
	}
	l.fee.Decimal, l.tax.Decimal = l.fee.Decimal.Abs(), l.tax.Decimal.Abs()
	if l.action != "migration" {
		l.quantity.Decimal = l.quantity.Decimal.Abs()
	}
	return nil
}

// bookTradeRepublicReceipt books shares received, or moved to another securities account; a line without
// shares credits the money for them.
func bookTradeRepublicReceipt(l *specLine) ([]portfolio.Transaction, error) {
	r := rule{in: portfolio.KindTransferIn, out: portfolio.KindTransferOut}
	if l.quantity.Decimal.IsZero() && !l.amount.Decimal.IsZero() {
		r = rule{in: portfolio.KindDeposit, out: portfolio.KindWithdrawal}
	}
	t, err := l.transaction(r)
	return []portfolio.Transaction{t}, err
}
