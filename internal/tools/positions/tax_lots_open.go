package positions

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// openLot is an open lot.
type openLot struct {
	Name        string           `json:"-" label:"lot"`
	Lot         string           `json:"lot"`
	Account     string           `json:"account"`
	Untaxed     bool             `json:"untaxed,omitempty"`
	Symbol      market.Symbol    `json:"symbol"`
	Acquired    string           `json:"acquired,omitempty"`
	DaysHeld    *int             `json:"days_held,omitempty" label:"days held" unit:"days" formula:"today - acquired"`
	Quantity    *decimal.Decimal `json:"quantity,omitempty" label:"quantity" as:"exact" unit:"units" sensitive:"amount"`
	Price       *decimal.Decimal `json:"price,omitempty" label:"price" as:"price" currency:"price_currency"`
	PriceUnit   string           `json:"price_currency,omitempty"`
	Value       *decimal.Decimal `json:"value,omitempty" label:"market value" as:"money" currency:"price_currency" formula:"quantity * price" sensitive:"amount"`
	Cost        *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" currency:"cost_currency" formula:"amount paid, fees included" sensitive:"amount"`
	CostUnit    string           `json:"cost_currency,omitempty"`
	Gain        *decimal.Decimal `json:"gain,omitempty" label:"unrealized gain" as:"gain" currency:"cost_currency" formula:"market value - cost basis" sensitive:"amount"`
	GainPct     *decimal.Decimal `json:"gain_pct,omitempty" label:"unrealized gain" as:"change" in:"percent" formula:"gain / cost basis"`
	ValueBase   *decimal.Decimal `json:"value_base,omitempty" label:"market value" as:"money" currency:"/currency" formula:"quantity * price * exchange rate" sensitive:"amount"`
	CostBase    *decimal.Decimal `json:"cost_base,omitempty" label:"cost basis" as:"money" currency:"/currency" formula:"cost * rate of the acquisition date" sensitive:"amount"`
	GainBase    *decimal.Decimal `json:"gain_base,omitempty" label:"unrealized gain" as:"gain" currency:"/currency" formula:"market value - cost basis" sensitive:"amount"`
	GainBasePct *decimal.Decimal `json:"gain_base_pct,omitempty" label:"unrealized gain in the base currency" as:"change" in:"percent" formula:"gain / cost basis"`
	GainWhy     string           `json:"gain_absent,omitempty"`
	Term        tax.Term         `json:"term,omitempty"`
	LongFrom    string           `json:"long_from,omitempty"`
	// Added lists losses of wash sales that were added to the cost basis. The gains above do not
	// include them; TaxGain does.
	Added   []addedLine      `json:"added_by_wash_sales,omitempty"`
	TaxGain *decimal.Decimal `json:"gain_with_wash_sales_base,omitempty" label:"gain with wash sales" as:"gain" currency:"/currency" formula:"market value - cost basis - disallowed losses" sensitive:"amount"`
	Harvest *harvestLine     `json:"harvest,omitempty"`

	base     string // the base currency
	lot      portfolio.Lot
	gainBase decimal.NullDecimal
	taxGain  decimal.NullDecimal // gainBase minus the added losses; invalid if unknown in the base currency
}

// Explain implements [toolkit.Explainer].
func (l openLot) Explain(field string) toolkit.Explanation {
	money := func(name string, amount *decimal.Decimal, style toolkit.Style, currency string) string {
		return name + " " + toolkit.Format(amount, style, currency)
	}
	switch field {
	case "value", "value_base":
		return toolkit.Explanation{Inputs: []string{money("quantity", l.Quantity, toolkit.Exact, ""), money("price", l.Price, toolkit.Price, l.PriceUnit)}}
	case "gain", "gain_pct":
		return toolkit.Explanation{Inputs: []string{money("market value", l.Value, toolkit.Money, l.PriceUnit), money("cost basis", l.Cost, toolkit.Money, l.CostUnit)}}
	case "gain_base", "gain_base_pct", "gain_with_wash_sales_base":
		return toolkit.Explanation{Inputs: []string{money("market value", l.ValueBase, toolkit.Money, l.base), money("cost basis", l.CostBase, toolkit.Money, l.base)}}
	}
	return toolkit.Explanation{}
}

// harvestLine is the result of the wash sale rule for selling a lot today.
type harvestLine struct {
	Status    string         `json:"status"` // clear or blocked
	Blocks    []purchaseLine `json:"blocked_by,omitempty"`
	SellFrom  string         `json:"sell_from,omitempty"` // first date without a blocking purchase
	BuyAgain  string         `json:"buy_from,omitempty"`  // first date to buy again after a sale today
	Condition string         `json:"conditions"`          // for a sale that is clear
}

// lotKey identifies a lot. Its parts in several accounts share the key.
type lotKey struct {
	lot    string
	symbol market.Symbol
}

