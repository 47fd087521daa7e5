package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrTrade is an execution or order, with its numbers as the broker signs them:
// quantities and what was paid below zero where it went out, costs always.
type ibkrTrade struct {
	ibkrRecord
	transaction portfolio.Transaction // but for what the numbers below say
	quantity    decimal.Decimal
	price       decimal.Decimal
	proceeds    decimal.Decimal
	commission  decimal.Decimal
	taxes       decimal.Decimal
}

// addTrade gathers a trade, or reports what is wrong with it.
func (g *ibkrGatherer) addTrade(r ibkrRecord) {
	switch level := strings.ToUpper(r.get("levelofdetail")); level {
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
	g.trades = append(g.trades, t)
}

func (t *ibkrTrade) read() error {
	if err := t.checkAssetClass(); err != nil {
		return err
	}
	var money, multiplier decimal.Decimal
	if err := t.numbers(ibkrNumberField{"quantity", &t.quantity}, ibkrNumberField{"tradeprice", &t.price}, ibkrNumberField{"proceeds", &t.proceeds}, ibkrNumberField{"ibcommission", &t.commission}, ibkrNumberField{"taxes", &t.taxes}, ibkrNumberField{"trademoney", &money}, ibkrNumberField{"multiplier", &multiplier}); err != nil {
		return err
	}
	if multiplier.IsZero() {
		multiplier = decimal.NewFromInt(1)
	}
	if err := t.readTime(); err != nil {
		return err
	}
	switch {
	case t.quantity.IsZero():
		return fmt.Errorf("no quantity")
	case !multiplier.Equal(decimal.NewFromInt(1)):
		return fmt.Errorf("a contract for %s units: only what is counted one by one is read", multiplier)
	case !t.sideMatches():
		return fmt.Errorf("says %s and has a quantity of %s: one of them is wrong", Shorten(t.get("buysell")), t.quantity)
	}
	if t.proceeds.IsZero() {
		t.proceeds = money.Neg()
	}
	if t.proceeds.IsZero() && t.get("assetcategory") == "" && t.get("multiplier") == "" {
		return fmt.Errorf("neither the kind of asset nor what was paid is in the file, so it may be a contract for many units: add AssetClass and Proceeds to the query")
	}
	if t.proceeds.IsZero() && !t.isBond() {
		t.proceeds = t.quantity.Mul(t.price).Neg()
	}
	if !t.priceMatches() {
		return fmt.Errorf("%s at %s is not %s: check the line with the broker's statement", t.quantity.Abs(), t.price, t.proceeds.Abs())
	}
	return t.setCurrency(&t.transaction)
}

func (t *ibkrTrade) readTime() error {
	day, at, err := parseIBKRTime(t.first("datetime", "tradedate"))
	if err != nil {
		return err
	}
	// The time may be of the evening before: the day of trade is what counts.
	if text := t.get("tradedate"); text != "" {
		if day, _, err = parseIBKRTime(text); err != nil {
			return err
		}
	}
	t.transaction.Date, t.transaction.Time = day, at
	return nil
}

func (t *ibkrTrade) isBond() bool {
	switch strings.ToUpper(t.get("assetcategory")) {
	case "BOND", "BONDS", "BILL", "TREASURY BILLS":
		return true
	}
	return false
}

func (t *ibkrTrade) isForex() bool {
	switch strings.ToUpper(t.get("assetcategory")) {
	case "CASH", "FOREX":
		return true
	}
	return false
}

// isCancelled reports a cancellation: Flex Queries say so beside the side, activity
// statements among the codes.
func (t *ibkrTrade) isCancelled() bool {
	return strings.Contains(t.get("buysell"), "(Ca") || slices.Contains(t.codes(), "Ca")
}

// sideMatches compares the word for buying or selling with the sign of the quantity.
// A cancellation has the word of the trade and the opposite sign.
func (t *ibkrTrade) sideMatches() bool {
	side := strings.ToUpper(t.get("buysell"))
	switch {
	case side == "" || t.isCancelled():
		return true
	case strings.HasPrefix(side, "BUY"):
		return t.quantity.IsPositive()
	case strings.HasPrefix(side, "SELL"):
		return t.quantity.IsNegative()
	}
	return false
}

// priceMatches compares quantity and price with the money. Prices of orders are
// averages, written with four digits or more. Bonds are priced in per cent of what
// is counted, so their money alone is read.
func (t *ibkrTrade) priceMatches() bool {
	if t.isBond() {
		return t.proceeds.Sign() == -t.quantity.Sign()
	}
	slack := decimal.New(2, -2).Add(t.quantity.Abs().Mul(decimal.New(1, -4)))
	return t.quantity.Mul(t.price).Add(t.proceeds).Abs().LessThanOrEqual(slack)
}

// settleTrades records the trades: executions, and orders without any. A file of sums
// alone has trades that nothing records.
func (g *ibkrGatherer) settleTrades() {
	for _, row := range g.summaryRows {
		if g.hasTrades {
			g.Ignore(row, "a sum or lot of trades that are recorded themselves")
		} else {
			g.Problem(row, "a sum or lot of trades that are not in the file: choose Executions in the query")
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
			g.Ignore(t.row, "an order whose executions are recorded")
			continue
		}
		g.recordTrade(t)
	}
}

func (t *ibkrTrade) level() string { return strings.ToUpper(t.get("levelofdetail")) }

func (t *ibkrTrade) orderKey() string {
	return "order " + t.get("accountid") + " " + t.get("iborderid") + " " + t.get("symbol") + t.get("isin")
}

func (t *ibkrTrade) dayKey() string {
	return "day " + t.get("accountid") + " " + t.transaction.Date.String() + " " + t.get("symbol") + t.get("isin")
}

// dropCancelled takes cancellations out together with the trade that each of them
// undoes, which has the opposite quantity and else is the same.
func (g *ibkrGatherer) dropCancelled() {
	undone := map[string][]int{}
	key := func(t ibkrTrade, quantity decimal.Decimal) string {
		return t.dayKey() + " " + t.level() + " " + quantity.String() + " " + t.price.String()
	}
	for i, t := range g.trades {
		if t.isCancelled() {
			k := key(t, t.quantity.Neg())
			undone[k] = append(undone[k], i)
		}
	}
	if len(undone) == 0 {
		return
	}
	var kept []ibkrTrade
	for _, t := range g.trades {
		k := key(t, t.quantity)
		if t.isCancelled() {
			continue
		}
		if by := undone[k]; len(by) > 0 {
			undone[k] = by[1:]
			g.Ignore(t.row, fmt.Sprintf("cancelled by line %d", g.trades[by[0]].row.Line))
			g.Ignore(g.trades[by[0]].row, fmt.Sprintf("cancels line %d", t.row.Line))
			continue
		}
		kept = append(kept, t)
	}
	for _, left := range undone {
		for _, i := range left {
			g.Problem(g.trades[i].row, "cancels a trade that is not in the file: remove that trade from the book")
		}
	}
	g.trades = kept
}

// recordTrade records one trade, with its commission beside it where that is in another
// currency.
func (g *ibkrGatherer) recordTrade(t ibkrTrade) {
	if err := t.fill(); err != nil {
		g.Problem(t.row, "%s", err)
		return
	}
	id := g.id(t.ibkrRecord, "trade-", []string{"transactionid", "tradeid", "ibexecid"}, ibkrTradeFields())
	if t.level() == "ORDER" && t.get("transactionid") == "" {
		id = g.id(t.ibkrRecord, "order-", []string{"iborderid"}, ibkrTradeFields())
	}
	fee, apart, err := t.costs()
	if err != nil {
		g.Problem(t.row, "%s", err)
		return
	}
	txs := []portfolio.Transaction{t.transaction}
	if apart {
		txs = append(txs, fee)
	}
	g.AddAll(txs, id, t.row)
}

func ibkrTradeFields() []string {
	return []string{"symbol", "isin", "currency", "datetime", "tradedate", "quantity", "tradeprice", "proceeds", "trademoney", "ibcommission"}
}

func (t *ibkrTrade) fill() error {
	if t.isForex() {
		return t.fillExchange()
	}
	x := &t.transaction
	symbol, isin, err := t.security()
	switch {
	case err != nil:
		return err
	// Without a kind of asset, a Flex CSV tells currencies by having no security.
	case symbol == "":
		return fmt.Errorf("a currency exchange whose other currency is not in the file (%s for %s %s): add Symbol to the query, or record the exchange by hand",
			t.quantity, t.proceeds, x.Currency)
	}
	x.Symbol, x.ISIN, x.Name = symbol, isin, t.get("description")
	x.Kind, x.Quantity, x.Amount = portfolio.KindBuy, t.quantity.Abs(), t.proceeds.Abs()
	if !t.isBond() {
		x.Price = decimal.NewNullDecimal(t.price)
	}
	if t.quantity.IsNegative() {
		x.Kind = portfolio.KindSell
		x.Short = t.opensPosition()
	}
	return nil
}

// opensPosition reports whether the broker marks the trade as one that opens a position,
// which a sale does by going short.
func (t *ibkrTrade) opensPosition() bool {
	if side := t.get("opencloseindicator"); side != "" {
		return slices.Contains(splitIBKRCodes(side), "O")
	}
	return slices.Contains(t.codes(), "O")
}

// codes are what the broker notes of a trade: "O" opens, "Ca" cancels.
func (t *ibkrTrade) codes() []string { return splitIBKRCodes(t.get("notes")) }

func splitIBKRCodes(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' || r == ' ' })
}

// fillExchange reads a trade of "USD.CHF": so many dollars for francs.
func (t *ibkrTrade) fillExchange() error {
	base, quote, found := strings.Cut(t.get("symbol"), ".")
	x := &t.transaction
	if !found || !ValidCurrency(base) || quote != x.Currency {
		return fmt.Errorf("a currency exchange whose two currencies cannot be told from %q and %s", Shorten(t.get("symbol")), x.Currency)
	}
	x.Kind = portfolio.KindExchange
	x.Currency, x.Amount, x.ToCurrency, x.ToAmount = quote, t.proceeds.Abs(), base, t.quantity.Abs()
	if t.quantity.IsNegative() {
		x.Currency, x.Amount, x.ToCurrency, x.ToAmount = base, t.quantity.Abs(), quote, t.proceeds.Abs()
	}
	return nil
}
