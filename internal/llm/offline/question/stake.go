package question

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// Stake is an amount that a question puts into something: "10000 dollars".
type Stake struct {
	Amount   string // its digits, or empty
	Currency string // or empty
}

var (
	stakeAmount = pattern.Lazy(`(?:([$€£]) ?|\b(?:invest|invested|investing|put|putting) (?:about |around )?)(\d[\d,]*(?:\.\d+)?)(?: ?(k|thousand|m|million))?(?: (dollars?|usd|bucks|euros?|eur|pounds?|gbp))?(?:$|[\s?!.;]|,\D)|` +
		`(?:^|[\s(])(\d[\d,]*(?:\.\d+)?)(?: ?(k|thousand|m|million))? ?(dollars?|usd|bucks|euros?|eur|pounds?|gbp|[$€£])(?:$|[\s?!.,;])`)
	stakeVerb = pattern.Lazy(`\b(?:would|invest|invested|investing|put|putting|turned into|become|grown to)\b`)
)

// findStake reads the amount and the sentence without it: 2000 dollars are no
// year.
func findStake(low string) (Stake, string) {
	m := stakeAmount().FindStringSubmatch(low)
	if m == nil || !stakeVerb().MatchString(low) {
		return Stake{}, low
	}
	number, factor, currency := m[2]+m[5], m[3]+m[6], currencyWords[m[1]+m[7]]
	if currency == "" {
		currency = currencyWords[m[4]]
	}
	amount, err := decimal.NewFromString(strings.ReplaceAll(number, ",", ""))
	if err != nil || !amount.IsPositive() || len(number) > 20 {
		return Stake{}, low
	}
	switch factor {
	case "k", "thousand":
		amount = amount.Shift(3)
	case "m", "million":
		amount = amount.Shift(6)
	}
	return Stake{amount.String(), currency}, strings.Replace(low, m[0], " ", 1)
}

// since is the span of a stake: put in at the beginning of what is named, and
// left there unless an end is named as well.
func (st Stake) since(sp Span, low string) Span {
	if st.Amount != "" && sp.Back == "" && calendarSpan(low).Empty() {
		sp.To = ""
	}
	return sp
}
