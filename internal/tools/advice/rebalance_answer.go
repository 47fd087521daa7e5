package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// rebalanceAnswer is a plan with its verdict. Weights and costs are fractions of the total.
type rebalanceAnswer struct {
	// Error and Code are set if the plan breaks the user's limits.
	Error string `json:"error,omitempty" model:"-"`
	Code  string `json:"code,omitempty"`

	AsOf     string         `json:"as_of"`
	Currency string         `json:"currency"`
	Accounts []string       `json:"accounts"`
	Verdict  planVerdict    `json:"verdict"`
	Drift    []driftRow     `json:"drift" table:"Positions" max:"fit"`
	Values   []valueRow     `json:"-" table:"Market values"`
	Trades   []plannedTrade `json:"trades" table:"Trades" max:"fit"`
	Lots     []soldLot      `json:"-" table:"Lots to sell"`
	Skipped  []skippedRow   `json:"left_out" table:"Skipped" max:"fit"`
	Why      string         `json:"no_trades_because,omitempty"`
	Cost     planCost       `json:"cost"`
	// Total is the value of everything in the plan, including new cash, before fees.
	Total    decimal.Decimal       `json:"total" label:"total" as:"money" sensitive:"amount" formula:"sum(quantity * price) + cash + new cash"`
	Cash     []cashRow             `json:"cash,omitempty" table:"Cash" sensitive:"amount"`
	Warnings toolkit.Notes         `json:"warnings"`
	Note     string                `json:"note"`
	Sources  []toolkit.NamedOrigin `json:"sources"`

	day        market.Date // of the oldest price
	judged     []investor.RuleResult
	considered string
}

type planVerdict struct {
	Decision string       `json:"decision"`
	Refused  bool         `json:"refused"`
	Rules    []judgedRule `json:"rules"`
	Personal bool         `json:"personal"`
	Basis    []answerText `json:"basis"`
	Missing  []string     `json:"missing,omitempty"` // in the profile
}

type judgedRule struct {
	Rule    string           `json:"rule"`
	Outcome investor.Outcome `json:"outcome"`
	Before  investor.Outcome `json:"outcome_before"` // for the current portfolio
	Why     answerText       `json:"why"`
}

type driftRow struct {
	Symbol       string          `json:"symbol" label:"position"`
	Weight       decimal.Decimal `json:"weight" label:"weight" as:"percent" formula:"value / total"`
	Target       decimal.Decimal `json:"target" label:"target" as:"percent" formula:"as given"`
	Drift        decimal.Decimal `json:"drift" label:"drift" as:"points" formula:"weight - target"`
	Band         decimal.Decimal `json:"band" label:"band" as:"percent" formula:"min(band, relative_band * target)"`
	Outside      bool            `json:"outside"`
	WeightAfter  decimal.Decimal `json:"weight_after" label:"after" as:"percent" formula:"(value + trades) / (total - fees)"`
	OutsideAfter bool            `json:"outside_after"`
	State        string          `json:"-" label:"outside band" sparse:"true"`
	Value        decimal.Decimal `json:"value" sensitive:"amount"`
	ValueAfter   decimal.Decimal `json:"value_after" sensitive:"amount"`
}

// valueRow has the amounts of a driftRow, which has no room for them on screen.
type valueRow struct {
	Symbol string          `json:"symbol" label:"position"`
	Value  decimal.Decimal `json:"value" label:"now" as:"money" formula:"quantity * price"`
	After  decimal.Decimal `json:"value_after" label:"after" as:"money" formula:"value + trades"`
}

type plannedTrade struct {
	Trade    string           `json:"-" label:"trade"`
	Side     rebalance.Side   `json:"side"`
	Account  string           `json:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Part     decimal.Decimal  `json:"part" label:"part" as:"percent" formula:"value / total"`
	Untaxed  bool             `json:"untaxed,omitempty"`
	Quantity decimal.Decimal  `json:"quantity" label:"units" unit:"units" as:"exact" sensitive:"amount" formula:"toward the target, in whole steps"`
	Price    decimal.Decimal  `json:"price" label:"price" as:"price" formula:"as quoted, in the currency of the plan"`
	Value    decimal.Decimal  `json:"value" label:"value" as:"money" sensitive:"amount" formula:"quantity * price"`
	Fee      decimal.Decimal  `json:"fee" label:"fee" as:"money" sensitive:"amount" formula:"fixed + rate * value"`
	Gain     *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" sensitive:"amount" formula:"proceeds - cost basis of the lots"`
	Tax      *decimal.Decimal `json:"tax,omitempty" label:"tax" as:"money" sensitive:"amount" formula:"rate * gain"`
	Lots     []soldLot        `json:"lots,omitempty" max:"8"`
}

