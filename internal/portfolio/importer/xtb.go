package importer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// XTB returns the format of the sheet "Cash operation history" of XTB's report. Its amounts are in the currency of the
// account, which the file does not name; the comment has quantity and price. Since 2025 the table
// has the columns Ticker, Instrument and Product, and ends in a total.
func XTB() Format {
	const contract = "contract for difference, not a position: enter its gain or cost of {amount} by hand"
	return spec{
		name: "xtb", title: "XTB, cash operations (CSV)", header: xtbHeader,
		date: "Time", action: "Type", symbol: "Symbol|Ticker", security: "Instrument", id: "ID", amount: "Amount", open: openXTB,
		layouts: []string{"02.01.2006 15:04:05", "02/01/2006 15:04:05", "2006-01-02 15:04:05"}, decimal: DecimalPoint, guessed: true,
		rules: []rule{
			{words: "stocks/etf purchase|stock purchase|etf purchase|stocks purchase|ações/etf compra|zakup akcji/etf|akcie/etf nákup", out: portfolio.KindBuy, book: bookXTBTrade},
			{words: "stocks/etf sale|stock sale|etf sale|stocks sale|stock sell|etf sell|ações/etf vende|ações/etf venda|sprzedaż akcji/etf|akcie/etf prodej", in: portfolio.KindSell, book: bookXTBTrade},
			{words: "dividend|divident|dividenda|dywidenda|dividendo", in: portfolio.KindDividend},
			{words: "withholding tax|tax iftt|stamp duty|podatek od dywidend", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "free funds interests tax|free funds interest tax|free-funds interest tax", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "free funds interests|free-funds interest|free funds interest", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "deposit|withdrawal|transfer|subaccount transfer|ike deposit|ike cash transfer in|ike cash transfer out|blik|paypal", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "sec fee|commission|fee|fees", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "profit/loss*", problem: contract}, {words: "swap*", problem: contract}, {words: "rollover*", problem: contract}, {words: "close trade", problem: contract},
			{words: "spin off|spinoff", problem: "{amount} for {symbol} from a spin-off, but the file does not give its part of the cost basis: enter a spin-off or a dividend"},
			{words: "total", ignore: "total of the table"},
		},
		parse: func(l *specLine) error {
			if l.currency = cmp.Or(l.options.Currency, l.currency); l.currency == "" {
				return fmt.Errorf("the file does not name the account's currency: set currency, such as EUR")
			}
			if l.amount.Valid && l.amount.Decimal.IsZero() {
				return IgnoreReason("amount is zero")
			}
			return nil
		},
		join: ignoreXTBMoves, identify: identifyXTB,
		note: func(l *specLine) string { return l.cell("Comment") },
	}.format()
}

var xtbHeader = []string{"ID", "Type", "Time", "Comment", "Symbol|Ticker", "Amount"}

// openXTB finds the account's currency: the currency of an exchange where the amount of a trade is
// exactly quantity times price.
func openXTB(s *spec, f File) (Table, error) {
	table, err := ReadTable(f, s.header...)
	if err != nil {
		return table, err
	}
	r := newSpecReader(s, table, Options{})
	if err := r.findDecimalSeparator(f); err != nil {
		return table, err
	}
	proven := map[string]bool{}
	for _, row := range table.Rows {
		l := &specLine{specReader: r, row: row, symbol: r.cell(row, s.symbol)}
		quantity, price, err := l.xtbTrade()
		amount, _, errAmount := l.number(s.amount)
		symbol, _, errSymbol := identifyXTB(l)
		if strings.HasSuffix(string(symbol), ".L") { // London quotes in several currencies
			continue
		}
		if err == nil && errAmount == nil && errSymbol == nil && quantity.Mul(price).Sub(amount.Decimal.Abs()).Abs().LessThan(cent) {
			proven[reference.Describe(symbol).TradingCurrency] = true
		}
	}
	if delete(proven, ""); len(proven) == 1 {
		for s.money = range proven {
		}
	}
	return table, nil
}

// ignoreXTBMoves ignores moves between two products of the account, which are two lines of the same second.
func ignoreXTBMoves(r *specReader, lines []*specLine) {
	pairs := pairsOf(lines, func(l *specLine) string {
		if l.action != "transfer" && l.action != "subaccount transfer" {
			return ""
		}
		return l.cell("Time") + " " + l.amount.Decimal.Abs().String()
	})
	for _, pair := range pairs {
		if pair[0].amount.Decimal.Add(pair[1].amount.Decimal).IsZero() {
			for _, l := range pair {
				r.collector.Ignore(l.row, "move within the account")
			}
		}
	}
}

// identifyXTB reads "SPYL.DE": the ticker and the country of the exchange.
func identifyXTB(l *specLine) (market.Symbol, string, error) {
	dot := strings.LastIndexByte(l.symbol, '.')
	if dot < 0 {
		return "", "", nil
	}
	mic, ok := xtbExchanges[strings.ToUpper(l.symbol[dot+1:])]
	if !ok {
		return "", "", fmt.Errorf("%q is not a share or fund on a known exchange: enter the line by hand", Shorten(l.symbol))
	}
	return l.collector.Identify(Listing{Ticker: l.symbol[:dot], Exchange: mic})
}

var xtbExchanges = map[string]string{
	"US": "XNYS", "UK": "XLON", "DE": "XETR", "FR": "XPAR", "NL": "XAMS", "BE": "XBRU", "PT": "XLIS", "IT": "XMIL", "ES": "XMAD", "CH": "XSWX",
	"PL": "XWAR", "CZ": "XPRA", "HU": "XBUD", "SE": "XSTO", "NO": "XOSL", "DK": "XCSE", "FI": "XHEL", "AT": "XWBO",
}

var xtbTradePattern = lazyregexp.New(`(?:OPEN|CLOSE) (?:BUY|SELL) ([0-9.,]+)(?:/[0-9.,]+)? @ ([0-9.,]+)`)

// xtbTrade reads "OPEN BUY 34/42.5658 @ 11.7480": 34 shares of an order for 42.5658. The price is in the
// currency of the exchange.
func (l *specLine) xtbTrade() (quantity, price decimal.Decimal, err error) {
	match := xtbTradePattern().FindStringSubmatch(l.cell("Comment"))
	if match == nil {
		return quantity, price, fmt.Errorf("no quantity and price in %q: enter the trade by hand", Shorten(l.cell("Comment")))
	}
	if quantity, err = ParseNumber(match[1], DecimalPoint); err == nil {
		price, err = ParseNumber(match[2], DecimalPoint)
	}
	return quantity, price, err
}

func bookXTBTrade(l *specLine) ([]portfolio.Transaction, error) {
	quantity, price, err := l.xtbTrade()
	if err != nil {
		return nil, err
	}
	l.quantity = decimal.NewNullDecimal(quantity)
	t, err := l.transaction(*l.rule())
	if err != nil {
		return nil, err
	}
	if off := quantity.Mul(price).Sub(t.Amount).Abs(); off.LessThanOrEqual(t.Amount.Mul(decimal.New(1, -3)).Add(cent)) {
		t.Price = decimal.NewNullDecimal(price)
	} else {
		t.Note = joinNotes(t.Note, "at "+price.String()+" a share")
	}
	return []portfolio.Transaction{t}, nil
}
