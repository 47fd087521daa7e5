package importer

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// portfolioPerformanceHeader has columns of Portfolio Performance that converters of Trade Republic's data
// do not write.
var portfolioPerformanceHeader = []string{
	"Datum|Date", "Typ|Type", "Wert|Value", "Buchungswährung|Transaction Currency", "Gebühren|Fees", "Steuern|Taxes", "Stück|Shares", "ISIN",
}

// PortfolioPerformance returns the format of the CSV of Portfolio Performance, in German or English, which several
// converters of other brokers' files also write. Values are changes in cash; those of purchases have
// no sign if a securities account was exported.
func PortfolioPerformance() Format {
	h := portfolioPerformanceHeader
	return spec{
		name: "portfolioperformance", title: "Portfolio Performance, transactions (CSV)", header: h,
		date: h[0], action: h[1], amount: h[2], currency: h[3], fee: h[4], tax: h[5], quantity: h[6], isin: h[7],
		symbol: "Ticker-Symbol|Ticker Symbol", security: "Wertpapiername|Security Name",
		layouts: []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, "02.01.2006", "02.01.2006 15:04", "02.01.2006 15:04:05"},
		decimal: DecimalComma, guessed: true, net: true,
		rules: []rule{
			{words: "kauf|buy", kind: portfolio.KindBuy},
			{words: "verkauf|sell", kind: portfolio.KindSell},
			{words: "dividende|dividend", in: portfolio.KindDividend},
			{words: "zinsen|interest", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "zinsbelastung|interest charge", kind: portfolio.KindInterestDue},
			{words: "gebühren|fees|fee", kind: portfolio.KindFee},
			{words: "gebührenerstattung|fees refund", kind: portfolio.KindFeeRefund},
			{words: "steuern|taxes|tax", kind: portfolio.KindTax},
			{words: "steuerrückerstattung|tax refund", kind: portfolio.KindTaxRefund},
			{words: "einlage|deposit", in: portfolio.KindDeposit},
			{words: "entnahme|removal", kind: portfolio.KindWithdrawal},
			{words: "einlieferung|delivery (inbound)", book: bookPortfolioPerformanceDelivery},
			{words: "auslieferung|delivery (outbound)", kind: portfolio.KindTransferOut},
			{words: "umbuchung (eingang)|transfer (inbound)", in: portfolio.KindDeposit, book: bookPortfolioPerformanceTransfer},
			{words: "umbuchung (ausgang)|transfer (outbound)", out: portfolio.KindWithdrawal, book: bookPortfolioPerformanceTransfer},
		},
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" && l.isin == "" {
				return "", "", nil
			}
			return l.identifySecurity("")
		},
		note: func(l *specLine) string { return l.cell("Notiz|Note") },
	}.format()
}

// bookPortfolioPerformanceDelivery books shares received. Their value is what they cost.
func bookPortfolioPerformanceDelivery(l *specLine) ([]portfolio.Transaction, error) {
	t, err := l.transaction(rule{kind: portfolio.KindTransferIn})
	if err == nil && !l.amount.Decimal.IsZero() {
		t.CostUnknown = false
		err = l.setAmount(&t)
	}
	return []portfolio.Transaction{t}, err
}

// bookPortfolioPerformanceTransfer books cash or shares moved between accounts, of which the file has
// only one.
func bookPortfolioPerformanceTransfer(l *specLine) ([]portfolio.Transaction, error) {
	r := rule{kind: portfolio.KindWithdrawal}
	switch incoming := l.rule().in != ""; {
	case incoming && !l.quantity.Decimal.IsZero():
		r.kind = portfolio.KindTransferIn
	case incoming:
		r.kind = portfolio.KindDeposit
	case !l.quantity.Decimal.IsZero():
		r.kind = portfolio.KindTransferOut
	}
	t, err := l.transaction(r)
	return []portfolio.Transaction{t}, err
}
