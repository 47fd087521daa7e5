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

// Revolut is Revolut's account statement of trading. It writes numbers in several manners, so they
// are read by parseRevolut.
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
			{words: "merger - stock", problem: "the other side of the merger is not in the file, or is not clear; enter it by hand"},
			{words: "merger - cash|position closure", book: bookRevolutLiquidation},
			{words: "spinoff|spin-off", problem: "the line does not say of which shares these came; enter the spin-off by hand"},
		},
		parse: parseRevolut, join: joinRevolut,
	}.format()
}

func parseRevolut(l *specLine) error {
	if whole, _ := market.MinorUnit(l.currency); !ValidCurrency(l.currency) || whole != "" {
		return fmt.Errorf("%q is no currency that sums can be booked in; enter the line by hand", Shorten(l.currency))
	}
	if l.symbol != "" {
		symbol, err := ParseTicker(l.symbol)
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
		return errors.New("the total is missing; enter it by hand")
	}
	var err error
	if l.amount, err = l.chooseRevolutReading(readings[2]); err == nil && len(readings[0]) > 0 {
		l.quantity, err = l.chooseRevolutReading(readings[0])
	}
	return err
}

// revolutReadings are what a cell says with a decimal point and with a decimal comma: one,
// or two that differ, and none of an empty cell.
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
			return nil, fmt.Errorf("%s is in %s and the line in %s; enter it by hand", column, code, l.currency)
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

// parseRevolutMoney reads also "USD -0.25", with the sign behind the code.
func parseRevolutMoney(text string, sign DecimalSeparator) (decimal.Decimal, string, error) {
	if len(text) > 4 && ValidCurrency(text[:3]) && text[3] == ' ' {
		d, err := ParseNumber(text[4:], sign)
		return d, text[:3], err
	}
	return ParseMoney(text, sign)
}

// chooseRevolutReading decides between two readings by how the file writes its other sums.
func (l *specLine) chooseRevolutReading(readings []decimal.Decimal) (decimal.NullDecimal, error) {
	if len(readings) == 1 {
		return decimal.NewNullDecimal(readings[0]), nil
	}
	switch l.sign {
	case 0:
		return decimal.NullDecimal{}, fmt.Errorf("the number may be %s or %s, and nothing in the file tells which; enter it by hand", readings[0], readings[1])
	case DecimalPoint:
		return decimal.NewNullDecimal(readings[0]), nil
	}
	return decimal.NewNullDecimal(readings[1]), nil
}

// decideRevolutTrade finds the one way to read a trade in which quantity, price and total
// agree.
func (l *specLine) decideRevolutTrade(kind portfolio.Kind, quantities, prices, totals []decimal.Decimal) error {
	if len(quantities) == 0 || len(prices) == 0 || len(totals) == 0 {
		return errors.New("quantity, price or total is missing; enter the trade by hand")
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
		return fmt.Errorf("%s at %s is not %s; compare the line with Revolut and enter it by hand", quantities[0], prices[0], totals[0])
	}
	return nil
}

// revolutTradeAgrees allows for the rounding of the price and the total to their last digits, and
// for fees within the total, which make a purchase dearer and a sale less: at most
// five per cent or two units of the currency.
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

// bookRevolutTransfer reads what went from one of Revolut's companies to another. Shares stay in the
// account; cash does where both sides are in the file.
func bookRevolutTransfer(l *specLine) ([]portfolio.Transaction, error) {
	if l.amount.Decimal.IsZero() {
		return nil, IgnoreReason("a move between Revolut's own companies: the shares stay in the account")
	}
	return nil, fmt.Errorf(
		"%s %s moved between Revolut's companies and the other side is not in the file; enter it by hand as a deposit or withdrawal if the cash of the account changed",
		l.amount.Decimal, l.currency)
}

// bookRevolutSplit tells the ratio of a split, of which Revolut writes only how many shares
// came or went, by what the file says was held before.
func bookRevolutSplit(l *specLine) ([]portfolio.Transaction, error) {
	held, change := l.others[revolutHeld].Decimal, l.quantity.Decimal
	after := held.Add(change)
	ratio, ok := revolutSplitRatio(held, after)
	switch {
	case l.symbol == "" || change.IsZero() || !l.amount.Decimal.IsZero():
		return nil, errors.New("a split without shares, or with cash; enter it by hand")
	case !held.IsPositive() || !after.IsPositive():
		return nil, fmt.Errorf("%s shares more or less by a split, and the file has not what was held before; enter the split by hand with its ratio, or export the whole history", change)
	case !ok:
		return nil, fmt.Errorf("%s shares became %s, which is no ratio of small numbers: purchases before may be missing in the file; enter the split by hand", held, after)
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, Symbol: market.Symbol(l.symbol), New: decimal.NewFromInt(ratio[0]), Old: decimal.NewFromInt(ratio[1])}
	t.Kind = splitKind(t.New, t.Old)
	return []portfolio.Transaction{t}, nil
}

