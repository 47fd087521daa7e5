package offline

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// stake is an amount that a question puts into something: "10000 dollars".
type stake struct{ amount, currency string }

var (
	stakeAmount = pattern.Lazy(`(?:([$€£]) ?|\b(?:invest|invested|investing|put|putting) (?:about |around )?)(\d[\d,]*(?:\.\d+)?)(?: ?(k|thousand|m|million))?(?: (dollars?|usd|bucks|euros?|eur|pounds?|gbp))?(?:$|[\s?!.;]|,\D)|` +
		`(?:^|[\s(])(\d[\d,]*(?:\.\d+)?)(?: ?(k|thousand|m|million))? ?(dollars?|usd|bucks|euros?|eur|pounds?|gbp|[$€£])(?:$|[\s?!.,;])`)
	stakeVerb = pattern.Lazy(`\b(?:would|invest|invested|investing|put|putting|turned into|become|grown to)\b`)
)

// findStake reads the amount and the sentence without it: 2000 dollars are no
// year.
func findStake(low string) (stake, string) {
	m := stakeAmount().FindStringSubmatch(low)
	if m == nil || !stakeVerb().MatchString(low) {
		return stake{}, low
	}
	number, factor, currency := m[2]+m[5], m[3]+m[6], currencyWords[m[1]+m[7]]
	if currency == "" {
		currency = currencyWords[m[4]]
	}
	amount, err := decimal.NewFromString(strings.ReplaceAll(number, ",", ""))
	if err != nil || !amount.IsPositive() || len(number) > 20 {
		return stake{}, low
	}
	switch factor {
	case "k", "thousand":
		amount = amount.Shift(3)
	case "m", "million":
		amount = amount.Shift(6)
	}
	return stake{amount.String(), currency}, strings.Replace(low, m[0], " ", 1)
}

// since is the span of a stake: put in at the beginning of what is named, and
// left there unless an end is named as well.
func (st stake) since(sp span, low string) span {
	if st.amount != "" && sp.back == "" && calendarSpan(low).empty() {
		sp.to = ""
	}
	return sp
}

// worth is the expression of what the stake became, in the digits of the return
// as given; "" without one.
func (st stake) worth(returns object) string {
	total, ok := returns.number("total_return")
	if !ok || st.amount == "" {
		return ""
	}
	sign := "+"
	if total.IsNegative() {
		sign = "-"
	}
	return fmt.Sprintf("round(%s * (1 %s %s), 2)", st.amount, sign, total.Abs())
}

// growing are the calculations of what a stake became.
func (in intent) growing(outcomes []outcome) []task {
	var out []task
	for _, o := range outcomes {
		if expression := in.stake.worth(o.result); o.err == "" && o.call.Name == toolReturns && expression != "" {
			out = append(out, task{toolCalculate, expressionArgs{expression}})
		}
	}
	return out
}

// grown tells what a stake became. The sums that it tells are taken out of r.
func (in intent) grown(r *results) []string {
	if in.topic != topicStake {
		return nil
	}
	var out []string
	for _, o := range r.returns {
		if value, ok := r.take(in.stake.worth(o)); ok {
			out = append(out, fmt.Sprintf("That amount, put into %s at the close of %s, would have been worth %s on %s: `%s`.",
				o.subject(), o.known("from"), bold(value, o.unit()), o.known("to"), value.raw("expression")))
			continue
		}
		out = append(out, "! What the amount would be worth was not calculated.")
	}
	return out
}
