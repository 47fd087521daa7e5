package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrTrade is an execution or order with the broker's signs: quantities and proceeds are negative
// if they left the account; costs are always negative.
type ibkrTrade struct {
	ibkrRecord
	transaction                                  portfolio.Transaction // without the numbers below
	quantity, price, proceeds, commission, taxes decimal.Decimal
}

// addTrade adds a trade, or reports why it cannot.
func (g *ibkrGatherer) addTrade(r ibkrRecord) {
	switch r.level() {
	case "", "EXECUTION", "ORDER":
	default:
		g.summaryRows = append(g.summaryRows, r.row)
		return
	}
	g.hasTrades = true
	t := ibkrTrade{ibkrRecord: r}
	if err := t.read(); err != nil {
		g.Problem(r.row, "%s", err)
		return
	}
	t.transaction.Account = g.account(r)
	if !t.isForex() {
		_, _, _ = t.security() // records the listing, for payments that do not state it; addTrade ignores errors, recordTrade reports them
	}
	g.trades = append(g.trades, t)
}

func (t *ibkrTrade) read() error {
	if err := t.checkAssetClass(); err != nil {
		return err
	}
	var money, multiplier decimal.Decimal
	err := t.numbers(map[string]*decimal.Decimal{
		"quantity": &t.quantity, "tradeprice": &t.price, "proceeds": &t.proceeds, "ibcommission": &t.commission, "taxes": &t.taxes,
		"trademoney": &money, "multiplier": &multiplier,
	})
	if err != nil {
		return err
	}
	x := &t.transaction
	if x.Date, x.Time, err = parseIBKRTime(t.first("datetime", "tradedate")); err != nil {
		return err
	}
	// The time may be on the previous evening, so the trade date wins.
	if text := t.get("tradedate"); text != "" {
		if x.Date, _, err = parseIBKRTime(text); err != nil {
			return err
		}
	}
	switch {
	case t.quantity.IsZero():
		return errors.New("missing quantity")
	case !multiplier.IsZero() && !multiplier.Equal(decimal.NewFromInt(1)):
		return fmt.Errorf("contract with a multiplier of %s: only a multiplier of 1 is supported", multiplier)
	case !t.sideMatches():
		return fmt.Errorf("side %s contradicts quantity %s", Shorten(t.get("buysell")), t.quantity)
	}
	if t.proceeds.IsZero() {
		t.proceeds = money.Neg()
	}
	if t.proceeds.IsZero() && t.get("assetcategory") == "" && t.get("multiplier") == "" {
		return errors.New("the file has neither the asset class nor the proceeds, so this may be a contract with a multiplier: add AssetClass and Proceeds to the query")
	}
	if t.proceeds.IsZero() && !t.isBond() {
		t.proceeds = t.quantity.Mul(t.price).Neg()
	}
	if t.proceeds.Sign() != -t.quantity.Sign() {
		return fmt.Errorf("the proceeds %[2]s have the wrong sign for the quantity %[1]s: compare the line with the broker's statement", t.quantity, t.proceeds)
	}
	// Order prices are averages with four or more decimals. Bonds are priced in percent, so only
	// their amount is used.
	slack := decimal.New(2, -2).Add(t.quantity.Abs().Mul(decimal.New(1, -4)))
	if !t.isBond() && t.quantity.Mul(t.price).Add(t.proceeds).Abs().GreaterThan(slack) {
		return fmt.Errorf("%s at %s does not equal %s: compare the line with the broker's statement", t.quantity.Abs(), t.price, t.proceeds.Abs())
	}
	return t.setCurrency(x)
}

// isCancelled reports whether the trade is a cancellation. Flex Queries mark it in the side, activity
// statements in the codes.
func (t *ibkrTrade) isCancelled() bool {
	return strings.Contains(t.get("buysell"), "(Ca") || hasIBKRCode(t.get("notes"), "Ca")
}

// hasIBKRCode reports whether the broker's codes of a trade include code: "O" opens, "Ca" cancels.
func hasIBKRCode(notes, code string) bool {
	return slices.Contains(strings.FieldsFunc(notes, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }), code)
}

