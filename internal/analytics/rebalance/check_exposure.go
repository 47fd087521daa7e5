package rebalance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const (
	defaultForeign = "0.5"
	reasonForeign  = "convention: above half, exchange rates drive most of the portfolio"
	defaultRegion  = "0.7"
	reasonRegion   = "convention: slightly above the share of the largest region, the US, in the world stock market"
	fixClass       = "set its class: nfa portfolio classify SYMBOL"
	fixRegion      = "set its region: nfa portfolio classify SYMBOL"
)

// checkClasses returns a row for each limited class, in the order of the classes.
func (b Portfolio) checkClasses(l Limits) []CheckResult {
	if len(l.Classes) == 0 {
		row := CheckResult{Rule: RuleClass + "all", Measures: "classes within their limits", Unit: UnitFraction, Formula: "sum(|weight|) of each class"}
		if l.Classes != nil {
			row.Outcome, row.Reason = Pass, "no class has a limit"
			return []CheckResult{row}
		}
		return []CheckResult{row.notJudged("no class limits are set", "set class_limits: nfa profile")}
	}
	var rows []CheckResult
	for _, class := range portfolio.Classes() {
		for _, limit := range l.Classes {
			if limit.Class == class {
				rows = append(rows, b.checkClass(limit))
			}
		}
	}
	return rows
}

// checkClass judges both bounds. The row shows the one that fails, or else the upper one.
func (b Portfolio) checkClass(limit ClassLimit) CheckResult {
	row := CheckResult{Rule: RuleClass + Rule(limit.Class), Measures: "share of " + classLabel(limit.Class), Unit: UnitFraction, Formula: "sum(|weight|) of the class"}
	known, possible, unknown := b.inClass(limit.Class)
	judged := func(bound Bound, end decimal.NullDecimal) CheckResult {
		r := row.withThreshold(Limit{Value: end, Reason: limit.Reason}, bound).judge(known)
		r = r.judgeRange(known, known.Add(possible))
		return r.explain(fmt.Sprintf("%s is %s of the portfolio; the limit is %s %s.", classLabel(limit.Class), formatPercent(known), bound, formatPercent(end.Decimal)),
			"the class of "+joinNames(unknown)+" is unknown", fixClass)
	}
	var rows []CheckResult
	if limit.Max.Valid {
		rows = append(rows, judged(AtMost, limit.Max))
	}
	if limit.Min.Valid {
		rows = append(rows, judged(AtLeast, limit.Min))
	}
	if len(rows) == 0 {
		return row.notJudged("the limit has neither a minimum nor a maximum", "")
	}
	return slices.MinFunc(rows, func(x, y CheckResult) int { return cmp.Compare(severity(x), severity(y)) })
}

// severity sorts failures first, then rows that are not judged.
func severity(r CheckResult) int { return slices.Index([]Outcome{Fail, NotJudged, Pass}, r.Outcome) }

// inClass returns the weight known to be in a class, and the weight that may be.
func (b Portfolio) inClass(class portfolio.Class) (known, possible decimal.Decimal, unknown []string) {
	for _, h := range b.Positions {
		switch h.Class {
		case class:
			known = known.Add(h.Weight.Abs())
		case "", portfolio.ClassMixed:
			possible, unknown = possible.Add(h.Weight.Abs()), append(unknown, string(h.Symbol))
		}
	}
	if class == portfolio.ClassCash {
		for _, c := range b.Cash {
			known = known.Add(c.Weight)
		}
	}
	return known, possible, unknown
}

func classLabel(c portfolio.Class) string { return strings.ReplaceAll(string(c), "_", " ") }

// checkForeign uses the currency of the price, because the currencies within a fund are unknown.
func (b Portfolio) checkForeign(l Limits) CheckResult {
	row := CheckResult{Rule: RuleForeign, Measures: "priced in currencies other than " + b.Base, Unit: UnitFraction, Formula: "sum(|weight|) where the currency is not " + b.Base + "; a fund counts by the currency of its price, not by its holdings"}.
		withThreshold(l.Foreign.orDefault(defaultForeign, reasonForeign), AtMost)
	known, possible := decimal.Zero, decimal.Zero
	by := map[string]decimal.Decimal{}
	var unknown []string
	add := func(currency string, weight decimal.Decimal) {
		if currency != b.Base {
			known, by[currency] = known.Add(weight.Abs()), by[currency].Add(weight.Abs())
		}
	}
	for _, h := range b.Positions {
		if h.Currency == "" {
			possible, unknown = possible.Add(h.Weight.Abs()), append(unknown, string(h.Symbol))
			continue
		}
		add(h.Currency, h.Weight)
	}
	for _, c := range b.Cash {
		add(c.Currency, c.Weight)
	}
	row = row.judge(known).judgeRange(known, known.Add(possible))
	row.Inputs = rankedNames(by)
	return row.explain(fmt.Sprintf("If %s rose by 10%% against all other currencies, the portfolio would lose about %s.", b.Base, formatPercent(known.Div(decimal.NewFromInt(11)))),
		"the currency of "+joinNames(unknown)+" is unknown", "")
}

// rankedNames lists the largest parts with their names, largest first.
func rankedNames(by map[string]decimal.Decimal) []string {
	keys := make([]string, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y string) int { return cmp.Or(by[y].Cmp(by[x]), cmp.Compare(x, y)) })
	out := make([]string, 0, maxListed)
	for _, k := range keys[:min(len(keys), maxListed)] {
		out = append(out, k+" "+formatPercent(by[k]))
	}
	return out
}

// isGlobalRegion reports whether a region means all regions.
func isGlobalRegion(region string) bool {
	return slices.Contains([]string{"world", "global", "all", "all world", "worldwide"}, region)
}

// checkRegion counts only securities, because cash has no region. Securities that invest globally belong to
// no region either.
func (b Portfolio) checkRegion(l Limits) CheckResult {
	row := CheckResult{Rule: RuleRegion, Measures: "largest region", Unit: UnitFraction, Formula: "largest sum(|weight|) of one region / sum(|weight|), without cash; global funds count for no region"}.
		withThreshold(l.Region.orDefault(defaultRegion, reasonRegion), AtMost)
	by, all, possible := map[string]decimal.Decimal{}, decimal.Zero, decimal.Zero
	var unknown []string
	for _, h := range b.Positions {
		if h.Class == portfolio.ClassCash || h.Class == portfolio.ClassCrypto || h.Class == portfolio.ClassCommodity {
			continue
		}
		weight, name := h.Weight.Abs(), strings.ToLower(strings.TrimSpace(h.Region))
		all = all.Add(weight)
		switch {
		case name == "":
			possible, unknown = possible.Add(weight), append(unknown, string(h.Symbol))
		case !isGlobalRegion(name):
			by[name] = by[name].Add(weight)
		}
	}
	if !all.IsPositive() {
		return row.notJudged("no position has a region", "")
	}
	largest, where := decimal.Zero, "none"
	for name, weight := range by {
		part := weight.DivRound(all, 2*weightPlaces)
		if c := part.Cmp(largest); c > 0 || c == 0 && name < where {
			largest, where = part, name
		}
		by[name] = part
	}
	row = row.judge(largest).judgeRange(largest, largest.Add(possible.DivRound(all, 2*weightPlaces)))
	row.Inputs = rankedNames(by)
	if len(unknown) == len(b.Positions) {
		row.Number.Valid = false
	}
	return row.explain(fmt.Sprintf("%s of the securities are in one region, %s, and depend on its economy and laws.", formatPercent(largest), where),
		"the region of "+joinNames(unknown)+" is unknown", fixRegion)
}