// soldLot is a lot to specify to the broker for a sale.
type soldLot struct {
	Trade    string           `json:"-" label:"sold from"`
	Lot      string           `json:"lot,omitempty" label:"lot" sensitive:"amount"`
	Acquired string           `json:"acquired,omitempty" label:"acquired"`
	Term     tax.Term         `json:"term,omitempty" label:"term"`
	Quantity decimal.Decimal  `json:"quantity" label:"units" unit:"units" as:"exact" sensitive:"amount" formula:"of the lot"`
	Cost     *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" sensitive:"amount" formula:"of the part sold, at the rate of its day"`
	Gain     *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" sensitive:"amount" formula:"proceeds - cost"`
	Tax      *decimal.Decimal `json:"tax,omitempty" label:"tax" as:"money" sensitive:"amount" formula:"rate * gain"`
}

type skippedRow struct {
	Trade  string           `json:"-" label:"trade"`
	Side   rebalance.Side   `json:"side"`
	Symbol market.Symbol    `json:"symbol"`
	Part   decimal.Decimal  `json:"part" label:"part" as:"percent" formula:"value / total"`
	Reason rebalance.Reason `json:"reason" label:"reason"`
	From   string           `json:"possible_from,omitempty" label:"possible from"`
	Value  decimal.Decimal  `json:"value" label:"value" as:"money" sensitive:"amount" formula:"|target - value|"`
}

type planCost struct {
	Bought   decimal.Decimal  `json:"bought_part" label:"bought" as:"percent" key:"1" formula:"bought / total"`
	Sold     decimal.Decimal  `json:"sold_part" label:"sold" as:"percent" key:"2" formula:"sold / total"`
	Turnover decimal.Decimal  `json:"turnover" label:"turnover" as:"percent" formula:"min(bought, sold) / total" basis:"the lesser of both, as funds report it"`
	FeesPart decimal.Decimal  `json:"fees_part" label:"fees, share of the total" as:"rate" formula:"fees / total"`
	TaxPart  *decimal.Decimal `json:"tax_part,omitempty" label:"tax, share of the total" as:"rate" formula:"tax / total"`
	Fees     decimal.Decimal  `json:"fees" label:"fees" as:"money" key:"4" sensitive:"amount" formula:"sum over trades of fixed + rate * value"`
	Tax      *decimal.Decimal `json:"tax,omitempty" label:"tax, estimate" as:"money" key:"3" sensitive:"amount" formula:"rate * gain of each term, losses offset gains"`
	Gains    []termGain       `json:"gains,omitempty" table:"Gains by term"`
	// TaxChosen is the tax if the user chose the lots; set only if it is less than Tax.
	TaxChosen *decimal.Decimal `json:"tax_with_chosen_lots,omitempty" label:"tax with chosen lots, estimate" as:"money" sensitive:"amount" formula:"rate * gain of the lots with the least tax"`
	// Unknown is the proceeds of lots with an unknown cost basis.
	Unknown   *decimal.Decimal `json:"sold_at_unknown_cost,omitempty" label:"sold at unknown cost basis" as:"money" sensitive:"amount" formula:"proceeds of lots with unknown cost basis"`
	ShortRate *decimal.Decimal `json:"short_rate,omitempty" label:"short-term tax rate" as:"rate" basis:"as given"`
	LongRate  *decimal.Decimal `json:"long_rate,omitempty" label:"long-term tax rate" as:"rate" basis:"as given"`
}

type termGain struct {
	Term tax.Term        `json:"term,omitempty" label:"term"`
	Part decimal.Decimal `json:"part" label:"share of the total" as:"change" formula:"gain / total"`
	Gain decimal.Decimal `json:"gain" label:"gain" as:"gain" sensitive:"amount" formula:"proceeds - cost basis of the lots"`
}

