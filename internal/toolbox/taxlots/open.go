package taxlots

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// openLot is a lot that is held.
type openLot struct {
	Lot         string           `json:"lot"`
	Account     string           `json:"account"`
	Untaxed     bool             `json:"untaxed,omitempty"`
	Symbol      market.Symbol    `json:"symbol"`
	Acquired    string           `json:"acquired,omitempty"`
	DaysHeld    *int             `json:"days_held,omitempty"`
	Quantity    *decimal.Decimal `json:"quantity,omitempty"`
	Price       *decimal.Decimal `json:"price,omitempty"`
	PriceUnit   string           `json:"price_currency,omitempty"`
	Value       *decimal.Decimal `json:"value,omitempty"`
	Cost        *decimal.Decimal `json:"cost,omitempty"`
	CostUnit    string           `json:"cost_currency,omitempty"`
	Gain        *decimal.Decimal `json:"gain,omitempty"`
	GainPct     *decimal.Decimal `json:"gain_pct,omitempty"`
	ValueBase   *decimal.Decimal `json:"value_base,omitempty"`
	CostBase    *decimal.Decimal `json:"cost_base,omitempty"`
	GainBase    *decimal.Decimal `json:"gain_base,omitempty"`
	GainBasePct *decimal.Decimal `json:"gain_base_pct,omitempty"`
	GainWhy     string           `json:"gain_absent,omitempty"`
	Term        tax.Term         `json:"term,omitempty"`
	LongFrom    string           `json:"long_from,omitempty"`
	// Added are losses of wash sales that became a part of the cost: the gains above do
	// not count them, and TaxGain does.
	Added   []addedLine      `json:"added_by_wash_sales,omitempty"`
	TaxGain *decimal.Decimal `json:"gain_with_wash_sales_base,omitempty"`
	Harvest *harvestLine     `json:"harvest,omitempty"`

	lot      portfolio.Lot
	gainBase decimal.NullDecimal
	taxGain  decimal.NullDecimal // gainBase less what was added; invalid where that is not known in the base
	asOf     market.Date
	source   string
}

// harvestLine is what the rule on wash sales says of selling a lot today.
type harvestLine struct {
	Status    string         `json:"status"` // clear or blocked
	Blocks    []purchaseLine `json:"blocked_by,omitempty"`
	SellFrom  string         `json:"sell_from,omitempty"` // the first day on which no purchase so far blocks
	BuyAgain  string         `json:"buy_from,omitempty"`  // the first day on which it may be bought again after a sale today
	Condition string         `json:"conditions"`          // of a clear sale
}

// lotKey names a lot; parts of it in several accounts have the same.
type lotKey struct {
	lot    string
	symbol market.Symbol
}

// purchaseLine is a purchase that would disallow a loss.
type purchaseLine struct {
	Transaction string           `json:"transaction"`
	Account     string           `json:"account"`
	Date        string           `json:"date"`
	Quantity    *decimal.Decimal `json:"quantity,omitempty"`
}

// addedLine is a disallowed loss that became a part of the cost of a lot.
type addedLine struct {
	Amount   *decimal.Decimal `json:"amount,omitempty"`
	Currency string           `json:"currency"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"` // of the lot, that it went to
	HeldFrom string           `json:"held_from,omitempty"`
}

const (
	statusClear   = "clear as far as the book knows"
	statusBlocked = "blocked"
	statusNoRule  = "no rule known"
)