// sideMatches reports whether the side matches the sign of the quantity. A cancellation has the
// side of the trade and the opposite sign.
func (t *ibkrTrade) sideMatches() bool {
	side := strings.ToUpper(t.get("buysell"))
	return side == "" || t.isCancelled() ||
		strings.HasPrefix(side, "BUY") && t.quantity.IsPositive() || strings.HasPrefix(side, "SELL") && t.quantity.IsNegative()
}

// settleTrades records executions, and orders without executions. If the file has only sums of
// trades, they are problems.
func (g *ibkrGatherer) settleTrades() {
	for _, row := range g.summaryRows {
		if g.hasTrades {
			g.Ignore(row, "lot or total of trades that are already recorded")
		} else {
			g.Problem(row, "lot or total of trades that are not in the file: select Executions in the query")
		}
	}
	g.dropCancelled()
	executed := map[string]bool{}
	for _, t := range g.trades {
		if t.level() == "EXECUTION" {
			executed[t.dayKey()] = true
			// Without an ID every order of the symbol would be the same.
			if t.get("iborderid") != "" {
				executed[t.orderKey()] = true
			}
		}
	}
	for _, t := range g.trades {
		if t.level() == "ORDER" && (executed[t.orderKey()] || t.get("iborderid") == "" && executed[t.dayKey()]) {
			g.Ignore(t.row, "order whose executions are already recorded")
			continue
		}
		g.recordTrade(t)
	}
}

func (t *ibkrTrade) orderKey() string {
	return "order " + t.get("accountid") + " " + t.get("iborderid") + " " + t.get("symbol") + t.get("isin")
}

func (t *ibkrTrade) dayKey() string {
	return "day " + t.get("accountid") + " " + t.transaction.Date.String() + " " + t.get("symbol") + t.get("isin")
}

// dropCancelled removes cancellations and the trades they cancel, which have the opposite quantity
// and are otherwise equal.
func (g *ibkrGatherer) dropCancelled() {
	undone := map[string][]ibkrTrade{}
	key := func(t ibkrTrade, quantity decimal.Decimal) string {
		return t.dayKey() + " " + t.level() + " " + quantity.String() + " " + t.price.String()
	}
	for _, t := range g.trades {
		if t.isCancelled() {
			k := key(t, t.quantity.Neg())
			undone[k] = append(undone[k], t)
		}
	}
	var remaining []ibkrTrade
	for _, t := range g.trades {
		k := key(t, t.quantity)
		if t.isCancelled() {
			continue
		}
		if by := undone[k]; len(by) > 0 {
			undone[k] = by[1:]
			g.Ignore(t.row, fmt.Sprintf("canceled by line %d", by[0].row.Line))
			g.Ignore(by[0].row, fmt.Sprintf("cancels line %d", t.row.Line))
			continue
		}
		remaining = append(remaining, t)
	}
	for _, left := range undone {
		for _, t := range left {
			g.Problem(t.row, "cancels a trade that is not in the file: remove that trade from the portfolio")
		}
	}
	g.trades = remaining
}

// recordTrade records one trade, with a separate fee if its commission is in another currency.
func (g *ibkrGatherer) recordTrade(t ibkrTrade) {
	fill := t.fill
	if t.isForex() {
		fill = t.fillExchange
	}
	if err := fill(); err != nil {
		g.Problem(t.row, "%s", err)
		return
	}
	fields := []string{"symbol", "isin", "currency", "datetime", "tradedate", "quantity", "tradeprice", "proceeds", "trademoney", "ibcommission"}
	id := g.id(t.ibkrRecord, "trade-", []string{"transactionid", "tradeid", "ibexecid"}, fields)
	if t.level() == "ORDER" && t.get("transactionid") == "" {
		id = g.id(t.ibkrRecord, "order-", []string{"iborderid"}, fields)
	}
	txs, err := t.withCosts()
	if err != nil {
		g.Problem(t.row, "%s", err)
		return
	}
	g.AddAll(txs, id, t.row)
}

