package positions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type positionsAnswer struct {
	Day          string                  `json:"day"`
	Currency     string                  `json:"currency"` // of total and of the fields that end in _base
	Accounts     []string                `json:"accounts"`
	AccountsNote string                  `json:"accounts_note,omitempty"`
	Warnings     toolkit.Notes           `json:"warnings"`
	Total        *decimal.Decimal        `json:"total,omitempty" label:"market value" as:"money" key:"1" formula:"sum of all values" sensitive:"amount"`
	Whole        bool                    `json:"whole"`
	OldestPrice  string                  `json:"oldest_price,omitempty"`
	Cost         *decimal.Decimal        `json:"cost_base,omitempty" label:"cost basis" as:"money" formula:"cost of each lot * rate of its day" sensitive:"amount"` // of all securities
	Gain         *decimal.Decimal        `json:"gain_base,omitempty" label:"unrealized gain" as:"gain" key:"2" formula:"value - cost" sensitive:"amount"`
	GainPct      *decimal.Decimal        `json:"gain_base_pct,omitempty" label:"gain on the cost basis" as:"change" in:"percent" key:"3" formula:"gain / cost"`
	DayChange    *decimal.Decimal        `json:"day_change_base,omitempty" label:"day change, amount" as:"gain" formula:"(price - previous price) * quantity * rate" sensitive:"amount"`
	DayChangePct *decimal.Decimal        `json:"day_change_pct,omitempty" label:"day change" as:"daychange" in:"percent" key:"4" formula:"change / (total - change)"`
	Positions    []positionLine          `json:"positions" table:"-" max:"fit"`
	Cash         []cashLine              `json:"cash" table:"-" max:"fit"`
	Rates        []RateLine              `json:"rates" table:"-"`
	Returns      []periodReturn          `json:"returns,omitempty" table:"-"`
	Unvalued     []MissingValue          `json:"unvalued"`
	Notes        toolkit.BackgroundNotes `json:"notes"`
	Outside      string                  `json:"outside,omitempty"`
	AccountNames string                  `json:"-" label:"accounts" sparse:"true"`

	day market.Date
}

// outsideNamesNote tells a model once per answer that names come from files.
const outsideNamesNote = "names of securities and accounts: " + toolkit.OutsideTextNote

type positionLine struct {
	Symbol          market.Symbol    `json:"symbol" label:"symbol"`
	Name            string           `json:"name,omitempty"`
	Owner           string           `json:"owner,omitempty"`
	Accounts        []string         `json:"accounts"`
	AccountsNote    string           `json:"accounts_note,omitempty"`
	Quantity        *decimal.Decimal `json:"quantity,omitempty" label:"quantity" as:"exact" unit:"units" formula:"sum of all lots" sensitive:"amount"`
	Price           *decimal.Decimal `json:"price,omitempty" label:"price" as:"price"`
	Value           *decimal.Decimal `json:"value,omitempty" label:"value" as:"money" formula:"quantity * price" sensitive:"amount"`
	ValueBase       *decimal.Decimal `json:"value_base,omitempty" label:"value in base currency" as:"money" currency:"/currency" formula:"quantity * price * exchange rate" sensitive:"amount"`
	WeightPct       *decimal.Decimal `json:"weight_pct,omitempty" label:"weight" as:"percent" in:"percent" formula:"value / total"`
	Cost            *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" currency:"cost_currency" formula:"sum of all lots, fees included" sensitive:"amount"`
	CostCurrency    string           `json:"cost_currency,omitempty"`
	Gain            *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" formula:"value - cost" sensitive:"amount"`
	GainPct         *decimal.Decimal `json:"gain_pct,omitempty" label:"gain in own currency" as:"change" in:"percent" formula:"gain / cost"`
	CostBase        *decimal.Decimal `json:"cost_base,omitempty" label:"cost basis in base currency" as:"money" currency:"/currency" formula:"cost of each lot * rate of its day" sensitive:"amount"`
	GainBase        *decimal.Decimal `json:"gain_base,omitempty" label:"gain in base currency" as:"gain" currency:"/currency" formula:"value_base - cost_base" sensitive:"amount"`
	GainBasePct     *decimal.Decimal `json:"gain_base_pct,omitempty" label:"gain" as:"change" in:"percent" formula:"gain_base / cost_base"`
	GainWhy         string           `json:"gain_absent,omitempty"`
	DayChangePct    *decimal.Decimal `json:"day_change_pct,omitempty" label:"day change" as:"daychange" in:"percent" formula:"price / previous price - 1"`
	DayChange       *decimal.Decimal `json:"day_change_base,omitempty" label:"day change in base currency" as:"gain" currency:"/currency" formula:"(price - previous price) * quantity * rate" sensitive:"amount"`
	PreviousAsOf    string           `json:"previous_as_of,omitempty"`
	*toolkit.Origin                  // nil if there is no price

	base     string
	rate     []string // into the base currency; empty if that is the currency of the price
	previous *decimal.Decimal
	spark    string
}