// openLots prices what is held, lot by lot. For a harvest it keeps those at a loss in
// taxed accounts, the largest loss first.
func (d Deps) openLots(ctx context.Context, a *lotsAnswer, o book.Opened, exempt map[market.Symbol]bool, currency string) error {
	_, v, err := d.Valued(ctx, book.AskedAccounts(nil, a.filter.account), currency)
	if err != nil {
		return err
	}
	v.Lines = slices.DeleteFunc(v.Lines, func(l book.Line) bool { return a.filter.symbol != "" && l.Symbol != a.filter.symbol })
	v.Cash = nil
	if len(v.Lines) == 0 {
		return fmt.Errorf("%w of %s on %s; what was sold is in kind closed", book.ErrNothing, cmp.Or(string(a.filter.symbol), "securities"), present.Dated(o.Day))
	}
	for _, l := range v.Lines {
		if l.Price.Instrument.Kind == "crypto" {
			exempt[l.Symbol] = true
		}
	}
	a.assessed = a.rules.Assess(o.Book, o.Ledger.Accounts, tax.Options{AsOf: o.Day, Exempt: exempt})
	a.added, a.parts = map[lotKey][]tax.Added{}, map[lotKey]int{}
	for _, added := range a.assessed.Added {
		key := lotKey{added.Lot, added.Symbol}
		a.added[key] = append(a.added[key], added)
	}
	a.Currency, a.Prices, a.Rates, a.spared = v.Base, v.PriceOrigins(), v.RateLines(), v.Spared(o)
	a.Warnings, _ = o.Disputes(v)
	a.Warnings = append(a.Warnings, v.PriceWarnings()...)
	for _, u := range v.Lacks() {
		a.Warnings = append(a.Warnings, fmt.Sprintf("no value of %s: %s; %s", u.What, u.Reason, u.Do))
	}
	var lots []portfolio.Lot
	for _, l := range v.Lines {
		lots = append(lots, l.Lots...)
		for _, lot := range l.Lots {
			a.parts[lotKey{lot.ID, lot.Symbol}]++
		}
	}
	costs := d.NewCosting(ctx, v.Base, lots)
	for _, l := range v.Lines {
		for _, lot := range l.Lots {
			a.Open = append(a.Open, a.openLot(ctx, o, l, lot, costs))
		}
	}
	if a.Kind == kindHarvest {
		a.harvest(o)
	}
	return nil
}

func (a *lotsAnswer) openLot(ctx context.Context, o book.Opened, l book.Line, lot portfolio.Lot, costs book.Costing) openLot {
	account, _ := o.Ledger.Account(lot.Account)
	out := openLot{
		Lot: lot.ID, Account: lot.Account, Untaxed: account.Untaxed, Symbol: lot.Symbol, Acquired: present.Dated(lot.Acquired), Quantity: &lot.Quantity,
		lot: lot, asOf: l.Price.Provenance.AsOf, source: l.Price.Provenance.Source,
	}
	if days := held(lot.Acquired, o.Day); days >= 0 {
		out.DaysHeld = &days
	}
	cost := book.SignedCost(lot)
	if out.Cost = book.Money(cost, lot.Currency); out.Cost != nil {
		out.CostUnit = lot.Currency
	}
	var value, worth decimal.NullDecimal
	if l.Value.Valid {
		value = decimal.NewNullDecimal(lot.Quantity.Mul(l.Price.Value))
		out.Price, out.PriceUnit, out.Value = &l.Price.Value, l.Price.Provenance.Currency, book.Money(value, l.Price.Provenance.Currency)
	}
	if l.Base.Valid {
		worth = decimal.NewNullDecimal(value.Decimal.Mul(l.Rate.Value))
	}
	if lot.Currency == out.PriceUnit {
		gain := book.Less(value, cost)
		out.Gain, out.GainPct = book.Money(gain, lot.Currency), present.GainPct(gain, cost)
	}
	spent, why := costs.Converted(ctx, cost, lot.Currency, lot.Acquired)
	if why == "" && !worth.Valid {
		why = l.Missing
	}
	out.gainBase, out.GainWhy = book.Less(worth, spent), why
	out.ValueBase, out.CostBase, out.GainBase = book.Money(worth, a.Currency), book.Money(spent, a.Currency), book.Money(out.gainBase, a.Currency)
	out.GainBasePct = present.GainPct(out.gainBase, spent)
	out.taxGain = out.gainBase
	a.term(&out, o.Day)
	if len(out.Added) > 0 {
		out.TaxGain = book.Money(out.taxGain, a.Currency)
	}
	return out
}

