package advice

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// rebalanceAnswer is a plan with its verdict. Sums are in Currency, parts are
// fractions of the total. What holds a sum is a pointer, so that it can be left out.
type rebalanceAnswer struct {
	// Error and Code are set where the limits refuse the plan.
	Error string `json:"error,omitempty"`
	Code  string `json:"code,omitempty"`

	AsOf     string      `json:"as_of"`
	Currency string      `json:"currency"`
	Accounts []string    `json:"accounts"`
	Verdict  verdictJSON `json:"verdict"`
	Drift    []driftJSON `json:"drift"`
	Trades   []tradeJSON `json:"trades"`
	LeftOut  []leftJSON  `json:"left_out"`
	Why      string      `json:"no_trades_because,omitempty"`
	Cost     costJSON    `json:"cost"`
	// Total is what takes part, with new cash and before fees.
	Total    *decimal.Decimal `json:"total,omitempty"`
	Cash     []cashJSON       `json:"cash,omitempty"`
	Amounts  string           `json:"amounts,omitempty"` // that they are hidden
	Warnings []string         `json:"warnings"`
	Note     string           `json:"note"`
	Sources  origins          `json:"sources"`

	day    market.Date // of the oldest price
	judged Judgement
}

// ErrorText is why the plan is refused, with all that is known of it.
func (a rebalanceAnswer) ErrorText() string { return a.Error }

type verdictJSON struct {
	Decision string     `json:"decision"`
	Refused  bool       `json:"refused"`
	Rules    []ruleJSON `json:"rules"`
	Personal bool       `json:"personal"`
	Basis    []string   `json:"basis"`
	Missing  []string   `json:"missing,omitempty"` // of the profile
}

type ruleJSON struct {
	Rule    string           `json:"rule"`
	Outcome investor.Outcome `json:"outcome"`
	Before  investor.Outcome `json:"outcome_before"` // of the portfolio as it is
	Why     string           `json:"why"`
}

type driftJSON struct {
	Symbol       string           `json:"symbol"`
	Weight       decimal.Decimal  `json:"weight"`
	Target       decimal.Decimal  `json:"target"`
	Drift        decimal.Decimal  `json:"drift"`
	Band         decimal.Decimal  `json:"band"`
	Outside      bool             `json:"outside"`
	WeightAfter  decimal.Decimal  `json:"weight_after"`
	OutsideAfter bool             `json:"outside_after"`
	Value        *decimal.Decimal `json:"value,omitempty"`
	ValueAfter   *decimal.Decimal `json:"value_after,omitempty"`
}

type tradeJSON struct {
	Side     rebalance.Side   `json:"side"`
	Account  string           `json:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Part     decimal.Decimal  `json:"part"` // its value over the total
	Untaxed  bool             `json:"untaxed,omitempty"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
	Price    *decimal.Decimal `json:"price,omitempty"`
	Value    *decimal.Decimal `json:"value,omitempty"`
	Fee      *decimal.Decimal `json:"fee,omitempty"`
	Gain     *decimal.Decimal `json:"gain,omitempty"`
	Tax      *decimal.Decimal `json:"tax,omitempty"`
	Lots     []lotJSON        `json:"lots,omitempty"`
}