type cashRow struct {
	Account string          `json:"account" label:"account"`
	Before  decimal.Decimal `json:"before" label:"before" as:"money" formula:"balance + new cash"`
	After   decimal.Decimal `json:"after" label:"after" as:"money" formula:"cash + sales - purchases - fees"`
}

// planSource is part of every plan.
const planSource = "Prices can move before an order is filled. Taxes are estimates at the tax rates you set and are not deducted. No order is placed. Not advice"

func (p *planner) answer() rebalanceAnswer {
	plan := p.plan
	part := func(d decimal.Decimal) decimal.Decimal { return d.DivRound(plan.Total, weightPlaces) }
	a := rebalanceAnswer{
		AsOf: toolkit.FormatDate(p.opened.Day), Currency: p.valuation.Base, Accounts: p.accounts, Why: plan.Reason, Total: plan.Total, Note: planSource,
		Trades: []plannedTrade{}, Skipped: []skippedRow{}, Sources: p.origins, day: p.valuation.AsOf, judged: p.after.Rows, Verdict: p.verdict(), Warnings: p.warnings(),
	}
	for _, d := range plan.Drift {
		row := driftRow{
			Symbol: string(d.Symbol), Weight: d.Weight, Target: d.Target, Drift: d.Drift, Band: d.Band, Outside: d.Outside,
			WeightAfter: d.WeightAfter, OutsideAfter: d.OutsideAfter, State: outsideText(d), Value: d.Value, ValueAfter: d.ValueAfter,
		}
		if d.Symbol == "" {
			row.Symbol, row.State = "cash", "" // cash has no target of its own
		}
		a.Drift, a.Values = append(a.Drift, row), append(a.Values, valueRow{row.Symbol, d.Value, d.ValueAfter})
	}
	for _, t := range plan.Trades {
		row := plannedTrade{
			Trade: fmt.Sprintf("%s %s %s", t.Side, t.Symbol, t.Account), Side: t.Side, Account: t.Account, Symbol: t.Symbol, Part: part(t.Value), Untaxed: t.Untaxed,
			Quantity: t.Quantity, Price: t.Price, Value: t.Value, Fee: t.Fee,
		}
		if t.Side == rebalance.Sell {
			row.Gain, row.Tax = toolkit.Known(t.Gain), toolkit.Known(t.Tax)
		}
		for _, l := range t.Lots {
			row.Lots = append(row.Lots, soldLot{
				Trade: fmt.Sprintf("%s %s", t.Symbol, t.Account), Lot: l.Lot, Acquired: toolkit.FormatDate(l.Acquired), Term: l.Term,
				Quantity: l.Quantity, Cost: toolkit.Known(l.Cost), Gain: toolkit.Known(l.Gain), Tax: toolkit.Known(l.Tax),
			})
		}
		a.Trades, a.Lots = append(a.Trades, row), append(a.Lots, row.Lots...)
	}
	for _, l := range plan.Skipped {
		a.Skipped = append(a.Skipped, skippedRow{Trade: fmt.Sprintf("%s %s", l.Side, l.Symbol), Side: l.Side, Symbol: l.Symbol, Part: part(l.Value), Reason: l.Reason, From: toolkit.FormatDate(l.From), Value: l.Value})
	}
	for _, c := range plan.Cash {
		a.Cash = append(a.Cash, cashRow(c))
	}
	a.Cost = planCost{
		Bought: part(plan.Bought), Sold: part(plan.Sold), Turnover: plan.Turnover, FeesPart: part(plan.Fees), Fees: plan.Fees, Tax: toolkit.Known(plan.Tax),
		ShortRate: toolkit.Known(p.request.Rates.Short), LongRate: toolkit.Known(p.request.Rates.Long),
	}
	if plan.Tax.Valid {
		due := part(plan.Tax.Decimal)
		a.Cost.TaxPart = &due
	}
	for _, g := range plan.Gains {
		a.Cost.Gains = append(a.Cost.Gains, termGain{g.Term, part(g.Gain), g.Gain})
	}
	if plan.Unknown.IsPositive() {
		a.Cost.Unknown = &plan.Unknown
	}
	if chosen, less := p.chosenLotsTax(); less {
		a.Cost.TaxChosen = &chosen
	}
	a.considered = p.considered()
	return a
}

