package checkup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const (
	standardForeign = "0.5"
	reasonForeign   = "a convention: beyond half, exchange rates move the book more than not"
	standardRegion  = "0.7"
	reasonRegion    = "a convention: somewhat above the part of the United States, the largest, in the world's stock market"
	sayClass        = "say it: nfa portfolio facts SYMBOL with its class"
	sayRegion       = "say it: nfa portfolio facts SYMBOL with its region"
)

// classes has a row for each class that is limited, in the order of the classes.
func (b Book) classes(l Limits) []Row {
	if len(l.Classes) == 0 {
		row := Row{Rule: RuleClass + "all", Measures: "classes within their limits", Unit: Fraction, Formula: "sum(|weight|) of each class"}
		if l.Classes != nil {
			row.Outcome, row.Reason = Pass, "no class is limited"
			return []Row{row}
		}
		return []Row{row.unjudged("no limits of classes are set", "set them in your profile (class_limits): nfa profile")}
	}
	var rows []Row
	for _, class := range portfolio.Classes() {
		for _, limit := range l.Classes {
			if limit.Class == class {
				rows = append(rows, b.class(limit))
			}
		}
	}
	return rows
}

// class judges both ends; the row shows the one that fails, else the upper one.
func (b Book) class(limit ClassLimit) Row {
	row := Row{Rule: RuleClass + Rule(limit.Class), Measures: "part in " + word(limit.Class), Unit: Fraction, Formula: "sum(|weight|) of the class"}
	known, possible, unknown := b.inClass(limit.Class)
	judged := func(bound Bound, end decimal.NullDecimal) Row {
		r := row.against(Limit{Value: end, Reason: limit.Reason}, bound).at(known)
		r = r.between(known, known.Add(possible))
		return r.explained(fmt.Sprintf("%s is %s of the book, against a limit of %s %s.", word(limit.Class), percent(known), bound, percent(end.Decimal)),
			"the class of "+names(unknown)+" is not known", sayClass)
	}
	var rows []Row
	if limit.Max.Valid {
		rows = append(rows, judged(AtMost, limit.Max))
	}
	if limit.Min.Valid {
		rows = append(rows, judged(AtLeast, limit.Min))
	}
	if len(rows) == 0 {
		return row.unjudged("the limit has neither end", "")
	}
	return slices.MinFunc(rows, func(x, y Row) int { return cmp.Compare(severity(x), severity(y)) })
}

// severity puts failures first, and what is not judged before what passes.
func severity(r Row) int { return slices.Index([]Outcome{Fail, NotJudged, Pass}, r.Outcome) }

// inClass is what is known to be of a class, and what may be besides.
func (b Book) inClass(class portfolio.Class) (known, possible decimal.Decimal, unknown []string) {
	for _, h := range b.Holdings {
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

func word(c portfolio.Class) string { return strings.ReplaceAll(string(c), "_", " ") }

// foreign is by the currency of the price: what a fund holds within is not known.
func (b Book) foreign(l Limits) Row {
	row := Row{Rule: RuleForeign, Measures: "priced in other currencies than " + b.Base, Unit: Fraction, Formula: "sum(|weight|) where the currency is not " + b.Base + "; a fund counts by its own price, not by what it holds"}.
		against(l.Foreign.or(standardForeign, reasonForeign), AtMost)
	known, possible := decimal.Zero, decimal.Zero
	by := map[string]decimal.Decimal{}
	var unknown []string
	add := func(currency string, weight decimal.Decimal) {
		if currency != b.Base {
			known, by[currency] = known.Add(weight.Abs()), by[currency].Add(weight.Abs())
		}
	}
	for _, h := range b.Holdings {
		if h.Currency == "" {
			possible, unknown = possible.Add(h.Weight.Abs()), append(unknown, string(h.Symbol))
			continue
		}
		add(h.Currency, h.Weight)
	}
	for _, c := range b.Cash {
		add(c.Currency, c.Weight)
	}
	row = row.at(known).between(known, known.Add(possible))
	row.Inputs = ranked(by)
	return row.explained(fmt.Sprintf("If %s rose by 10 %% against all others, the book would lose about %s.", b.Base, percent(known.Div(decimal.NewFromInt(11)))),
		"the currency of "+names(unknown)+" is not known", "")
}

// ranked are parts by name, the largest first.
func ranked(by map[string]decimal.Decimal) []string {
	keys := make([]string, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y string) int { return cmp.Or(by[y].Cmp(by[x]), cmp.Compare(x, y)) })
	out := make([]string, 0, mostNamed)
	for _, k := range keys[:min(len(keys), mostNamed)] {
		out = append(out, k+" "+percent(by[k]))
	}
	return out
}

// everywhere are words for what is spread over all regions.
func everywhere(region string) bool {
	return slices.Contains([]string{"world", "global", "all", "all world", "worldwide"}, region)
}

// region is of the securities alone: cash is in none. What is spread over the world
// is in none of them either.
func (b Book) region(l Limits) Row {
	row := Row{Rule: RuleRegion, Measures: "largest region", Unit: Fraction, Formula: "largest sum(|weight|) of one region / sum(|weight|), without cash; what is spread over the world is in none"}.
		against(l.Region.or(standardRegion, reasonRegion), AtMost)
	by, all, possible := map[string]decimal.Decimal{}, decimal.Zero, decimal.Zero
	var unknown []string
	for _, h := range b.Holdings {
		if h.Class == portfolio.ClassCash || h.Class == portfolio.ClassCrypto || h.Class == portfolio.ClassCommodity {
			continue
		}
		weight, name := h.Weight.Abs(), strings.ToLower(strings.TrimSpace(h.Region))
		all = all.Add(weight)
		switch {
		case name == "":
			possible, unknown = possible.Add(weight), append(unknown, string(h.Symbol))
		case !everywhere(name):
			by[name] = by[name].Add(weight)
		}
	}
	if !all.IsPositive() {
		return row.unjudged("nothing that is held belongs to a region", "")
	}
	largest, where := decimal.Zero, "none"
	for name, weight := range by {
		part := weight.DivRound(all, 2*weightPlaces)
		if c := part.Cmp(largest); c > 0 || c == 0 && name < where {
			largest, where = part, name
		}
		by[name] = part
	}
	row = row.at(largest).between(largest, largest.Add(possible.DivRound(all, 2*weightPlaces)))
	row.Inputs = ranked(by)
	if len(unknown) == len(b.Holdings) {
		row.Number.Valid = false
	}
	return row.explained(fmt.Sprintf("%s of the securities are of one region, %s, and share its economy and laws.", percent(largest), where),
		"the region of "+names(unknown)+" is not known", sayRegion)
}