// periodReturn is the time-weighted return of a period, next to that of the benchmark.
type periodReturn struct {
	Period       string           `json:"period" label:"period"`
	From         string           `json:"from"`
	To           string           `json:"to"`
	Pct          *decimal.Decimal `json:"pct" label:"time-weighted return" as:"change" in:"percent" formula:"product over days of (end + withdrawal) / (value before + deposit) - 1"`
	Benchmark    string           `json:"benchmark,omitempty" label:"benchmark"`
	BenchmarkPct *decimal.Decimal `json:"benchmark_pct,omitempty" label:"time-weighted return of the benchmark" as:"change" in:"percent" formula:"last / first - 1, dividends reinvested"`
}

type cashLine struct {
	Account   string           `json:"account" label:"cash of"`
	Owner     string           `json:"owner,omitempty"`
	Currency  string           `json:"currency"`
	Amount    decimal.Decimal  `json:"amount" label:"cash" as:"money" formula:"sum of all transactions" sensitive:"amount"`
	ValueBase *decimal.Decimal `json:"value_base,omitempty" label:"cash in base currency" as:"money" currency:"/currency" formula:"amount * exchange rate" sensitive:"amount"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty" label:"weight of cash" as:"percent" in:"percent" formula:"value / total"`
}

func (d Deps) newPositionsAnswer(ctx context.Context, o Portfolio, v Valuation) positionsAnswer {
	a := positionsAnswer{
		Day: toolkit.FormatDate(v.Day), Currency: v.Base, Accounts: v.Accounts, Whole: v.Complete, Unvalued: v.MissingValues(),
		Positions: []positionLine{}, Cash: []cashLine{}, Rates: v.RateLines(), Outside: outsideNamesNote, day: v.Day,
	}
	if len(v.Accounts) > 1 {
		a.AccountNames = toolkit.JoinFew(v.Accounts)
	}
	costs := d.NewCostConverter(ctx, v.Base, v.Lots())
	for _, l := range v.Lines {
		a.Positions = append(a.Positions, newPositionLine(ctx, l, v.Base, costs))
	}
	for _, c := range v.Cash {
		account, _ := o.Account(c.Account)
		a.Cash = append(a.Cash, cashLine{Account: c.Account, Owner: account.Holder, Currency: c.Currency, Amount: c.Amount, ValueBase: toolkit.Known(c.Base), WeightPct: inPercent(c.Weight)})
	}
	a.sumTotals(v)
	unchecked := v.warn(o, &a.Warnings)
	if len(unchecked) > 0 {
		a.Notes.Add("splits_unchecked", "Splits since the purchase could not be checked for %s.", JoinSymbols(unchecked))
	}
	noteUntrackedCash(&a.Notes, o, v.Accounts)
	v.noteBase(&a.Notes)
	if d.Replay {
		a.Notes.Add("past_day", "The portfolio on %s, at that day's closing prices; nothing later is included.", a.Day)
	}
	return a
}

// periodReturns returns the known returns of one, three and five years and since inception.
func (d Deps) periodReturns(ctx context.Context, in positionsInput, base string) []periodReturn {
	measured, err := d.measurePerformance(ctx, performanceInput{Accounts: in.Accounts, Account: in.Account, Currency: base, Method: timeWeighted})
	if err != nil {
		return nil // portfolio_performance reports why
	}
	var out []periodReturn
	for _, w := range measured.Windows {
		if len(w.Returns) == 0 || w.Returns[0].Pct == nil {
			continue
		}
		r := periodReturn{Period: w.Name, From: w.From, To: w.To, Pct: w.Returns[0].Pct}
		if b := w.Benchmark; b != nil && len(b.Returns) > 0 && b.Returns[0].Pct != nil {
			r.Benchmark, r.BenchmarkPct = b.Symbol, b.Returns[0].Pct
		}
		out = append(out, r)
	}
	return out
}