// term says how long a lot counts as held, were it sold on a day.
func (a *lotsAnswer) term(l *openLot, day market.Date) {
	from := l.lot.Acquired
	for _, added := range a.added[lotKey{l.Lot, l.Symbol}] {
		l.Added = append(l.Added, addedLine{book.Money(decimal.NewNullDecimal(added.Amount), added.Currency), added.Currency, &added.Quantity, present.Dated(added.HeldFrom)})
		// Parts of a lot that was moved have one name: which of them it went to is not told.
		known := added.Currency == a.Currency && a.parts[lotKey{l.Lot, l.Symbol}] == 1
		l.taxGain = book.Less(l.taxGain, decimal.NullDecimal{Decimal: added.Amount, Valid: known})
		if added.Quantity.Equal(l.lot.Quantity) && !added.HeldFrom.IsZero() {
			from = added.HeldFrom
		}
	}
	if l.lot.Quantity.IsNegative() {
		l.Term = a.rules.Term(portfolio.Disposal{Quantity: l.lot.Quantity, Acquired: from, Date: day})
		return
	}
	l.Term = a.rules.Held(from, day)
	if first, ok := a.rules.LongFrom(from); ok {
		l.LongFrom = present.Dated(first)
	}
}

// harvest keeps the lots at a loss that counts, with what the rule on wash sales says.
func (a *lotsAnswer) harvest(o book.Opened) {
	unknown := 0
	a.Open = slices.DeleteFunc(a.Open, func(l openLot) bool {
		if !l.Untaxed && !l.taxGain.Valid {
			unknown++
		}
		return l.Untaxed || !l.lot.Quantity.IsPositive() || !l.taxGain.Valid || !l.taxGain.Decimal.IsNegative()
	})
	if unknown > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("lots whose gain is not known, which are not looked at: %d; see kind open", unknown))
	}
	slices.SortStableFunc(a.Open, func(x, y openLot) int {
		return cmp.Or(x.taxGain.Decimal.Cmp(y.taxGain.Decimal), cmp.Compare(x.Symbol, y.Symbol), cmp.Compare(x.Lot, y.Lot))
	})
	var gone []string
	for i := range a.Open {
		l := &a.Open[i]
		gone = a.leaving(gone, l.Symbol, l.Account, l.Lot, o.Day)
		look := a.assessed.WouldWash(l.Symbol, l.Account, o.Day).Except(l.Lot)
		l.Harvest = &harvestLine{
			Status: statusClear, SellFrom: present.Dated(look.SellFrom), BuyAgain: present.Dated(look.BuyFrom),
			Condition: "no purchase, reinvested dividend or savings plan of it in any account until buy_from",
		}
		for _, p := range look.Purchases {
			l.Harvest.Blocks = append(l.Harvest.Blocks, purchaseLine{p.Transaction, p.Account, present.Dated(p.Date), &p.Quantity})
		}
		switch {
		case a.rules.BuyAgain(o.Day).Equal(o.Day):
			// Days of no rule would read as a word that all is free.
			l.Harvest = &harvestLine{Status: statusNoRule, Condition: "whether a rule stands against buying it again is not known"}
		case look.Washes():
			l.Harvest.Status = statusBlocked
		}
	}
	if n := len(a.Open); n > 0 && a.Open[n-1].Harvest.Status == statusNoRule {
		a.Notes = append(a.Notes, "no rule on buying again after a loss is known here, so that no day to sell or to buy again is told")
	}
	if len(a.Open) == 0 {
		a.Notes = append(a.Notes, "no lot in a taxed account is at a loss")
	}
	a.left(gone)
	a.Notes = append(a.Notes, "a loss counts here in the base currency, cost at the rate of the day of acquisition; options, accounts outside of the book, a spouse's purchases and substantially identical funds are not seen")
}
