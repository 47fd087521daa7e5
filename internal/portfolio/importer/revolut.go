package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Revolut returns the format of Revolut's trading account statement. It mixes number formats, so parseRevolut reads
// the numbers.
func Revolut() Format {
	return spec{
		name: "revolut", title: "Revolut, trading account statement (CSV)",
		header: []string{"Date", "Ticker", "Type", "Quantity", "Price per share", "Total Amount", "Currency", "FX Rate"},
		date:   "Date", action: "Type", symbol: "Ticker", currency: "Currency",
		layouts: []string{time.RFC3339Nano}, guessed: true, sums: []string{"Price per share", "Total Amount"}, tolerance: decimal.NewFromInt(1),
		rules: []rule{
			{words: "buy", kind: portfolio.KindBuy},
			{words: "buy - *", kind: portfolio.KindBuy},
			{words: "sell", kind: portfolio.KindSell},
			{words: "sell - *", kind: portfolio.KindSell},
			{words: "dividend", in: portfolio.KindDividend},
			{words: "return of capital", in: portfolio.KindReturnOfCapital},
			{words: "cash top-up", in: portfolio.KindDeposit},
			{words: "cash withdrawal", out: portfolio.KindWithdrawal},
			{words: "custody fee|robo management fee|custody fee reversal", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "dividend tax (correction)", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "transfer from revolut *", book: bookRevolutTransfer},
			{words: "stock split", book: bookRevolutSplit},
			{words: "merger - stock", problem: "the other side of the merger is missing or ambiguous; enter the merger by hand"},
			{words: "merger - cash|position closure", book: bookRevolutLiquidation},
			{words: "spinoff|spin-off", problem: "the line does not name the original shares; enter the spin-off by hand"},
		},
		parse: parseRevolut, join: joinRevolut,
	}.format()
}

func parseRevolut(l *specLine) error {
	if whole, _ := market.MinorUnit(l.currency); !ValidCurrency(l.currency) || whole != "" {
		return fmt.Errorf("%q is not a supported currency; enter the line by hand", Shorten(l.currency))
	}
	if l.symbol != "" {
		symbol, _, err := l.collector.Identify(Listing{Ticker: l.symbol, Currency: l.currency})
		if err != nil {
			return err
		}
		l.symbol = string(symbol)
	}
	l.time = l.time.UTC()
	var readings [3][]decimal.Decimal
	for i, column := range []string{"Quantity", "Price per share", "Total Amount"} {
		var err error
		if readings[i], err = l.revolutReadings(column); err != nil {
			return err
		}
	}
	if r := l.rule(); r.kind != "" {
		return l.decideRevolutTrade(r.kind, readings[0], readings[1], readings[2])
	}
	if len(readings[2]) == 0 {
		return errors.New("missing total; enter the line by hand")
	}
	var err error
	if l.amount, err = l.chooseRevolutReading(readings[2]); err == nil && len(readings[0]) > 0 {
		l.quantity, err = l.chooseRevolutReading(readings[0])
	}
	return err
}

// revolutReadings returns the numbers that a cell can mean with a decimal point or comma: one, or
// two that differ, or none for an empty cell.
func (l *specLine) revolutReadings(column string) ([]decimal.Decimal, error) {
	text := l.cell(column)
	if text == "" {
		return nil, nil
	}
	var found []decimal.Decimal
	for _, sign := range []DecimalSeparator{DecimalPoint, DecimalComma} {
		d, code, err := parseRevolutMoney(text, sign)
		if err != nil {
			continue
		}
		if code != "" && code != l.currency {
			return nil, fmt.Errorf("%s is in %s, but the line is in %s; enter the line by hand", column, code, l.currency)
		}
		if len(found) == 0 || !found[0].Equal(d) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w: %q", column, ErrNumber, Shorten(text))
	}
	return found, nil
}

// parseRevolutMoney also parses "USD -0.25", with the sign after the code.
func parseRevolutMoney(text string, sign DecimalSeparator) (decimal.Decimal, string, error) {
	if len(text) > 4 && ValidCurrency(text[:3]) && text[3] == ' ' {
		d, err := ParseNumber(text[4:], sign)
		return d, text[:3], err
	}
	return ParseMoney(text, sign)
}

// chooseRevolutReading decides between two readings by the file's other amounts.
func (l *specLine) chooseRevolutReading(readings []decimal.Decimal) (decimal.NullDecimal, error) {
	if len(readings) == 1 {
		return decimal.NewNullDecimal(readings[0]), nil
	}
	switch l.sign {
	case 0:
		return decimal.NullDecimal{}, fmt.Errorf("ambiguous number: %s or %s; enter the line by hand", readings[0], readings[1])
	case DecimalPoint:
		return decimal.NewNullDecimal(readings[0]), nil
	}
	return decimal.NewNullDecimal(readings[1]), nil
}