func newPositionLine(ctx context.Context, l ValuedPosition, base string, costs CostConverter) positionLine {
	p := positionLine{
		Symbol: l.Symbol, Name: l.Name, Owner: l.Holder, Accounts: l.Accounts, Quantity: &l.Quantity, base: base, spark: sparkline(recentCloses(l.Price)),
		Value: toolkit.Known(l.Value), ValueBase: toolkit.Known(l.Base), WeightPct: inPercent(l.Weight),
		Cost: toolkit.Known(l.Cost), Gain: toolkit.Known(l.Gain()), GainPct: gainInPercent(l.Gain(), l.Cost),
	}
	if p.Cost != nil {
		p.CostCurrency = l.CostCurrency
	}
	cost, why := costs.ConvertLots(ctx, l.Lots)
	gain := SubtractKnown(l.Base, cost)
	p.CostBase, p.GainBase, p.GainBasePct, p.GainWhy = toolkit.Known(cost), toolkit.Known(gain), gainInPercent(gain, cost), why
	if !l.Value.Valid {
		return p
	}
	origin := toolkit.OriginOf(l.Price.Provenance)
	p.Price, p.Origin = &l.Price.Value, &origin
	if l.Rate.Provenance.Source != "" {
		p.rate = []string{fmt.Sprintf("%s %s of %s", l.Rate.Pair, toolkit.Format(l.Rate.Value, toolkit.Number, ""), toolkit.FormatDate(l.Rate.Rate.Date))}
	}
	if before := l.Price.Previous; before.Valid && before.Decimal.IsPositive() && previousIsLastSession(l.Price) {
		change := decimal.NewNullDecimal(l.Price.Value.Sub(before.Decimal))
		p.previous, p.DayChangePct, p.PreviousAsOf = &before.Decimal, gainInPercent(change, before), toolkit.FormatDate(l.Price.PreviousAsOf)
		if l.Base.Valid {
			moved := change.Decimal.Mul(l.Quantity).Mul(l.Rate.Value)
			p.DayChange = &moved
		}
	}
	return p
}

// previousIsLastSession reports whether the previous price is from the previous session, if its day
// is known. A change within a monthly series is not a day change.
func previousIsLastSession(p Price) bool {
	return p.PreviousAsOf.IsZero() || p.Provenance.AsOf.Sub(p.PreviousAsOf) <= StalePriceAge
}

// sparklineMonths is the number of months that the line of closes covers.
const sparklineMonths = 3

// recentCloses returns the closes of the last months, adjusted for splits.
func recentCloses(p Price) []decimal.Decimal {
	var closes []decimal.Decimal
	since := p.Provenance.AsOf.AddDate(0, -sparklineMonths, 0)
	if adjusted, err := p.Series.SplitAdjusted(); err == nil {
		p.Series = adjusted
	}
	for _, bar := range p.Series.Bars {
		if p.Series.Interval == market.Daily && !bar.Date.Before(since) {
			closes = append(closes, bar.Close)
		}
	}
	return closes
}

// sumTotals adds up cost, gain and day change. A total is missing if the value of any position is.
func (a *positionsAnswer) sumTotals(v Valuation) {
	value, cost, moved := decimal.Zero, decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.Zero)
	known := false
	for i, p := range a.Positions {
		known = known || p.ValueBase != nil
		value = value.Add(v.Lines[i].Base.Decimal)
		cost = AddKnown(cost, nullOf(p.CostBase))
		moved = AddKnown(moved, nullOf(p.DayChange))
	}
	for _, c := range a.Cash {
		known = known || c.ValueBase != nil
	}
	if !known {
		return
	}
	a.Total, a.OldestPrice = &v.Total, toolkit.FormatDate(v.AsOf.Truncate(24*time.Hour))
	if len(a.Positions) == 0 {
		return
	}
	if a.Whole {
		gain := SubtractKnown(decimal.NewNullDecimal(value), cost)
		a.Cost, a.Gain, a.GainPct = toolkit.Known(cost), toolkit.Known(gain), gainInPercent(gain, cost)
	}
	a.DayChange = toolkit.Known(moved)
	a.DayChangePct = percentOf(moved, SubtractKnown(decimal.NewNullDecimal(v.Total), moved))
}

// maxAccounts is the maximum number of accounts shown in an answer, and for each of its positions.
const maxAccounts = 20

// firstAccounts returns the accounts to show, and a note if there are more.
func firstAccounts(all []string) (some []string, note string) {
	if len(all) <= maxAccounts {
		return all, ""
	}
	return all[:maxAccounts], fmt.Sprintf("%d of %s accounts; set accounts to see others", maxAccounts, toolkit.FormatCount(len(all)))
}

// Sampled implements [toolkit.Sampler].
func (a positionsAnswer) Sampled() toolkit.Answer {
	a.Accounts, a.AccountsNote = firstAccounts(a.Accounts)
	a.Positions = slices.Clone(a.Positions)
	for i := range a.Positions {
		p := &a.Positions[i]
		p.Accounts, p.AccountsNote = firstAccounts(p.Accounts)
	}
	return a
}

// noteBase notes why the totals are in their currency, if the user did not choose it.
func (v Valuation) noteBase(n *toolkit.BackgroundNotes) {
	if v.baseChosen != "" {
		n.Add("base_currency", "%s", v.baseChosen)
	}
}