// purchaseLine is a purchase that would disallow a loss.
type purchaseLine struct {
	Transaction string           `json:"transaction" label:"purchase"`
	Account     string           `json:"account"`
	Date        string           `json:"date"`
	Quantity    *decimal.Decimal `json:"quantity,omitempty" label:"quantity bought" as:"exact" unit:"units" sensitive:"amount"`
}

// addedLine is a disallowed loss that was added to the cost basis of a lot.
type addedLine struct {
	Name     string           `json:"-" label:"of"`
	Amount   *decimal.Decimal `json:"amount,omitempty" label:"disallowed loss added to the cost" as:"money" sensitive:"amount"`
	Currency string           `json:"currency"`
	Quantity *decimal.Decimal `json:"quantity,omitempty" label:"quantity it was added to" as:"exact" unit:"units" sensitive:"amount"` // of the lot
	HeldFrom string           `json:"held_from,omitempty"`
}

const (
	statusClear   = "clear in the ledger"
	statusBlocked = "blocked"
	statusNoRule  = "no rule known"
)

// addOpenLots values the open lots. For kind harvest it keeps those at a loss in taxable accounts,
// the largest loss first.
func (d TaxLotDeps) addOpenLots(ctx context.Context, a *lotsAnswer, o Portfolio, exempt map[market.Symbol]bool, currency string) error {
	v, err := d.valueAccounts(ctx, o, RequestedAccounts(nil, a.filter.account), currency)
	if err != nil {
		return err
	}
	v.Lines = slices.DeleteFunc(v.Lines, func(l ValuedPosition) bool { return a.filter.symbol != "" && l.Symbol != a.filter.symbol })
	v.Cash = nil
	if len(v.Lines) == 0 {
		return fmt.Errorf("%w in %s on %s; for sales use kind closed", ErrNoPositions, cmp.Or(string(a.filter.symbol), "any security"), toolkit.FormatDate(o.Day))
	}
	for _, l := range v.Lines {
		if l.Price.Instrument.Kind == "crypto" {
			exempt[l.Symbol] = true
		}
	}
	a.assessed = a.rules.Assess(o.Engine, o.Ledger.Accounts, tax.Options{AsOf: o.Day, Exempt: exempt})
	a.added, a.parts = map[lotKey][]tax.AddedBasis{}, map[lotKey]int{}
	for _, added := range a.assessed.AddedBasis {
		key := lotKey{added.Lot, added.Symbol}
		a.added[key] = append(a.added[key], added)
	}
	a.Currency, a.Prices, a.Rates = v.Base, v.PriceOrigins(), v.RateLines()
	o.WarnOfSplits(v, &a.Warnings)
	v.WarnOfPrices(&a.Warnings)
	for _, m := range groupMissing(v.MissingValues()) {
		a.Warnings.Warn("no_value", "No market value for %s. %s", m.What, m.sentence())
	}
	a.Open = make([]openLot, 0, len(v.Lots()))
	for _, lot := range v.Lots() {
		a.parts[lotKey{lot.ID, lot.Symbol}]++
	}
	costs := d.NewCostConverter(ctx, v.Base, v.Lots())
	for _, l := range v.Lines {
		for _, lot := range l.Lots {
			a.Open = append(a.Open, a.newOpenLot(ctx, o, l, lot, costs))
		}
	}
	if a.Kind == kindHarvest {
		a.keepHarvestable(o)
	}
	return nil
}

func (a *lotsAnswer) newOpenLot(ctx context.Context, o Portfolio, l ValuedPosition, lot portfolio.Lot, costs CostConverter) openLot {
	account, _ := o.Ledger.Account(lot.Account)
	out := openLot{
		Name: string(lot.Symbol) + " " + cmp.Or(toolkit.FormatDate(lot.Acquired), "of unknown date"), base: a.Currency,
		Lot: lot.ID, Account: lot.Account, Untaxed: account.Untaxed, Symbol: lot.Symbol, Acquired: toolkit.FormatDate(lot.Acquired), Quantity: &lot.Quantity,
		lot: lot,
	}
	if !lot.Acquired.IsZero() {
		out.DaysHeld = new(int(toolkit.Today(o.Day).Sub(lot.Acquired).Hours() / 24))
	}
	cost := SignedCost(lot)
	if out.Cost = toolkit.Known(cost); out.Cost != nil {
		out.CostUnit = lot.Currency
	}
	var value, valueBase decimal.NullDecimal
	if l.Value.Valid {
		value = decimal.NewNullDecimal(lot.Quantity.Mul(l.Price.Value))
		out.Price, out.PriceUnit, out.Value = &l.Price.Value, l.Price.Provenance.Currency, toolkit.Known(value)
	}
	if l.Base.Valid {
		valueBase = decimal.NewNullDecimal(value.Decimal.Mul(l.Rate.Value))
	}
	if lot.Currency == out.PriceUnit {
		gain := SubtractKnown(value, cost)
		out.Gain, out.GainPct = toolkit.Known(gain), gainInPercent(gain, cost)
	}
	costBase, why := costs.Convert(ctx, cost, lot.Currency, lot.Acquired)
	if why == "" && !valueBase.Valid {
		why = l.Missing
	}
	out.gainBase, out.GainWhy = SubtractKnown(valueBase, costBase), why
	out.ValueBase, out.CostBase, out.GainBase = toolkit.Known(valueBase), toolkit.Known(costBase), toolkit.Known(out.gainBase)
	out.GainBasePct = gainInPercent(out.gainBase, costBase)
	out.taxGain = out.gainBase
	a.setTerm(&out, o.Day)
	if len(out.Added) > 0 {
		out.TaxGain = toolkit.Known(out.taxGain)
	}
	return out
}

