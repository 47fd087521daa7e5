package advice

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
)

// figures returns the numbers of a profile that an answer may quote, without amounts if they
// are hidden from the model.
func (p *profileTool) figures(profile investor.Profile) []tool.Figure {
	f := profileFigures{profile: profile, hideSums: p.HideAmounts}
	f.finances()
	f.limits()
	year := p.Today().Year()
	if profile.BirthYear != 0 {
		f.year("birth_year", "year of birth", profile.BirthYear)
		f.computed("age_this_year", "age in "+strconv.Itoa(year), int64(year-profile.BirthYear), "years", "this year - year of birth",
			fmt.Sprintf("this year %d", year), fmt.Sprintf("year of birth %d", profile.BirthYear))
	}
	if profile.HorizonYear != 0 {
		f.year("horizon", "invested until", profile.HorizonYear)
		f.computed("horizon_years", "years until the horizon", int64(profile.HorizonYear-year), "years", "horizon - this year",
			fmt.Sprintf("horizon %d", profile.HorizonYear), fmt.Sprintf("this year %d", year))
	}
	if score, level, ok := profile.Score(); ok {
		f.computed("risk_tolerance", "risk tolerance, "+string(level), score.IntPart(), "of 100",
			"points of the answers / most points * 100; each answer counts 0 (careful) to 3 (daring)", f.choices()...)
	}
	return f.out
}

// profileFigures gathers figures of a profile.
type profileFigures struct {
	profile  investor.Profile
	hideSums bool
	out      []tool.Figure
}

func (f *profileFigures) add(id, label string, v decimal.Decimal, unit string) *tool.Figure {
	f.out = append(f.out, tool.Figure{ID: "profile." + id, Label: label, Value: v, Unit: unit, AsOf: f.profile.UpdatedAt, Source: profileSource})
	return &f.out[len(f.out)-1]
}

func (f *profileFigures) sum(id, label string, m investor.Money) {
	if !m.IsZero() && !f.hideSums {
		f.add(id, label, m.Amount, m.Currency)
	}
}

func (f *profileFigures) part(id, label string, part decimal.NullDecimal) {
	if part.Valid {
		f.add(id, label, part.Decimal.Shift(2), "%")
	}
}

func (f *profileFigures) year(id, label string, year int) {
	if year != 0 {
		f.add(id, label, decimal.NewFromInt(int64(year)), "year")
	}
}

func (f *profileFigures) computed(id, label string, v int64, unit, formula string, inputs ...string) {
	figure := f.add(id, label, decimal.NewFromInt(v), unit)
	figure.Formula, figure.Inputs = formula, inputs
}

func (f *profileFigures) finances() {
	p := f.profile
	f.sum(investor.QuestionIncome, "income a year", p.Finances.Income)
	f.sum(investor.QuestionNetWorth, "net worth", p.Finances.NetWorth)
	f.sum(investor.QuestionLiquidAssets, "liquid assets", p.Finances.Liquid)
	f.part(investor.QuestionShortGains, "tax on short gains", p.Tax.ShortGains)
	f.part(investor.QuestionLongGains, "tax on long gains", p.Tax.LongGains)
	f.part(investor.QuestionIncomeRate, "tax on dividends and interest", p.Tax.Income)
	for i, o := range p.Objectives {
		id := fmt.Sprintf("%s.%d", investor.QuestionObjectives, i+1)
		f.sum(id+".amount", "amount of the aim "+string(o.Aim), o.Amount)
		f.year(id+".year", "year of the aim "+string(o.Aim), o.Year)
	}
	for i, n := range p.Needs {
		f.sum(fmt.Sprintf("%s.%d", investor.QuestionLiquidityNeeds, i+1), strings.TrimSpace("needed "+dayText(n.By)), n.Amount)
	}
	for i, a := range p.OtherInvestments {
		f.sum(fmt.Sprintf("%s.%d", investor.QuestionOthers, i+1), "value of what is outside of the book", a.Value)
	}
}

func (f *profileFigures) limits() {
	l := f.profile.Limits
	f.part(investor.QuestionLossCapacity, "largest fall that can be borne", l.LossCapacity)
	f.part(investor.QuestionLargestHolding, "largest single holding", l.LargestPosition)
	for _, c := range l.Classes {
		f.part(string(c.Class)+".min", "least of "+string(c.Class), c.Min)
		f.part(string(c.Class)+".max", "most of "+string(c.Class), c.Max)
	}
	f.sum(investor.QuestionCashMinimum, "least cash", l.CashAmount)
	f.part(investor.QuestionCashPart, "least part of cash", l.CashShare)
}

// choices are the answers that the risk tolerance is counted from.
func (f *profileFigures) choices() []string {
	var out []string
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		if choice := f.profile.Tolerance[q.ID]; choice != "" {
			out = append(out, q.ID+" "+choice)
		}
	}
	return out
}
