package massive

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshActions = 24 * time.Hour
	// adjustedDigits is more decimals than any dividend has.
	adjustedDigits = 12
)

// actions returns the dividends and splits of sym in r, oldest first. Dividends are adjusted for later splits
// like the bars are: for splits up to today, not only to the end of r, but not for announced ones. The result
// is nil if they are unknown.
func (s *Source) actions(ctx context.Context, sym market.Symbol, r market.Range) ([]market.Action, error) {
	op, since := "dividends and splits of "+string(sym), r.From.Format(time.DateOnly)
	splits, _, err := get(ctx, s, sym, client.Request{Op: op, URL: "/v3/reference/splits", Fresh: freshActions},
		url.Values{"ticker": {string(sym)}, "execution_date.gte": {since}, "limit": {"1000"}}, parserOf(sym, splitRow.action))
	if err != nil {
		return nil, err
	}
	dividends, _, err := get(ctx, s, sym, client.Request{Op: op, URL: "/v3/reference/dividends", Fresh: freshActions},
		url.Values{"ticker": {string(sym)}, "ex_dividend_date.gte": {since}, "limit": {"1000"}}, parserOf(sym, dividendRow.action))
	if err != nil {
		return nil, err
	}
	today := client.SessionDate(s.client.Now(), client.NewYork())
	splits = slices.DeleteFunc(splits, func(split market.Action) bool { return split.Date.After(today) })
	all := append([]market.Action{}, splits...) // an empty list, unlike nil, means that there were none
	for _, d := range dividends {
		for _, later := range splits {
			if later.Date.After(d.Date) {
				d.Amount = d.Amount.Mul(later.Old).DivRound(later.New, adjustedDigits)
			}
		}
		all = append(all, d)
	}
	all = slices.DeleteFunc(all, func(a market.Action) bool { return !r.Contains(a.Date) })
	slices.SortStableFunc(all, func(a, b market.Action) int { return a.Date.Compare(b.Date) })
	return all, nil
}

type splitRow struct {
	Ticker string
	Date   string                `json:"execution_date"`
	From   client.LenientDecimal `json:"split_from"`
	To     client.LenientDecimal `json:"split_to"`
}

func (r splitRow) action() (string, market.Action, bool) {
	day, err := time.Parse(time.DateOnly, r.Date)
	a := market.Action{Kind: market.ActionSplit, Date: day, New: r.To.Decimal, Old: r.From.Decimal}
	return r.Ticker, a, err == nil && r.From.Price().Valid && r.To.Price().Valid
}

type dividendRow struct {
	Ticker   string
	Date     string                `json:"ex_dividend_date"`
	Paid     string                `json:"pay_date"`
	Amount   client.LenientDecimal `json:"cash_amount"`
	Currency string
}

// action returns the symbol and the dividend. It reports false for a dividend in another currency than the
// prices, because the exchange rate of its day is unknown.
func (r dividendRow) action() (string, market.Action, bool) {
	day, err := time.Parse(time.DateOnly, r.Date)
	paid, _ := time.Parse(time.DateOnly, r.Paid) // zero if unknown
	a := market.Action{Kind: market.ActionDividend, Date: day, Amount: r.Amount.Decimal, Paid: paid}
	return r.Ticker, a, err == nil && r.Amount.Price().Valid && (r.Currency == "" || r.Currency == "USD")
}

// parserOf returns a parser of rows about sym. An invalid row makes the whole response invalid, because
// without it total returns would be silently wrong.
func parserOf[Row any](sym market.Symbol, action func(Row) (string, market.Action, bool)) func([]byte) ([]market.Action, error) {
	return func(body []byte) ([]market.Action, error) {
		var answer struct {
			Results []Row
			NextURL string `json:"next_url"`
		}
		if err := decode(body, &answer); err != nil {
			return nil, err
		}
		if answer.NextURL != "" {
			return nil, client.Malformedf("incomplete list")
		}
		var out []market.Action
		for _, r := range answer.Results {
			ticker, a, ok := action(r)
			if ticker != string(sym) {
				return nil, client.Malformedf("response is for %.20q instead of %s", ticker, sym)
			}
			if !ok {
				return nil, client.Malformedf("invalid entry")
			}
			out = append(out, a)
		}
		return out, nil
	}
}