func (t *ibkrTrade) fill() error {
	x := &t.transaction
	symbol, isin, err := t.security()
	switch {
	case err != nil:
		return err
	// Without an asset class, a currency exchange in a Flex CSV has an empty security.
	case symbol == "":
		return fmt.Errorf("currency exchange without its other currency in the file (%s for %s %s): add Symbol to the query, or enter the exchange by hand",
			t.quantity, t.proceeds, x.Currency)
	}
	x.Symbol, x.ISIN, x.Name = symbol, isin, t.get("description")
	x.Kind, x.Quantity, x.Amount = kindBySign(t.quantity, portfolio.KindBuy, portfolio.KindSell), t.quantity.Abs(), t.proceeds.Abs()
	if !t.isBond() {
		x.Price = decimal.NewNullDecimal(t.price)
	}
	// A sale that opens a position is a short sale.
	codes := t.first("opencloseindicator", "notes")
	x.Short = x.Kind == portfolio.KindSell && hasIBKRCode(codes, "O")
	return nil
}

// fillExchange reads a trade of "USD.CHF": dollars for francs.
func (t *ibkrTrade) fillExchange() error {
	base, quote, found := strings.Cut(t.get("symbol"), ".")
	x := &t.transaction
	if !found || !ValidCurrency(base) || quote != x.Currency {
		return fmt.Errorf("cannot find the two currencies of the exchange in %q and %s", Shorten(t.get("symbol")), x.Currency)
	}
	x.Kind = portfolio.KindExchange
	x.Currency, x.Amount, x.ToCurrency, x.ToAmount = quote, t.proceeds.Abs(), base, t.quantity.Abs()
	if t.quantity.IsNegative() {
		x.Currency, x.Amount, x.ToCurrency, x.ToAmount = x.ToCurrency, x.ToAmount, x.Currency, x.Amount
	}
	return nil
}

// withCosts adds commission and taxes to the trade, or to a separate fee or fee refund if the
// commission is in another currency. A refund in the same currency lowers the cost of a purchase or
// raises the proceeds of a sale.
func (t *ibkrTrade) withCosts() ([]portfolio.Transaction, error) {
	x := &t.transaction
	var apart []portfolio.Transaction
	var err error
	currency := t.get("ibcommissioncurrency")
	switch {
	case t.commission.IsZero():
	case currency == "" && t.isForex():
		return nil, fmt.Errorf("missing currency of the commission of %s", t.commission)
	case currency == "" || currency == x.Currency:
		err = t.charge(&x.Fee, t.commission)
	case !ValidCurrency(currency):
		err = fmt.Errorf("commission currency %q is not a currency", Shorten(currency))
	default:
		fee := portfolio.Transaction{
			Kind: portfolio.KindFee, Account: x.Account, Date: x.Date, Time: x.Time, Symbol: x.Symbol, ISIN: x.ISIN, Name: x.Name,
			Currency: currency, Amount: t.commission.Abs(), Note: "commission", SourceID: "-fee",
		}
		if t.commission.IsPositive() {
			fee.Kind, fee.Note = portfolio.KindFeeRefund, "commission refund"
		}
		apart = append(apart, fee)
	}
	if err == nil && !t.taxes.IsZero() {
		// These are duties on the transaction. For a sale, the field Tax would mean tax on the
		// gain.
		duties, cost := decimal.Zero, &x.Tax
		if x.Kind == portfolio.KindSell {
			cost = &duties
		}
		err = t.charge(cost, t.taxes)
		x.Fee = x.Fee.Add(duties)
	}
	return append([]portfolio.Transaction{*x}, apart...), err
}

// charge adds a cost with the broker's sign, negative if paid.
func (t *ibkrTrade) charge(cost *decimal.Decimal, signed decimal.Decimal) error {
	x := &t.transaction
	switch {
	case signed.IsNegative():
		*cost = signed.Neg()
	case x.Kind == portfolio.KindBuy && x.Amount.GreaterThan(signed):
		x.Amount = x.Amount.Sub(signed)
		x.Note = "less " + signed.String() + " refunded"
	case x.Kind == portfolio.KindSell:
		x.Amount = x.Amount.Add(signed)
		x.Note = "with " + signed.String() + " refunded"
	default:
		return fmt.Errorf("a refunded fee or tax of %s cannot be part of this trade: enter the trade and the refund by hand", signed)
	}
	return nil
}