// revolutSplitRatio finds the ratio of small numbers that two quantities have, up to their
// last digit: a whole number for one, either way, or two numbers up to ten. What was
// held wrongly would hardly have one.
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

// bookRevolutLiquidation reads a position that became cash: of so many shares a sale, and of all where
// the line does not say how many.
func bookRevolutLiquidation(l *specLine) ([]portfolio.Transaction, error) {
	if l.symbol == "" || !l.amount.Decimal.IsPositive() {
		return nil, errors.New("it names no security, or no cash that came of it; enter it by hand")
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, Kind: portfolio.KindMerger, Symbol: market.Symbol(l.symbol), Currency: l.currency, Amount: l.amount.Decimal}
	if !l.quantity.Decimal.IsZero() {
		t.Kind, t.Quantity = portfolio.KindSell, l.quantity.Decimal.Abs()
	}
	return []portfolio.Transaction{t}, nil
}

// joinRevolut finds the lines that belong together: fees, taxes and cash that came back on the same
// day, and the two sides of a merger. A line that could belong to several belongs to none.
func joinRevolut(r *specReader, lines []*specLine) {
	countRevolutShares(lines)
	groups := map[string][]*specLine{}
	for _, l := range lines {
		amount := l.amount.Decimal.Abs().String()
		var key string
		switch {
		case l.action == "merger - stock" && l.quantity.Valid && l.symbol != "" && l.amount.Decimal.IsZero():
			key = fmt.Sprint("merger", l.time.Truncate(time.Minute), l.currency)
		case l.action == "dividend tax (correction)":
			key = fmt.Sprint("tax", l.date, l.currency, l.symbol, " ", amount)
		case strings.HasPrefix(l.action, "custody fee"):
			key = fmt.Sprint("fee", l.date, l.currency, l.symbol, " ", amount)
		case strings.HasPrefix(l.action, "transfer from revolut ") && l.symbol == "":
			key = fmt.Sprint("transfer", l.date, l.currency, amount)
		default:
			continue
		}
		groups[key] = append(groups[key], l)
	}
	for _, pair := range groups {
		if len(pair) != 2 {
			continue
		}
		a, b := pair[0], pair[1]
		switch {
		case a.action == "merger - stock":
			if a.quantity.Decimal.Sign()*b.quantity.Decimal.Sign() < 0 && a.symbol != b.symbol {
				r.addRevolutMerger(a, b)
			}
		case a.amount.Decimal.Sign()*b.amount.Decimal.Sign() >= 0:
		case strings.HasPrefix(a.action, "transfer"):
			r.collector.Skip(IgnoreReason("cash that left one of Revolut's companies and came to another on the same day"), a.row, b.row)
		default:
			reason := fmt.Sprintf("taken and given back on the same day, by the lines %d and %d", a.row.Line, b.row.Line)
			r.collector.Skip(IgnoreReason(reason), a.row, b.row)
		}
	}
}

// addRevolutMerger records shares that became those of another company.
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
		r.collector.RejectAll([]Row{first.row, second.row}, "%s %s were exchanged and the file says that %s were held; enter the merger by hand", t.Old, from.symbol, held)
		return
	}
	r.add([]portfolio.Transaction{t}, first, second)
}

// revolutHeld is how many shares of a line's security there were before its moment, by the lines of the
// file alone.
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

// revolutShareChange is how many shares a line brought, or took.
func (l *specLine) revolutShareChange() decimal.Decimal {
	switch r := l.rule(); {
	case r.kind == portfolio.KindSell, l.action == "merger - cash", l.action == "position closure":
		return l.quantity.Decimal.Abs().Neg()
	case r.kind == portfolio.KindBuy, l.action == "stock split", l.action == "merger - stock", strings.HasPrefix(l.action, "spin"):
		return l.quantity.Decimal
	}
	return decimal.Zero
}
