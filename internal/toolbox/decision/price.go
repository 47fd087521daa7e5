package decision

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// marked is what text names with its price of the day at which then stands. A price
// that cannot be of that day is left out, and the remark says why.
func marked(ctx context.Context, then question.Newest, text string) (journal.Mark, []string, error) {
	q, err := then.Find(ctx, text)
	if err != nil {
		return journal.Mark{}, nil, err
	}
	m := journal.Mark{Symbol: q.Symbol}
	asOf := then.DayOf(q.Provenance.AsOf)
	switch {
	case q.Provenance.Has(market.FlagSample):
		return m, []string{fmt.Sprintf("%s: its price is not kept, because it is of the embedded sample and not of the market", m.Symbol)}, nil
	case then.Today().Sub(asOf) > oldestPrice:
		return m, []string{fmt.Sprintf("%s: its price is not kept, because the newest is of %s", m.Symbol, present.Dated(asOf))}, nil
	case !q.Price.IsPositive():
		return m, []string{fmt.Sprintf("%s: its price is not kept, because it is not above zero", m.Symbol)}, nil
	}
	m.Price, m.Currency, m.AsOf, m.Source = decimal.NewNullDecimal(q.Price), q.Provenance.Currency, asOf, q.Provenance.Source
	if then.Replay {
		m.Source += ", looked up later"
	}
	return m, nil, nil
}

// stated is a mark with the price that the user names. Its currency is that of the
// market unless they name another.
func (in decisionInput) stated(m journal.Mark, day market.Date) (journal.Mark, []string, error) {
	price, err := question.Exact("price", in.price)
	if err != nil {
		return m, nil, act.Invalid(err)
	}
	code, err := question.Currency(in.Currency)
	switch {
	case err != nil:
		return m, nil, act.Invalid(err)
	case code == "" && !m.Price.Valid:
		return m, nil, act.Invalidf("currency of the price of %s: it is not known from the market; give it", m.Symbol)
	case code == "":
		code = m.Currency
	}
	var remarks []string
	if m.Price.Valid && code == m.Currency {
		off := price.DivRound(m.Price.Decimal, 4).Sub(decimal.NewFromInt(1)).Shift(2)
		if off.Abs().GreaterThan(farOff()) {
			remarks = []string{fmt.Sprintf("%s: the price is %s %% off that of %s, %s %s", m.Symbol, present.Signed(off, 1), m.Source, m.Price.Decimal, m.Currency)}
		}
	}
	return journal.Mark{Symbol: m.Symbol, Price: decimal.NewNullDecimal(price), Currency: code, AsOf: day, Source: statedPrice}, remarks, nil
}

// farOff is from how many per cent on a price of the user's own looks like a mistake.
func farOff() decimal.Decimal { return decimal.NewFromInt(20) }

// benchmark is what the decision is held against: what the call names, else the
// user's setting. Where there is neither, it is asked for.
func (j *decisions) benchmark(ctx context.Context, then question.Newest, in decisionInput, d journal.Decision) (*journal.Mark, []string, error) {
	text := strings.TrimSpace(in.Benchmark)
	if text == "" {
		text = j.Benchmark
	}
	switch {
	case text == "":
		return nil, nil, act.Invalidf(`no benchmark: ask the user what the money could have done instead, such as a broad fund that they know, and give its symbol; or "none" for a decision that is never judged`)
	case strings.EqualFold(text, noBenchmark):
		return nil, []string{"without a benchmark: it will be neither right nor wrong"}, nil
	}
	m, remarks, err := marked(ctx, then, text)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("benchmark: %w", err)
	case slices.ContainsFunc(d.Marks, func(o journal.Mark) bool { return o.Symbol == m.Symbol }):
		return nil, nil, act.Invalidf("the benchmark %s is what the decision is about; name another", m.Symbol)
	}
	for _, o := range d.Marks {
		if o.Price.Valid && m.Price.Valid && o.Currency != m.Currency {
			remarks = append(remarks, fmt.Sprintf("%s is in %s and the benchmark %s in %s: the review cannot compare them", o.Symbol, currencyOr(o.Currency), m.Symbol, currencyOr(m.Currency)))
		}
	}
	return &m, remarks, nil
}