// decideRevolutTrade finds the only reading of a trade for which quantity, price and total agree.
func (l *specLine) decideRevolutTrade(kind portfolio.Kind, quantities, prices, totals []decimal.Decimal) error {
	if len(quantities) == 0 || len(prices) == 0 || len(totals) == 0 {
		return errors.New("missing quantity, price or total; enter the trade by hand")
	}
	found := 0
	for _, q := range quantities {
		for _, p := range prices {
			for _, total := range totals {
				if !revolutTradeAgrees(kind, q.Abs(), p, total.Abs()) {
					continue
				}
				found++
				l.quantity, l.price, l.amount = decimal.NewNullDecimal(q.Abs()), decimal.NewNullDecimal(p), decimal.NewNullDecimal(total.Abs())
			}
		}
	}
	if found != 1 {
		return fmt.Errorf("%s at %s is not %s; compare the line with Revolut and enter the transaction by hand", quantities[0], prices[0], totals[0])
	}
	return nil
}

// revolutTradeAgrees reports whether total is quantity times price. It allows for rounding and for included
// fees, which raise the total of a purchase and lower that of a sale: at most five percent or two units of
// the currency.
func revolutTradeAgrees(kind portfolio.Kind, quantity, price, total decimal.Decimal) bool {
	if !quantity.IsPositive() || !price.IsPositive() || !total.IsPositive() {
		return false
	}
	product := quantity.Mul(price)
	rounding := quantity.Mul(decimal.New(5, min(price.Exponent(), -2)-1)).Add(decimal.New(1, -2))
	fees := decimal.Min(product, decimal.Max(product.Mul(decimal.New(5, -2)), decimal.NewFromInt(2)))
	over := total.Sub(product)
	if kind == portfolio.KindSell {
		over = over.Neg()
	}
	return over.GreaterThanOrEqual(rounding.Neg()) && over.LessThanOrEqual(fees.Add(rounding))
}

// bookRevolutTransfer reads moves between Revolut's companies. Shares stay in the account; so does
// cash if both sides are in the file.
func bookRevolutTransfer(l *specLine) ([]portfolio.Transaction, error) {
	if l.amount.Decimal.IsZero() {
		return nil, IgnoreReason("move between Revolut companies; the shares stay in the account")
	}
	return nil, fmt.Errorf(
		"%s %s moved between Revolut companies, and the other side is not in the file; if the account's cash changed, enter a deposit or withdrawal by hand",
		l.amount.Decimal, l.currency)
}

// bookRevolutSplit computes the ratio of a split from the shares held before, because Revolut
// writes only the change in shares.
func bookRevolutSplit(l *specLine) ([]portfolio.Transaction, error) {
	held, change := l.others[revolutHeld].Decimal, l.quantity.Decimal
	after := held.Add(change)
	ratio, ok := revolutSplitRatio(held, after)
	switch {
	case l.symbol == "" || change.IsZero() || !l.amount.Decimal.IsZero():
		return nil, errors.New("split without shares, or with cash; enter the transaction by hand")
	case !held.IsPositive() || !after.IsPositive():
		return nil, fmt.Errorf("split with a change of %s shares, but the file lacks the shares held before; enter the split by hand with its ratio, or export the whole history", change)
	case !ok:
		return nil, fmt.Errorf("split from %s to %s shares is not a simple ratio, so earlier purchases may be missing; enter the split by hand", held, after)
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, Symbol: market.Symbol(l.symbol), New: decimal.NewFromInt(ratio[0]), Old: decimal.NewFromInt(ratio[1])}
	t.Kind = splitKind(t.New, t.Old)
	return []portfolio.Transaction{t}, nil
}

// revolutSplitRatio finds a simple ratio of two quantities, exact to their last digit: a whole
// number to one, either way, or two numbers up to ten. A wrong quantity held would rarely give one.
func revolutSplitRatio(before, after decimal.Decimal) ([2]int64, bool) {
	fits := func(n, o int64) bool {
		off := before.Mul(decimal.NewFromInt(n)).Sub(after.Mul(decimal.NewFromInt(o))).Abs()
		return off.LessThanOrEqual(decimal.New(n+o, min(before.Exponent(), after.Exponent(), -4)))
	}
	for o := int64(1); o <= 100; o++ {
		for n := int64(1); n <= 100; n++ {
			if n != o && (n <= 10 && o <= 10 || n == 1 || o == 1) && fits(n, o) {
				return [2]int64{n, o}, true
			}
		}
	}
	return [2]int64{}, false
}