// considered lists in one line what the plan took into account.
func (p *planner) considered() string {
	band := p.request.Band
	var bands []string
	if band.Absolute.Valid {
		bands = append(bands, toolkit.Format(band.Absolute, toolkit.Percent, ""))
	}
	if band.Relative.Valid {
		bands = append(bands, toolkit.Format(band.Relative, toolkit.Percent, "")+" of each target")
	}
	parts := []string{"cash first"}
	if len(bands) > 0 {
		parts = append(parts, "a band of "+strings.Join(bands, " or "))
	}
	parts = append(parts, "lots by "+humanize.JoinAnd(p.methods()))
	switch rates := p.request.Rates; {
	case !rates.Short.Valid && !rates.Long.Valid:
		parts = append(parts, "no tax rates")
	case p.request.Jurisdiction.Name == "":
		parts = append(parts, "tax rates without a jurisdiction")
	default:
		parts = append(parts, "taxes and wash sales of "+p.request.Jurisdiction.Title)
	}
	judged := 0
	for _, r := range p.after.Rows {
		if r.Outcome == investor.Pass || r.Outcome == investor.Fail {
			judged++
		}
	}
	parts = append(parts, fmt.Sprintf("%d of %s", judged, humanize.Count(len(p.after.Rows), "limit", "limits")))
	switch {
	case p.after.Note != "" && p.after.Note != noProfile:
		parts = append(parts, p.after.Note)
	case !p.after.Basis.Personal:
		parts = append(parts, "an incomplete profile (nfa profile)")
	}
	return strings.Join(parts, ", ")
}

func outsideText(d rebalance.Drift) string {
	switch {
	case d.Outside && d.OutsideAfter:
		return "yes, and after"
	case d.Outside:
		return "yes"
	case d.OutsideAfter:
		return "after"
	}
	return "no"
}

// verdict returns the judgment of the portfolio after the plan, and before it for comparison.
func (p *planner) verdict() planVerdict {
	public := p.after.hidden()
	v := planVerdict{Decision: p.after.verdictLine(), Refused: p.refused(), Personal: p.after.Basis.Personal, Missing: p.after.Basis.Missing}
	for i, r := range p.after.Rows {
		rule := judgedRule{Rule: r.Rule, Outcome: r.Outcome, Why: answerText{text: r.Sentence, public: public.Rows[i].Sentence}}
		if i < len(p.before.Rows) && p.before.Rows[i].Rule == r.Rule {
			rule.Before = p.before.Rows[i].Outcome
		}
		v.Rules = append(v.Rules, rule)
	}
	basis := public.basis()
	for i, line := range p.after.basis() {
		v.Basis = append(v.Basis, answerText{text: line, public: basis[i]})
	}
	if p.after.Refused() && !v.Refused {
		v.Decision = "Your portfolio breaks your limits, and this plan has no trades that would fix it"
	}
	return v
}

// refused reports whether the plan is refused. A plan without trades suggests nothing.
func (p *planner) refused() bool { return p.after.Refused() && len(p.plan.Trades) > 0 }

