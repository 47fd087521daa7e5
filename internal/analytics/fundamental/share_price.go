package fundamental

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// maxStatementAge is how much older than the price statements may be: a year and the time to file the next
// ones, with a margin.
const maxStatementAge = 550 * 24 * time.Hour

// maxCountAge is how much older than the statements a share count may be: two quarters.
const maxCountAge = 200 * 24 * time.Hour

// price returns the price per share if it can be combined with the statements.
func (k *calculator) price() decimal.Decimal {
	if why := k.company.priceProblem(); why != "" {
		return k.setMissing("%s", why)
	}
	p := k.company.Price
	return k.use(Input{ID: "price", Label: "price", Value: p.Value, Unit: p.Currency, AsOf: p.AsOf})
}

// priceProblem returns why the price cannot be combined with the statements, or "".
func (c Company) priceProblem() string {
	p, end := c.Price, c.Period.PeriodEnd
	if why := c.securityProblem(); why != "" {
		return why
	}
	switch currency := c.Period.Provenance.Currency; {
	case p == nil && c.NoPriceReason != "":
		return c.NoPriceReason
	case p == nil || !p.Value.IsPositive():
		return "no price"
	case p.Currency == "" || currency == "":
		return "the currency of the price or the statements is unknown"
	case p.Currency != currency:
		return fmt.Sprintf("the price is in %s but the statements are in %s", p.Currency, currency)
	case c.Security.Class != market.ClassADR && slices.Contains([]string{"20-F", "6-K"}, strings.TrimSuffix(c.Period.Form, "/A")):
		return fmt.Sprintf("companies that file form %s often trade as depositary receipts, where one receipt is not one share; price and statements are not combined", c.Period.Form)
	case p.AsOf.Before(end):
		return fmt.Sprintf("the price is from %s, before the period ends on %s", day(p.AsOf), day(end))
	case p.AsOf.Sub(end) > maxStatementAge:
		return fmt.Sprintf("the statements end on %s, long before the date of the price, %s", day(end), day(p.AsOf))
	}
	return ""
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// splitWarning returns a statement's warning about a split, or "": its per-share figures and counts
// may not refer to the same shares as others.
func splitWarning(s market.Statement) string {
	for _, w := range s.Warnings {
		if strings.Contains(strings.ToLower(w), "split") {
			return w
		}
	}
	return ""
}

// warningConcerns reports whether a warning names the item, or no item at all.
func warningConcerns(warning, item string, s market.Statement) bool {
	if strings.Contains(warning, item) {
		return true
	}
	for name := range s.Items {
		if strings.Contains(warning, name) {
			return false
		}
	}
	return true
}

// shareMismatch returns why a share count or per-share figure does not refer to the shares of the
// price, or "".
func (c Company) shareMismatch(s market.Statement, item market.Item) string {
	if why := c.securityProblem(); why != "" {
		return why
	}
	if why := splitWarning(s); why != "" {
		return why
	}
	for _, a := range c.actionsSince(s, item) {
		if a.Kind != market.ActionSplit {
			return fmt.Sprintf("a %s on %s (price ratio %s to %s) came after the statement", strings.ReplaceAll(string(a.Kind), "_", "-"), day(a.Date), a.New, a.Old)
		}
	}
	return ""
}

// sharesOutstanding returns the number of shares outstanding, as of the date they were counted.
func (k *calculator) sharesOutstanding() decimal.Decimal {
	c := k.company
	item, ok := c.ShareCount.Items[market.ItemSharesOutstanding]
	if !ok {
		return k.setMissing("%s was not found", market.ItemSharesOutstanding)
	}
	if c.Period.PeriodEnd.Sub(c.ShareCount.PeriodEnd) > maxCountAge {
		return k.setMissing("the latest share count is from %s", day(c.ShareCount.PeriodEnd))
	}
	if why := c.shareMismatch(c.ShareCount, item); why != "" {
		return k.setMissing("%s", why)
	}
	if why := c.countMismatch(item); why != "" {
		return k.setMissing("%s", why)
	}
	on := countDate(item, c.ShareCount.PeriodEnd)
	return k.use(termOf(item, market.ItemSharesOutstanding, day(on), on))
}

// countDate returns the date that a share count states in its inputs, because the cover of a report counts
// shares weeks after the period. Without one it returns the end of the period.
func countDate(item market.Item, end market.Date) market.Date {
	for _, in := range item.Inputs {
		if _, text, ok := strings.Cut(in, " on "); ok {
			if on, err := time.Parse(time.DateOnly, text); err == nil {
				return on
			}
		}
	}
	return end
}

// countMismatch checks a share count against net income and earnings per share. Covers of reports add up
// share classes whose prices may differ a thousandfold (Berkshire Hathaway), and some counts are in
// thousands. Buybacks and new shares change the count by much less than a factor of two within a year.
func (c Company) countMismatch(count market.Item) string {
	implied, known := c.impliedShares()
	if !known {
		if (market.Provenance{Flags: count.Flags}).Has(market.FlagSuspect) {
			return "shares outstanding are doubtful (several share classes or another scale) and cannot be checked"
		}
		return ""
	}
	if times := count.Value.DivRound(implied, quotientDigits); times.GreaterThan(decimal.NewFromInt(2)) || times.LessThan(decimal.New(5, -1)) {
		return fmt.Sprintf("shares outstanding of %s do not match the %s implied by net income and earnings per share: several share classes or another scale", count.Value, implied.Round(0))
	}
	return ""
}

// impliedShares returns net income divided by earnings per share, from the newest statement that has both
// for today's shares. Earnings below five cents are skipped, because they are too coarse.
func (c Company) impliedShares() (decimal.Decimal, bool) {
	coarse := decimal.New(5, -2)
	for _, s := range append([]market.Statement{c.Period}, c.Years...) {
		income, ok := s.Items[market.ItemNetIncome]
		eps, both := s.Items[market.ItemDilutedEPS]
		if !ok || !both || eps.Value.Abs().LessThan(coarse) || c.shareMismatch(s, eps) != "" {
			continue
		}
		if implied := income.Value.DivRound(eps.Value, quotientDigits); implied.IsPositive() {
			return implied, true
		}
	}
	return decimal.Zero, false
}