// bookRevolutLiquidation books a position converted to cash as a sale, of all shares if the line
// has no quantity.
func bookRevolutLiquidation(l *specLine) ([]portfolio.Transaction, error) {
	if l.symbol == "" || !l.amount.Decimal.IsPositive() {
		return nil, errors.New("missing security or cash; enter the transaction by hand")
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, Kind: portfolio.KindMerger, Symbol: market.Symbol(l.symbol), Currency: l.currency, Amount: l.amount.Decimal}
	if !l.quantity.Decimal.IsZero() {
		t.Kind, t.Quantity = portfolio.KindSell, l.quantity.Decimal.Abs()
	}
	return []portfolio.Transaction{t}, nil
}

// joinRevolut joins lines that belong together: fees, taxes and cash reversed on the same day, and
// the two sides of a merger. A line that could belong to several pairs belongs to none.
func joinRevolut(r *specReader, lines []*specLine) {
	countRevolutShares(lines)
	pairs := pairsOf(lines, func(l *specLine) string {
		amount := l.amount.Decimal.Abs().String()
		switch {
		case l.action == "merger - stock" && l.quantity.Valid && l.symbol != "" && l.amount.Decimal.IsZero():
			return fmt.Sprint("merger", l.time.Truncate(time.Minute), l.currency)
		case l.action == "dividend tax (correction)":
			return fmt.Sprint("tax", l.date, l.currency, l.symbol, " ", amount)
		case strings.HasPrefix(l.action, "custody fee"):
			return fmt.Sprint("fee", l.date, l.currency, l.symbol, " ", amount)
		case strings.HasPrefix(l.action, "transfer from revolut ") && l.symbol == "":
			return fmt.Sprint("transfer", l.date, l.currency, amount)
		}
		return ""
	})
	for _, pair := range pairs {
		a, b := pair[0], pair[1]
		switch {
		case a.action == "merger - stock":
			if a.quantity.Decimal.Sign()*b.quantity.Decimal.Sign() < 0 && a.symbol != b.symbol {
				r.addRevolutMerger(a, b)
			}
		case a.amount.Decimal.Sign()*b.amount.Decimal.Sign() >= 0:
		case strings.HasPrefix(a.action, "transfer"):
			r.collector.Skip(IgnoreReason("cash moved between Revolut companies on the same day"), a.row, b.row)
		default:
			reason := fmt.Sprintf("charged and refunded on the same day, lines %d and %d", a.row.Line, b.row.Line)
			r.collector.Skip(IgnoreReason(reason), a.row, b.row)
		}
	}
}

// addRevolutMerger records shares exchanged for those of another company.
func (r *specReader) addRevolutMerger(first, second *specLine) {
	from, to := first, second
	if from.quantity.Decimal.IsPositive() {
		from, to = to, from
	}
	t := portfolio.Transaction{
		Date: from.date, Time: from.time, Kind: portfolio.KindMerger, Symbol: market.Symbol(from.symbol),
		ToSymbol: market.Symbol(to.symbol), New: to.quantity.Decimal, Old: from.quantity.Decimal.Neg(),
	}
	if held := from.others[revolutHeld].Decimal; !held.Equal(t.Old) {
		r.collector.RejectAll([]Row{first.row, second.row}, "%s %s were exchanged, but the position in the file was %s; enter the merger by hand", t.Old, from.symbol, held)
		return
	}
	r.add([]portfolio.Transaction{t}, first, second)
}

// revolutHeld is the key for the shares of a line's security held before it, according to the file.
const revolutHeld = "held before"

func countRevolutShares(lines []*specLine) {
	bySymbol := map[string][]*specLine{}
	for _, l := range lines {
		if l.symbol != "" && l.quantity.Valid {
			bySymbol[l.symbol] = append(bySymbol[l.symbol], l)
		}
	}
	for _, all := range bySymbol {
		slices.SortStableFunc(all, func(a, b *specLine) int { return a.time.Compare(b.time) })
		var held, before decimal.Decimal
		for i, l := range all {
			if i == 0 || l.time.After(all[i-1].time) {
				before = held
			}
			l.others = map[string]decimal.NullDecimal{revolutHeld: decimal.NewNullDecimal(before)}
			held = held.Add(l.revolutShareChange())
		}
	}
}

// revolutShareChange returns the change in shares by a line.
func (l *specLine) revolutShareChange() decimal.Decimal {
	switch r := l.rule(); {
	case r.kind == portfolio.KindSell, l.action == "merger - cash", l.action == "position closure":
		return l.quantity.Decimal.Abs().Neg()
	case r.kind == portfolio.KindBuy, l.action == "stock split", l.action == "merger - stock", strings.HasPrefix(l.action, "spin"):
		return l.quantity.Decimal
	}
	return decimal.Zero
}