type lotJSON struct {
	Lot      string           `json:"lot,omitempty"`
	Acquired string           `json:"acquired,omitempty"`
	Term     tax.Term         `json:"term,omitempty"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
	Cost     *decimal.Decimal `json:"cost,omitempty"`
	Gain     *decimal.Decimal `json:"gain,omitempty"`
	Tax      *decimal.Decimal `json:"tax,omitempty"`
}

type leftJSON struct {
	Side   rebalance.Side   `json:"side"`
	Symbol market.Symbol    `json:"symbol"`
	Part   decimal.Decimal  `json:"part"`
	Reason rebalance.Reason `json:"reason"`
	From   string           `json:"possible_from,omitempty"`
	Value  *decimal.Decimal `json:"value,omitempty"`
}

type costJSON struct {
	Bought   decimal.Decimal  `json:"bought_part"`
	Sold     decimal.Decimal  `json:"sold_part"`
	Turnover decimal.Decimal  `json:"turnover"` // the lesser of both
	FeesPart decimal.Decimal  `json:"fees_part"`
	TaxPart  *decimal.Decimal `json:"tax_part,omitempty"` // absent where it is not known
	Fees     *decimal.Decimal `json:"fees,omitempty"`
	Tax      *decimal.Decimal `json:"tax,omitempty"`
	Gains    []gainJSON       `json:"gains,omitempty"`
	// Unknown is sold for, with a cost that is not known.
	Unknown   *decimal.Decimal `json:"sold_at_unknown_cost,omitempty"`
	ShortRate *decimal.Decimal `json:"short_rate,omitempty"`
	LongRate  *decimal.Decimal `json:"long_rate,omitempty"`
}

type gainJSON struct {
	Term tax.Term         `json:"term,omitempty"`
	Part decimal.Decimal  `json:"part"`
	Gain *decimal.Decimal `json:"gain,omitempty"`
}

type cashJSON struct {
	Account string          `json:"account"`
	Before  decimal.Decimal `json:"before"`
	After   decimal.Decimal `json:"after"`
}

// planSource belongs to every plan.
const planSource = "Computed from prices that move before an order is filled; taxes are estimates of gains at the rates given and are not taken out. Nothing is ordered. Not advice"

const cashName = "cash"

// shares keeps a fraction to a millionth.
const shares = 6

func (p *planner) answer() rebalanceAnswer {
	base, plan := p.valuation.Base, p.plan
	sum := func(d decimal.Decimal) *decimal.Decimal { d = roundMoney(d, base); return &d }
	total := plan.Total
	part := func(d decimal.Decimal) decimal.Decimal { return d.DivRound(total, shares) }
	a := rebalanceAnswer{
		AsOf: toolkit.FormatDate(p.opened.Day), Currency: base, Accounts: p.accounts, Why: plan.Reason, Total: sum(total), Note: planSource,
		Trades: []tradeJSON{}, LeftOut: []leftJSON{}, Sources: p.origins, day: p.valuation.AsOf, judged: p.after,
		Verdict: p.verdict(),
	}
	for _, d := range plan.Drift {
		name := string(d.Symbol)
		if name == "" {
			name = cashName
		}
		a.Drift = append(a.Drift, driftJSON{
			Symbol: name, Weight: d.Weight.Round(shares), Target: d.Target, Drift: d.Drift.Round(shares), Band: d.Band.Round(shares), Outside: d.Outside,
			WeightAfter: d.WeightAfter.Round(shares), OutsideAfter: d.OutsideAfter, Value: sum(d.Value), ValueAfter: sum(d.ValueAfter),
		})
	}
	for _, t := range plan.Trades {
		a.Trades = append(a.Trades, tradeOf(t, base, part))
	}
	for _, l := range plan.Skipped {
		a.LeftOut = append(a.LeftOut, leftJSON{Side: l.Side, Symbol: l.Symbol, Part: part(l.Value), Reason: l.Reason, From: toolkit.FormatDate(l.From), Value: sum(l.Value)})
	}
	for _, c := range plan.Cash {
		a.Cash = append(a.Cash, cashJSON{c.Account, roundMoney(c.Before, base), roundMoney(c.After, base)})
	}
	a.Cost = costJSON{
		Bought: part(plan.Bought), Sold: part(plan.Sold), Turnover: plan.Turnover.Round(shares), FeesPart: part(plan.Fees), Fees: sum(plan.Fees), Tax: roundKnown(plan.Tax, base),
		ShortRate: roundFraction(p.request.Rates.Short), LongRate: roundFraction(p.request.Rates.Long),
	}
	if plan.Tax.Valid {
		due := part(plan.Tax.Decimal)
		a.Cost.TaxPart = &due
	}
	for _, g := range plan.Gains {
		a.Cost.Gains = append(a.Cost.Gains, gainJSON{g.Term, part(g.Gain), sum(g.Gain)})
	}
	if plan.Unknown.IsPositive() {
		a.Cost.Unknown = sum(plan.Unknown)
	}
	a.Warnings = p.warnings()
	return a
}

func tradeOf(t rebalance.Trade, base string, part func(decimal.Decimal) decimal.Decimal) tradeJSON {
	exact := func(d decimal.Decimal) *decimal.Decimal { return &d }
	out := tradeJSON{
		Side: t.Side, Account: t.Account, Symbol: t.Symbol, Part: part(t.Value), Untaxed: t.Untaxed,
		Quantity: exact(t.Quantity), Price: exact(t.Price.Round(pricePlacesShown)), Value: exact(roundMoney(t.Value, base)), Fee: exact(roundMoney(t.Fee, base)),
	}
	if t.Side == rebalance.Sell {
		out.Gain, out.Tax = roundKnown(t.Gain, base), roundKnown(t.Tax, base)
	}
	for _, l := range t.Lots {
		out.Lots = append(out.Lots, lotJSON{
			Lot: l.Lot, Acquired: toolkit.FormatDate(l.Acquired), Term: l.Term, Quantity: exact(l.Quantity), Cost: roundKnown(l.Cost, base), Gain: roundKnown(l.Gain, base), Tax: roundKnown(l.Tax, base),
		})
	}
	return out
}

// pricePlacesShown are the digits of a converted price.
const pricePlacesShown = 6

func roundKnown(n decimal.NullDecimal, base string) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	rounded := roundMoney(n.Decimal, base)
	return &rounded
}

func roundFraction(n decimal.NullDecimal) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	return &n.Decimal
}

// verdict returns the judgement of the portfolio after the plan, with that of the portfolio as
// it is.
func (p *planner) verdict() verdictJSON {
	v := verdictJSON{
		Decision: p.after.verdictLine(), Refused: p.refused(), Personal: p.after.Basis.Personal, Basis: p.after.basis(), Missing: p.after.Basis.Missing,
	}
	for i, r := range p.after.Rows {
		rule := ruleJSON{Rule: r.Rule, Outcome: r.Outcome, Why: r.Sentence}
		if i < len(p.before.Rows) && p.before.Rows[i].Rule == r.Rule {
			rule.Before = p.before.Rows[i].Outcome
		}
		v.Rules = append(v.Rules, rule)
	}
	if p.after.Refused() && !v.Refused {
		v.Decision = "The book as it is breaks your limits, and this plan trades nothing that would change it"
	}
	return v
}

// refused tells whether there is something to refuse: a plan without trades
// suggests nothing.
func (p *planner) refused() bool { return p.after.Refused() && len(p.plan.Trades) > 0 }

// warnings returns first what the clock hides of the portfolio, then the notes of the planner,
// each once. It is never null.
func (p *planner) warnings() []string {
	out := append([]string{}, p.opened.LaterWarnings...)
	if loud := p.origins.flagText(); loud != "" {
		out = append(out, loud+": the prices are not those of the market now")
	}
	for _, n := range p.notes {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if p.plan.Unknown.IsPositive() {
		out = append(out, "the cost of a part of what is sold is not known, and so neither are its gain and tax")
	}
	return out
}