// warnings returns warnings about hidden transactions first, then those of the planner.
func (p *planner) warnings() toolkit.Notes {
	var out toolkit.Notes
	out.WarnEach("later_transactions", p.opened.LaterWarnings...)
	warnOfFlags(&out, p.origins)
	p.warnOfOldPrices(&out)
	for _, n := range p.notes {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if p.plan.Unknown.IsPositive() {
		out.Warn("unknown_cost", "The cost basis of some lots sold is unknown, so their gain and tax are unknown too")
	}
	out.Note(tool.CodeNotice, "%s.", planSource)
	return out
}

// result returns the tool result. A refused plan is an error that also shows the plan. By default the user
// reads the trades and one line about what the plan considered.
func (a rebalanceAnswer) result(full bool) tool.Result {
	res := toolkit.Render(a)
	if full {
		res.ForUser = a.opening() + res.ForUser
	} else {
		res.ForUser, res.Notes = a.brief()+sourceLine(res.ForUser), briefNotes(res.Notes)
	}
	if a.Verdict.Refused {
		a.Error, a.Code = res.UserText(), tool.CodeRefused
		refused := toolkit.Render(a)
		refused.ForUser, refused.IsError, refused.Code = res.ForUser, true, tool.CodeRefused
		return refused
	}
	return res
}

// maxBriefWarnings is the maximum number of warnings below a brief plan.
const maxBriefWarnings = 3

// briefNotes returns the notice and the first warnings that the brief answer does not already state. The
// other notes are shown on request.
func briefNotes(notes []tool.Note) []tool.Note {
	warnings := 0
	return slices.DeleteFunc(slices.Clone(notes), func(n tool.Note) bool {
		if n.Code == "no_jurisdiction" || n.Code == "no_tax_rates" || !n.Warning && n.Code != tool.CodeNotice {
			return true
		}
		if n.Warning {
			warnings++
		}
		return n.Warning && warnings > maxBriefWarnings
	})
}

// brief returns a short form of the plan: the verdict if a limit is broken, the trades, and one line about
// what the plan considered.
func (a rebalanceAnswer) brief() string {
	var b strings.Builder
	if slices.ContainsFunc(a.Verdict.Rules, func(r judgedRule) bool { return r.Outcome == investor.Fail }) || a.Verdict.Refused {
		b.WriteString(a.opening() + "\n")
	}
	if len(a.Trades) == 0 {
		b.WriteString(a.noTrades() + "\n")
	} else {
		b.WriteString(a.briefTrades())
	}
	var skipped []string
	for _, s := range a.Skipped {
		from := ""
		if s.From != "" {
			from = "; possible from " + s.From
		}
		skipped = append(skipped, fmt.Sprintf("%s (%s%s)", s.Trade, s.Reason, from))
	}
	if len(skipped) > 0 {
		fmt.Fprintf(&b, "\nNot planned: %s.\n", toolkit.TableCell(toolkit.JoinFew(skipped)))
	}
	if a.Cost.TaxChosen != nil {
		fmt.Fprintf(&b, "\nNaming the lots to your broker would lower the tax from %s to %s: set the account's cost basis to specific to plan with it.\n",
			toolkit.Format(a.Cost.Tax, toolkit.Money, a.Currency), toolkit.Format(a.Cost.TaxChosen, toolkit.Money, a.Currency))
	}
	fmt.Fprintf(&b, "\nConsidered: %s. Details: nfa portfolio rebalance --full\n", a.considered)
	return b.String()
}

// briefTrades returns the table of the trades. Columns without any value are omitted.
func (a rebalanceAnswer) briefTrades() string {
	columns := []string{"trade", "account", "units", "value", "gain", "tax"}
	rows := make([][]string, len(a.Trades))
	gains, taxes := false, false
	for i, t := range a.Trades {
		gains, taxes = gains || t.Gain != nil, taxes || t.Tax != nil
		rows[i] = []string{
			fmt.Sprintf("%s %s", t.Side, t.Symbol), toolkit.TableCell(toolkit.Abbreviate(t.Account)), toolkit.Format(t.Quantity, toolkit.Exact, ""),
			toolkit.Format(t.Value, toolkit.Money, a.Currency), toolkit.Format(t.Gain, toolkit.Gain, a.Currency), toolkit.Format(t.Tax, toolkit.Money, a.Currency),
		}
	}
	width := len(columns)
	if !taxes {
		width--
		if !gains {
			width--
		}
	}
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells[:width], " | ")) }
	line(columns)
	line([]string{"---", "---", "---:", "---:", "---:", "---:"})
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// sourceLine returns the sources at the end of a rendered answer.
func sourceLine(rendered string) string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(rendered), "\n\n") {
		if strings.Contains(paragraph, " · as of ") {
			lines = append(lines, "\n"+paragraph+"\n")
		}
	}
	return strings.Join(lines, "")
}

// ErrorText returns why the plan is refused, followed by the plan.
func (a rebalanceAnswer) ErrorText() string { return a.Error }

// opening returns the verdict with each failed limit. It precedes the plan.
func (a rebalanceAnswer) opening() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", a.Verdict.Decision)
	for _, r := range a.Verdict.Rules {
		if r.Outcome != investor.Fail {
			continue
		}
		earlier := ""
		if r.Before == investor.Fail {
			earlier = " Your portfolio already breaks it."
		}
		fmt.Fprintf(&b, "- %s: %s%s\n", r.Rule, toolkit.TableCell(r.Why.text), earlier)
	}
	if a.Verdict.Refused {
		b.WriteString("\nThis is the refused plan, not a recommendation:\n\n")
	}
	return b.String()
}

