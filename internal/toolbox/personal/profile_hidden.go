package personal

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// holdsSums reports whether sums may stand in the answer to a question.
func holdsSums(q investor.Question) bool {
	switch q.ID {
	case investor.AskObjectives, investor.AskLiquidityNeeds, investor.AskOthers:
		return true
	}
	return q.Kind == investor.KindMoney
}

// veiledAnswer is an answer without its sums. That there is one stays to be seen.
func veiledAnswer(id, answer string) string {
	interview := investor.NewInterview(time.Time{})
	q, ok := interview.Question(id)
	if answer == "" || ok && !holdsSums(q) {
		return answer
	}
	var p investor.Profile
	if err := interview.Set(&p, id, answer); err != nil || q.Kind == investor.KindMoney {
		return present.Hidden
	}
	var items []string
	for _, o := range p.Objectives {
		items = append(items, item(string(o.Aim), yearOf(o.Year), sumOf(o.Amount), present.Masked(o.Note, present.KeptPerCents)))
	}
	for _, n := range p.Needs {
		items = append(items, item(sumOf(n.Amount), dayText(n.By), present.Masked(n.Note, present.KeptPerCents)))
	}
	for _, a := range p.Others {
		items = append(items, item(present.Masked(a.Name, present.KeptPerCents), sumOf(a.Value)))
	}
	if items == nil {
		return answer // none
	}
	return strings.Join(items, "; ")
}

func item(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

func yearOf(year int) string {
	if year == 0 {
		return ""
	}
	return strconv.Itoa(year)
}

func sumOf(m investor.Money) string {
	if m.IsZero() {
		return ""
	}
	return present.Hidden
}

func dayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// told gives each contradiction without the sums that may stand in its sentence.
func told(list []investor.Inconsistency) []investor.Inconsistency {
	out := slices.Clone(list)
	for i := range out {
		out[i] = out[i].WithoutSums()
	}
	return out
}

// advised gives each basis without the sums of a contradiction that it repeats.
func advised(list []investor.Basis) []investor.Basis {
	out := slices.Clone(list)
	for i := range out {
		out[i] = out[i].WithoutSums()
	}
	return out
}
