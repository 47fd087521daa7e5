package offline

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Investment is an amount that a question puts into something: "10000 dollars".
type Investment struct {
	Amount   string // its digits, or empty
	Currency string // or empty
}

const factors = `(?:k|hundred|thousand|grand|m|mn|mio|millions?|bn|b|mrd|billions?|lakhs?|crores?)`

var (
	investmentAmount = currencyPattern(`(?:(?:^|[\s(])(‹sign›) ?|\b(?:invest|invested|investing|put|putting) (?:about |around )?)(\d[\d.,]*)(?: ?(` + factors + `)\b)?(?: (?:of )?(‹currency›))?(?:$|[\s?!;])|` +
		`(?:^|[\s(])(\d[\d.,]*)(?: ?(` + factors + `)\b)? ?(‹currency›)(?:$|[\s?!.,;])`)
	investmentVerb = lazyregexp.New(`\b(?:would|invest|invested|investing|put|putting|turned into|become|grown to)\b`)

	// plainAmount matches an amount with one kind of separator, read as in English: 1,5 and 10.000
	// may be either a fraction or thousands, depending on the writer.
	plainAmount = lazyregexp.New(`^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2}|\.\d{4,})?$`)
)

// findInvestment reads the amount and the sentence without it: 2000 dollars are no year. An
// amount that may be read in two ways is unclear.
func findInvestment(low string) (st Investment, rest, unclear string) {
	if !strings.ContainsAny(low, digits) || !investmentVerb().MatchString(low) {
		return Investment{}, low, ""
	}
	m := investmentAmount().FindStringSubmatch(low)
	if m == nil {
		return Investment{}, low, ""
	}
	number := strings.TrimRight(m[2]+m[5], ".,")
	rest = strings.Replace(low, m[0], " ", 1)
	if !plainAmount().MatchString(number) {
		return Investment{}, rest, number
	}
	amount, err := decimal.NewFromString(strings.ReplaceAll(number, ",", ""))
	if err != nil || !amount.IsPositive() || len(number) > 20 {
		return Investment{}, low, ""
	}
	currency := currencies()[m[4]+m[7]]
	if currency == "" {
		currency = currencies()[m[1]]
	}
	return Investment{amount.Shift(zeros(m[3] + m[6])).String(), currency}, rest, ""
}

// zeros are the digits that a factor adds.
func zeros(factor string) int32 {
	switch strings.TrimSuffix(factor, "s") {
	case "hundred":
		return 2
	case "k", "thousand", "grand":
		return 3
	case "lakh":
		return 5
	case "m", "mn", "mio", "million":
		return 6
	case "crore":
		return 7
	case "b", "bn", "mrd", "billion":
		return 9
	}
	return 0
}

// period is the span of a stake: put in at the beginning of what is named, and
// left there unless an end is named as well.
func (st Investment) period(sp Period, low string) Period {
	if st.Amount != "" && sp.Range == "" && calendarPeriod(low).Empty() {
		sp.To = ""
	}
	return sp
}