// setTerm sets the holding period and term of a lot as if it were sold on a day.
func (a *lotsAnswer) setTerm(l *openLot, day market.Date) {
	from := l.lot.Acquired
	for _, added := range a.added[lotKey{l.Lot, l.Symbol}] {
		l.Added = append(l.Added, addedLine{"wash sale", &added.Amount, added.Currency, &added.Quantity, toolkit.FormatDate(added.HeldFrom)})
		// The parts of a transferred lot share its ID, so the part that received the added cost
		// is unknown.
		known := added.Currency == a.Currency && a.parts[lotKey{l.Lot, l.Symbol}] == 1
		l.taxGain = SubtractKnown(l.taxGain, decimal.NullDecimal{Decimal: added.Amount, Valid: known})
		if added.Quantity.Equal(l.lot.Quantity) && !added.HeldFrom.IsZero() {
			from = added.HeldFrom
		}
	}
	if l.lot.Quantity.IsNegative() {
		l.Term = a.rules.Term(portfolio.Disposal{Quantity: l.lot.Quantity, Acquired: from, Date: day})
		return
	}
	l.Term = a.rules.HoldingTerm(from, day)
	if first, ok := a.rules.LongTermFrom(from); ok {
		l.LongFrom = toolkit.FormatDate(first)
	}
}

// keepHarvestable keeps the lots at a loss and adds the result of the wash sale rule.
func (a *lotsAnswer) keepHarvestable(o Portfolio) {
	unknown := 0
	a.Open = slices.DeleteFunc(a.Open, func(l openLot) bool {
		if !l.Untaxed && !l.taxGain.Valid {
			unknown++
		}
		return l.Untaxed || !l.lot.Quantity.IsPositive() || !l.taxGain.Valid || !l.taxGain.Decimal.IsNegative()
	})
	if unknown > 0 {
		a.Notes.Add("unknown_gain", "Excluded lots with unknown gain: %d. See kind open.", unknown)
	}
	slices.SortStableFunc(a.Open, func(x, y openLot) int {
		return cmp.Or(x.taxGain.Decimal.Cmp(y.taxGain.Decimal), cmp.Compare(x.Symbol, y.Symbol), cmp.Compare(x.Lot, y.Lot))
	})
	var transferred []string
	for i := range a.Open {
		l := &a.Open[i]
		transferred = a.transferredOut(transferred, l.Symbol, l.Account, l.Lot, o.Day)
		look := a.assessed.WashSaleOutlook(l.Symbol, l.Account, o.Day).Except(l.Lot)
		l.Harvest = &harvestLine{
			Status: statusClear, SellFrom: toolkit.FormatDate(look.SellFrom), BuyAgain: toolkit.FormatDate(look.BuyFrom),
			Condition: "until buy_from, do not buy it in any account, including by reinvested dividends or a savings plan",
		}
		for _, p := range look.Purchases {
			l.Harvest.Blocks = append(l.Harvest.Blocks, purchaseLine{p.Transaction, p.Account, toolkit.FormatDate(p.Date), &p.Quantity})
		}
		switch {
		case a.rules.RepurchaseFrom(o.Day).Equal(o.Day):
			// Without a rule, dates would suggest that the sale is clear.
			l.Harvest = &harvestLine{Status: statusNoRule, Condition: "nfa has no rule on buying it again"}
		case look.HasReplacements():
			l.Harvest.Status = statusBlocked
		}
	}
	if n := len(a.Open); n > 0 && a.Open[n-1].Harvest.Status == statusNoRule {
		a.Notes.Add("no_rule", "nfa has no rule on buying again after a loss, so there are no dates for selling and buying again.")
	}
	if len(a.Open) == 0 {
		a.Notes.Add("no_lots", "No lot in a taxable account is at a loss.")
	}
	a.noteTransferredOut(transferred)
	a.Notes.Add("harvest_limits", "Losses count in the base currency, with the cost at the rate of the acquisition date. Options, accounts outside the portfolio, a spouse's purchases and substantially identical funds are not checked.")
}