// noteUntrackedCash names the accounts whose cash is not tracked.
func noteUntrackedCash(n *toolkit.BackgroundNotes, o Portfolio, accounts []string) {
	if names := o.UntrackedCash(accounts); len(names) > 0 {
		n.Add("cash_untracked", "Cash in %s is not tracked, so it is not in the total.", toolkit.JoinFew(names))
	}
}

// Explain implements [toolkit.Explainer].
func (a positionsAnswer) Explain(field string) toolkit.Explanation {
	switch list, _, nested := strings.Cut(field, "."); {
	case list == "cash":
		return toolkit.Explanation{Source: LedgerSource, AsOf: a.day}
	case nested:
		return toolkit.Explanation{}
	}
	e := toolkit.Explanation{Source: a.sources(), AsOf: a.day}
	if field == "total" && !a.Whole {
		e.Label = "market value (incomplete)"
	}
	return e
}

// Explain implements [toolkit.Explainer].
func (p positionLine) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Source: LedgerSource}
	if p.Origin == nil {
		return e
	}
	both := LedgerSource + "; " + p.Source
	moved := []string{p.priceInput("price", p.Price), p.priceInput("previous price", p.previous)}
	held := []string{"quantity " + toolkit.Format(p.Quantity, toolkit.Exact, ""), moved[0]}
	switch field {
	case "price":
		return toolkit.Explanation{Source: p.Source}
	case "day_change_pct":
		return toolkit.Explanation{Source: p.Source, Inputs: moved}
	case "value":
		return toolkit.Explanation{Source: both, Inputs: held}
	case "value_base":
		return toolkit.Explanation{Source: both, Inputs: append(held, p.rate...)}
	case "gain", "gain_pct":
		return toolkit.Explanation{Source: both, Inputs: []string{"value " + toolkit.Format(p.Value, toolkit.Money, p.Currency), "cost " + toolkit.Format(p.Cost, toolkit.Money, p.CostCurrency)}}
	case "gain_base", "gain_base_pct":
		return toolkit.Explanation{Source: both, Inputs: []string{"value " + toolkit.Format(p.ValueBase, toolkit.Money, p.base), "cost " + toolkit.Format(p.CostBase, toolkit.Money, p.base)}}
	case "weight_pct":
		return toolkit.Explanation{Source: both, Inputs: []string{"value " + toolkit.Format(p.ValueBase, toolkit.Money, p.base)}}
	case "day_change_base":
		return toolkit.Explanation{Source: both, Inputs: append(moved, p.rate...)}
	}
	return e
}

func (p positionLine) priceInput(name string, v *decimal.Decimal) string {
	return name + " " + toolkit.Format(v, toolkit.Price, p.Currency)
}

// sources names the ledger and the sources of prices.
func (a positionsAnswer) sources() string {
	var prices []PriceOrigin
	for _, p := range a.Positions {
		if p.Origin != nil {
			prices = append(prices, PriceOrigin{p.Symbol, *p.Origin})
		}
	}
	return JoinSources(prices)
}

// Headline implements [toolkit.Answer].
func (a positionsAnswer) Headline(lang string) string {
	what, cash, verb := "positions", " and cash", "are"
	if len(a.Positions) == 1 {
		what, verb = "position", "is"
	}
	if lang == "zh" {
		what, cash = "持仓", "和现金"
	}
	if len(a.Cash) > 0 {
		what, verb = what+cash, "are"
	}
	if len(a.Unvalued) > 0 {
		missing := make([]string, len(a.Unvalued))
		for i, m := range a.Unvalued {
			missing[i] = m.What
		}
		if lang == "zh" {
			what += "（不含 " + toolkit.JoinFew(missing) + "）"
		} else {
			what += " without " + toolkit.JoinFew(missing)
		}
	}
	total, gain := toolkit.Format(a.Total, toolkit.Money, a.Currency), ""
	if a.Gain != nil {
		gain = fmt.Sprintf("%s (%s)", toolkit.Format(a.Gain, toolkit.Gain, a.Currency), percentText(a.GainPct, toolkit.Change))
	}
	switch {
	case lang == "zh" && gain != "":
		return fmt.Sprintf("截至 %s，您的%s市值为 %s，未实现收益 %s。", a.Day, what, total, gain)
	case lang == "zh":
		return fmt.Sprintf("截至 %s，您的%s市值为 %s。", a.Day, what, total)
	case gain != "":
		return fmt.Sprintf("As of %s, your %s %s valued at %s, unrealized gain %s.", a.Day, what, verb, total, gain)
	}
	return fmt.Sprintf("As of %s, the market value of your %s is %s.", a.Day, what, total)
}

// Title implements [toolkit.Titled].
func (a positionsAnswer) Title() string { return "positions · " + a.Day }
