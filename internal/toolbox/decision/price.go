package decision

import (
	"cmp"
	"context"
	"errors"
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

// looked is an asset with its price of a day.
type looked struct {
	journal.Mark
	remarks []string // why its price is not kept
	// scaled tells that its source has that price on the scale of later alone.
	scaled bool
}

// marked is what text names with its price of the day at which then stands. A price
// that cannot be of that day is left out, and the remark says why.
func marked(ctx context.Context, then question.Newest, text string) (looked, error) {
	var sym market.Symbol
	q, err := question.LookUp(ctx, then.Directory, text, func(s market.Symbol) (market.Quote, error) {
		sym = s
		return then.Price(ctx, s)
	})
	m := looked{Mark: journal.Mark{Symbol: sym}}
	if errors.Is(err, question.ErrScale) {
		m.scaled, m.remarks = true, []string{fmt.Sprintf("%s: there is no price of the market: %v", sym, err)}
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.Symbol = q.Symbol
	asOf := then.DayOf(q.Provenance.AsOf)
	without := func(why string) (looked, error) {
		m.remarks = []string{fmt.Sprintf("%s: its price is not kept, because %s", m.Symbol, why)}
		return m, nil
	}
	switch {
	case q.Provenance.Has(market.FlagSample):
		return without("it is of the embedded sample and not of the market")
	case then.Today().Sub(asOf) > oldestPrice:
		return without("the newest is of " + present.Dated(asOf))
	case !q.Price.IsPositive():
		return without("it is not above zero")
	}
	m.Price, m.Currency, m.AsOf, m.Source = decimal.NewNullDecimal(q.Price), q.Provenance.Currency, asOf, q.Provenance.Source
	if then.Replay {
		m.Source += ", looked up later"
	}
	return m, nil
}

// listedIn is the currency of a symbol's closes, "" where there are none: it is the same
// on whichever scale they are.
func listedIn(ctx context.Context, then question.Newest, sym market.Symbol) string {
	sp, err := question.ParseSpan("", present.Dated(then.Today().AddDate(0, 0, -aMargin)), "", "")
	if err != nil {
		return ""
	}
	series, _, err := then.HistoryOf(ctx, sym, sp)
	if err != nil || series.Provenance.Has(market.FlagSample) {
		return ""
	}
	return series.Provenance.Currency
}

// stated is m with the price that the user names. Its currency is that of the market
// unless they name another. The market's is compared with it where that is known as it
// was paid: a close on the scale of later splits is no price of then.
func (in decisionInput) stated(ctx context.Context, then question.Newest, m looked, day market.Date) (looked, error) {
	price, err := question.Exact("price", in.price)
	if err != nil {
		return m, act.Invalid(err)
	}
	code, err := question.Currency(in.Currency)
	if err != nil {
		return m, act.Invalid(err)
	}
	quoted := m.Currency
	if m.scaled {
		quoted = listedIn(ctx, then, m.Symbol)
	}
	if code = cmp.Or(code, quoted); code == "" && !m.Price.Valid {
		return m, act.Invalidf("currency of the price of %s: it is not known from the market; give it", m.Symbol)
	}
	var remarks []string
	switch {
	case m.scaled:
		remarks = m.remarks // it is why nothing is compared
	case m.Price.Valid && code == m.Currency:
		off := price.DivRound(m.Price.Decimal, 4).Sub(decimal.NewFromInt(1)).Shift(2)
		if off.Abs().GreaterThan(farOff()) {
			remarks = []string{fmt.Sprintf("%s: the price is %s %% off that of %s, %s %s", m.Symbol, present.Signed(off, 1), m.Source, m.Price.Decimal, m.Currency)}
		}
	}
	return looked{Mark: journal.Mark{Symbol: m.Symbol, Price: decimal.NewNullDecimal(price), Currency: code, AsOf: day, Source: statedPrice}, remarks: remarks}, nil
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
		return nil, nil, act.Invalidf(`no benchmark: what could the money have done instead? It takes a symbol, such as that of a broad fund, or "none" for a decision that is never judged`)
	case strings.EqualFold(text, noBenchmark):
		return nil, []string{"without a benchmark: it will be neither right nor wrong"}, nil
	}
	m, err := marked(ctx, then, text)
	remarks := m.remarks
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
	return &m.Mark, remarks, nil
}
