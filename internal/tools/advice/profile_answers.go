package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// unknownAnswer is shown for an unknown answer.
const unknownAnswer = "unknown"

// answerText is an answer of the profile as text, "" if it is unknown.
type answerText struct {
	text   string // as stored
	public string // what a model reads if the user hides amounts
	shown  string // as displayed, if that differs from text
}

func (a answerText) String() string { return cmp.Or(a.shown, a.text, unknownAnswer) }

// Redacted implements [tool.Redactor].
func (a answerText) Redacted() string { return a.public }

// MarshalJSON implements json.Marshaler.
func (a answerText) MarshalJSON() ([]byte, error) {
	text, err := toolkit.EncodeResult(a.text)
	return []byte(text), err
}

// answerTexts returns the answers of a profile by question. Their public texts omit amounts and
// other numbers in the user's own words, but show that there is an amount.
func answerTexts(p investor.Profile) map[string]answerText {
	public := itemTexts(p, func(investor.Money) string { return toolkit.HiddenAmount }, func(words string) string { return toolkit.OwnWords(words).Redacted() })
	shown := itemTexts(p, func(m investor.Money) string { return toolkit.Format(m.Amount, toolkit.Money, m.Currency) }, func(words string) string { return words })
	for id, part := range percentagesOf(p) {
		shown[id] = []string{rateText("", part)}
	}
	for _, c := range p.Limits.Classes {
		shown[investor.QuestionClassLimits] = append(shown[investor.QuestionClassLimits], string(c.Class)+rateText(" min ", c.Min)+rateText(" max ", c.Max))
	}
	out := map[string]answerText{}
	for id, text := range p.Answers() {
		out[id] = answerText{text, text, strings.Join(shown[id], "; ")}
		if items, ok := public[id]; ok {
			out[id] = answerText{text, strings.Join(items, "; "), out[id].shown}
		}
	}
	return out
}

// itemTexts formats the answers that contain amounts, by question and item.
func itemTexts(p investor.Profile, sum func(investor.Money) string, words func(string) string) map[string][]string {
	out := map[string][]string{}
	known := func(m investor.Money) string {
		if m.IsZero() {
			return ""
		}
		return sum(m)
	}
	for id, m := range sumsOf(p) {
		out[id] = []string{known(m)}
	}
	add := func(id string, parts ...string) { out[id] = append(out[id], joinParts(parts...)) }
	for _, o := range p.Objectives {
		add(investor.QuestionObjectives, string(o.Aim), yearText(o.Year), known(o.Amount), words(o.Note))
	}
	for _, n := range p.Needs {
		add(investor.QuestionLiquidityNeeds, known(n.Amount), toolkit.FormatDate(n.By), words(n.Note))
	}
	for _, a := range p.OtherInvestments {
		add(investor.QuestionOthers, words(a.Name), known(a.Value))
	}
	return out
}

func rateText(name string, part decimal.NullDecimal) string {
	if !part.Valid {
		return ""
	}
	return name + toolkit.Format(part, toolkit.Rate, "")
}

// sumsOf returns the answers that are one amount.
func sumsOf(p investor.Profile) map[string]investor.Money {
	return map[string]investor.Money{
		investor.QuestionIncome: p.Finances.Income, investor.QuestionNetWorth: p.Finances.NetWorth, investor.QuestionLiquidAssets: p.Finances.Liquid,
		investor.QuestionCashMinimum: p.Limits.CashAmount,
	}
}

// percentagesOf returns the answers that are one percentage, as fractions.
func percentagesOf(p investor.Profile) map[string]decimal.NullDecimal {
	return map[string]decimal.NullDecimal{
		investor.QuestionShortGains: p.Tax.ShortGains, investor.QuestionLongGains: p.Tax.LongGains, investor.QuestionIncomeRate: p.Tax.Income,
		investor.QuestionLossCapacity: p.Limits.LossCapacity, investor.QuestionLargestHolding: p.Limits.LargestPosition, investor.QuestionCashPart: p.Limits.CashShare,
	}
}

// answerFigures returns the numbers among the answers of a profile, in the order of the questions.
func answerFigures(p investor.Profile) []tool.Figure {
	figures := map[string][]tool.Figure{}
	add := func(id, part, label string, v decimal.Decimal, unit string) {
		label = strings.TrimSpace(strings.ReplaceAll(id, "_", " ") + " " + label)
		figures[id] = append(figures[id], tool.Figure{ID: id + part, Label: label, Value: v, Unit: unit, AsOf: p.UpdatedAt, Source: profileSource})
	}
	sum := func(id, part, label string, m investor.Money) {
		if !m.IsZero() {
			add(id, part, label, m.Amount, m.Currency)
		}
	}
	year := func(id, part, label string, year int) {
		if year != 0 {
			add(id, part, label, decimal.NewFromInt(int64(year)), "year")
		}
	}
	percent := func(id, part, label string, v decimal.NullDecimal) {
		if v.Valid {
			add(id, part, label, v.Decimal.Shift(2), "%")
		}
	}
	for id, m := range sumsOf(p) {
		sum(id, "", "", m)
	}
	year(investor.QuestionBirthYear, "", "", p.BirthYear)
	year(investor.QuestionHorizon, "", "", p.HorizonYear)
	for id, v := range percentagesOf(p) {
		percent(id, "", "", v)
	}
	for i, o := range p.Objectives {
		sum(investor.QuestionObjectives, fmt.Sprintf(".%d.amount", i), string(o.Aim), o.Amount)
		year(investor.QuestionObjectives, fmt.Sprintf(".%d.year", i), string(o.Aim), o.Year)
	}
	for i, n := range p.Needs {
		sum(investor.QuestionLiquidityNeeds, fmt.Sprintf(".%d", i), toolkit.FormatDate(n.By), n.Amount)
	}
	for i, a := range p.OtherInvestments {
		sum(investor.QuestionOthers, fmt.Sprintf(".%d", i), toolkit.Abbreviate(a.Name), a.Value)
	}
	for _, c := range p.Limits.Classes {
		percent(investor.QuestionClassLimits, "."+string(c.Class)+".min", string(c.Class)+" at least", c.Min)
		percent(investor.QuestionClassLimits, "."+string(c.Class)+".max", string(c.Class)+" at most", c.Max)
	}
	var out []tool.Figure
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		out = append(out, figures[q.ID]...)
	}
	return out
}

func joinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func yearText(year int) string {
	if year == 0 {
		return ""
	}
	return strconv.Itoa(year)
}
