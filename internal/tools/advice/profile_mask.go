package advice

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// mayHoldAmounts reports whether sums may stand in the answer to a question.
func mayHoldAmounts(q investor.Question) bool {
	switch q.ID {
	case investor.QuestionObjectives, investor.QuestionLiquidityNeeds, investor.QuestionOthers:
		return true
	}
	return q.Kind == investor.KindMoney
}

// maskedAnswer is an answer without its sums. That there is one stays to be seen.
func maskedAnswer(id, answer string) string {
	interview := investor.NewInterview(time.Time{})
	q, ok := interview.Question(id)
	if answer == "" || ok && !mayHoldAmounts(q) {
		return answer
	}
	var p investor.Profile
	if err := interview.Set(&p, id, answer); err != nil || q.Kind == investor.KindMoney {
		return toolkit.HiddenAmount
	}
	var items []string
	for _, o := range p.Objectives {
		items = append(items, joinParts(string(o.Aim), yearText(o.Year), moneyText(o.Amount), toolkit.MaskNumbers(o.Note, toolkit.KeepPercents)))
	}
	for _, n := range p.Needs {
		items = append(items, joinParts(moneyText(n.Amount), dayText(n.By), toolkit.MaskNumbers(n.Note, toolkit.KeepPercents)))
	}
	for _, a := range p.OtherInvestments {
		items = append(items, joinParts(toolkit.MaskNumbers(a.Name, toolkit.KeepPercents), moneyText(a.Value)))
	}
	if items == nil {
		return answer // none
	}
	return strings.Join(items, "; ")
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

func moneyText(m investor.Money) string {
	if m.IsZero() {
		return ""
	}
	return toolkit.HiddenAmount
}

func dayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// maskInconsistencies gives each contradiction without the sums that may stand in its sentence.
func maskInconsistencies(list []investor.Inconsistency) []investor.Inconsistency {
	out := slices.Clone(list)
	for i := range out {
		out[i] = out[i].WithoutAmounts()
	}
	return out
}

// maskAdvice gives each basis without the sums of a contradiction that it repeats.
func maskAdvice(list []investor.AdviceBasis) []investor.AdviceBasis {
	out := slices.Clone(list)
	for i := range out {
		out[i] = out[i].WithoutAmounts()
	}
	return out
}
