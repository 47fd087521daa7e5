package personal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
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
		return hidden
	}
	var items []string
	for _, o := range p.Objectives {
		items = append(items, item(string(o.Aim), yearOf(o.Year), sumOf(o.Amount), masked(o.Note)))
	}
	for _, n := range p.Needs {
		items = append(items, item(sumOf(n.Amount), dayText(n.By), masked(n.Note)))
	}
	for _, a := range p.Others {
		items = append(items, item(masked(a.Name), sumOf(a.Value)))
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
	return hidden
}

func dayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// veiledSays are contradictions without the sums that may stand in their sentences.
func veiledSays(list []investor.Inconsistency) []investor.Inconsistency {
	interview := investor.NewInterview(time.Time{})
	out := slices.Clone(list)
	for i := range out {
		sums := slices.ContainsFunc(out[i].Fields, func(id string) bool {
			q, ok := interview.Question(id)
			return !ok || holdsSums(q) && id != investor.AskObjectives
		})
		if sums {
			out[i].Says = fmt.Sprintf("The answers to %s do not go together; the user sees how.", strings.Join(out[i].Fields, " and "))
		}
	}
	return out
}

// veiledAdvice are bases without the contradictions that their sentences repeat.
func veiledAdvice(list []investor.Basis) []investor.Basis {
	out := slices.Clone(list)
	for i := range out {
		if !out[i].Personal && out[i].Missing == nil {
			out[i].Sentence = "This is general information and not advice for you, because answers in your profile contradict each other."
		}
	}
	return out
}