// Headline implements [toolkit.Answer].
func (a rebalanceAnswer) Headline(lang string) string {
	bought, sold := toolkit.Format(a.Cost.Bought, toolkit.Percent, ""), toolkit.Format(a.Cost.Sold, toolkit.Percent, "")
	due := toolkit.Format(a.Cost.Tax, toolkit.Money, a.Currency)
	switch {
	case a.Verdict.Refused && lang == "zh":
		return fmt.Sprintf("您设定的限制拒绝了这个方案：买入 %s，卖出 %s。", bought, sold)
	case a.Verdict.Refused:
		return fmt.Sprintf("%s; the plan would buy %s and sell %s of the total.", a.Verdict.Decision, bought, sold)
	case len(a.Trades) == 0 && lang == "zh":
		return "无需交易。"
	case len(a.Trades) == 0:
		return a.noTrades()
	case lang == "zh":
		return fmt.Sprintf("%d 笔交易：买入组合的 %s，卖出 %s，预计税款 %s。", len(a.Trades), bought, sold, due)
	}
	return fmt.Sprintf("%s: buy %s and sell %s of the total, estimated tax %s.", humanize.Count(len(a.Trades), "trade", "trades"), bought, sold, due)
}

func (a rebalanceAnswer) noTrades() string { return "No trades: " + a.Why + "." }

// Title implements [toolkit.Titled].
func (a rebalanceAnswer) Title() string {
	return toolkit.Abbreviate("rebalance · " + a.AsOf + " · " + joinFew(a.Accounts))
}

// Summary implements [toolkit.Summarizer]. It has no amounts.
func (a rebalanceAnswer) Summary() string {
	switch {
	case a.Verdict.Refused:
		return a.Verdict.Decision
	case len(a.Trades) == 0:
		return "no trades"
	}
	return fmt.Sprintf("%s, bought %s, sold %s", humanize.Count(len(a.Trades), "trade", "trades"), toolkit.Format(a.Cost.Bought, toolkit.Percent, ""), toolkit.Format(a.Cost.Sold, toolkit.Percent, ""))
}

// Explain implements [toolkit.Explainer]. Empty columns are omitted to save space.
func (a rebalanceAnswer) Explain(field string) toolkit.Explanation {
	e := figureOrigin(a.Sources, a.day)
	switch field {
	case "trades.fee":
		e.Omit = a.Cost.Fees.IsZero()
	case "trades.gain":
		e.Omit = a.Cost.Sold.IsZero()
	case "trades.tax", "Lots.tax":
		e.Omit = a.Cost.ShortRate == nil && a.Cost.LongRate == nil
	}
	return e
}

// Tables implements [toolkit.Tabler]. The unit of a number depends on its rule.
func (a rebalanceAnswer) Tables() []toolkit.Table {
	out := toolkit.Table{Title: "Your limits", Columns: []string{"limit", "now", "after", "why"}}
	origin := figureOrigin(a.Sources, a.day)
	for i, r := range a.judged {
		rule := a.Verdict.Rules[i]
		out.Rows = append(out.Rows, []string{r.Rule, string(rule.Before), loudOutcome(string(r.Outcome)), r.Sentence})
		for _, n := range []struct {
			field, label, formula string
			value                 decimal.NullDecimal
		}{{"number", r.Rule + " after the plan", "of the portfolio after the plan", r.Number}, {"threshold", r.Rule + ", limit", "from the profile", r.Threshold}} {
			if n.value.Valid {
				out.Figures = append(out.Figures, inPercent(tool.Figure{
					ID: fmt.Sprintf("verdict.rules.%d.%s", i, n.field), Label: n.label, Value: n.value.Decimal, Unit: r.Unit,
					AsOf: origin.AsOf, Source: origin.Source, Formula: n.formula, Inputs: []string{r.Sentence},
				}))
			}
		}
	}
	return []toolkit.Table{out}
}

// Text implements [toolkit.Texter]: why there are no trades, and whether the plan is personal.
func (a rebalanceAnswer) Text() string {
	var lines []string
	if len(a.Trades) == 0 {
		lines = append(lines, a.noTrades())
	}
	for _, line := range a.Verdict.Basis {
		lines = append(lines, toolkit.TableCell(line.text))
	}
	return strings.Join(lines, "\n\n")
}
