package advice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	noBenchmark = "none"
	// maxMarkAge is how old a price may be to stand for the day of a decision.
	maxMarkAge  = 14 * 24 * time.Hour
	statedPrice = "the user"
)

// planRecord makes a decision ready to be kept, with the prices of its day.
func (j *journalTool) planRecord(ctx context.Context, in decisionInput) toolkit.MutationPlan {
	if err := toolkit.CheckWritable(j.Prices); err != nil {
		return toolkit.RefusedPlan(err)
	}
	if err := in.checkRecord(); err != nil {
		return toolkit.RefusedPlan(err)
	}
	d, err := in.decision(j.Today())
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	prices := j.At(d.Date)
	var remarks toolkit.Notes
	for i, text := range toolkit.ParseSymbols(in.Symbols, in.Symbol) {
		mark, err := priceMark(ctx, prices, text)
		if err == nil && i == 0 && in.Price != "" {
			mark, err = in.applyStatedPrice(ctx, prices, mark, d.Date)
		}
		if err != nil {
			return toolkit.RefusedPlan(err)
		}
		d.Assets, remarks = append(d.Assets, mark.PricedAsset), append(remarks, mark.notes...)
	}
	against, remark, err := j.benchmarkMark(ctx, prices, in, d)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	d.Benchmark, remarks = against, append(remarks, remark...)
	if d.ID, err = j.NewID(); err != nil {
		return toolkit.RefusedPlan(fmt.Errorf("naming the decision: %w", err))
	}
	if err := d.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	plan := recordPlan(d)
	for _, remark := range remarks {
		plan = append(plan, remark.Text)
	}
	return toolkit.MutationPlan{
		Changes: plan, ApprovalKey: "record",
		Run: func(ctx context.Context) (tool.Result, error) { return j.saveDecision(ctx, d, remarks) },
	}
}

// checkRecord asks for what a decision is nothing without.
func (in decisionInput) checkRecord() error {
	switch {
	case len(toolkit.ParseSymbols(in.Symbols, in.Symbol)) == 0:
		return toolkit.InvalidArgsf("no symbol: say what the decision is about")
	case !slices.Contains(investor.DecisionActions(), investor.DecisionAction(in.Decision)):
		return toolkit.InvalidArgsf("decision %.40q: give buy, sell, hold, avoid or other", in.Decision)
	case strings.TrimSpace(in.Thesis) == "":
		return toolkit.InvalidArgsf("no thesis: why it was decided, in the words of who decided")
	case strings.TrimSpace(in.Disproof) == "":
		return toolkit.InvalidArgsf(`no disproof: "what would disprove it?", in the words of who decided`)
	case in.Currency != "" && in.Price == "":
		return toolkit.InvalidArgsf("currency is that of price, and none is given")
	}
	return nil
}

// decision is what a call says by itself.
func (in decisionInput) decision(today market.Date) (investor.Decision, error) {
	d := investor.Decision{Date: today, Action: investor.DecisionAction(in.Decision), Thesis: strings.TrimSpace(in.Thesis), Invalidation: strings.TrimSpace(in.Disproof)}
	var err error
	if in.Date != "" {
		if d.Date, err = toolkit.ParseDay("date", in.Date); err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		if d.Date.After(today) {
			return d, toolkit.InvalidArgsf("date %s is still to come", toolkit.FormatDate(d.Date))
		}
	}
	if in.ReviewOn != "" {
		if d.ReviewOn, err = toolkit.ParseDay("review_on", in.ReviewOn); err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		if !d.ReviewOn.After(today) {
			return d, toolkit.InvalidArgsf("review_on %s is not after today, %s", toolkit.FormatDate(d.ReviewOn), toolkit.FormatDate(today))
		}
	}
	if in.Confidence != nil {
		sure, err := toolkit.ParseExact("confidence", *in.Confidence)
		if err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		d.Confidence = decimal.NewNullDecimal(sure)
	}
	return d, nil
}

// recordPlan says what would be written.
func recordPlan(d investor.Decision) []string {
	plan := []string{fmt.Sprintf("records the decision of %s: %s %s", toolkit.FormatDate(d.Date), d.Action, joinSymbols(d))}
	for _, m := range d.Assets {
		plan = append(plan, "  price: "+markText(m))
	}
	if d.Benchmark != nil {
		plan = append(plan, "  benchmark: "+markText(*d.Benchmark))
	}
	plan = append(plan, "  thesis: "+collapseSpace(d.Thesis), "  disproof: "+collapseSpace(d.Invalidation))
	if d.Confidence.Valid {
		plan = append(plan, "  confidence: "+toolkit.Format(d.Confidence, toolkit.Percent, ""))
	}
	if !d.ReviewOn.IsZero() {
		plan = append(plan, "  review on "+toolkit.FormatDate(d.ReviewOn))
	}
	return plan
}

func markText(m investor.PricedAsset) string {
	if !m.Price.Valid {
		return fmt.Sprintf("%s, price unknown", m.Symbol)
	}
	return fmt.Sprintf("%s %s %s, %s, %s", m.Symbol, toolkit.Format(m.Price, toolkit.Exact, ""), currencyOr(m.Currency), toolkit.FormatDate(m.AsOf), m.Source)
}

func currencyOr(code string) string {
	if code == "" {
		return "points"
	}
	return code
}

// collapseSpace is all of a text on one line: what is approved is seen whole.
func collapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// saveDecision writes the decision that the user saw.
func (j *journalTool) saveDecision(ctx context.Context, d investor.Decision, remarks toolkit.Notes) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return tool.Result{}, fmt.Errorf("loading the journal: %w", err)
	}
	if slices.ContainsFunc(all, func(o investor.Decision) bool { return o.ID == d.ID }) {
		return tool.Result{}, fmt.Errorf("recording the decision: the id %s is taken", d.ID)
	}
	if err := j.Journal.PutDecision(ctx, d); err != nil {
		return tool.Result{}, fmt.Errorf("recording the decision: %w", err)
	}
	return j.listResult([]investor.Decision{d}, listOptions{full: true, title: "decision recorded", remarks: remarks}), nil
}

// pricedMark is an asset with its price of a day.
type pricedMark struct {
	investor.PricedAsset
	notes toolkit.Notes // why its price is not saved
	// adjusted tells that its source has that price on the scale of later alone.
	adjusted bool
}

// priceMark is what text names with its price of the day at which then stands. A price
// that cannot be of that day is left out, and the remark says why.
func priceMark(ctx context.Context, prices toolkit.LatestPrices, text string) (pricedMark, error) {
	var sym market.Symbol
	q, err := toolkit.LookUp(ctx, prices.Directory, text, func(s market.Symbol) (market.Quote, error) {
		sym = s
		return prices.Price(ctx, s)
	})
	m := pricedMark{PricedAsset: investor.PricedAsset{Symbol: sym}}
	if errors.Is(err, toolkit.ErrUnknownScale) {
		m.adjusted = true
		m.notes.Warn("no_market_price", "%s: there is no market price of that day: %v", sym, err)
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.Symbol = q.Symbol
	asOf := prices.DayOf(q.Provenance.AsOf)
	unpriced := func(why string) (pricedMark, error) {
		m.notes.Warn("price_not_saved", "%s: its price is not saved, because %s", m.Symbol, why)
		return m, nil
	}
	switch {
	case q.Provenance.Has(market.FlagSample):
		return unpriced("it is sample data")
	case prices.Today().Sub(asOf) > maxMarkAge:
		return unpriced("the latest one is from " + toolkit.FormatDate(asOf))
	case !q.Price.IsPositive():
		return unpriced("it is not above zero")
	}
	m.Price, m.Currency, m.AsOf, m.Source = decimal.NewNullDecimal(q.Price), q.Provenance.Currency, asOf, q.Provenance.Source
	if prices.Replay {
		m.Source += ", looked up later"
	}
	return m, nil
}

// tradingCurrency is the currency of a symbol's closes, "" where there are none: it is the same
// on whichever scale they are.
func tradingCurrency(ctx context.Context, prices toolkit.LatestPrices, sym market.Symbol) string {
	sp, err := toolkit.ParsePeriod("", toolkit.FormatDate(prices.Today().AddDate(0, 0, -lookbackDays)), "", "")
	if err != nil {
		return ""
	}
	series, _, err := prices.HistoryOfSymbol(ctx, sym, sp)
	if err != nil || series.Provenance.Has(market.FlagSample) {
		return ""
	}
	return series.Provenance.Currency
}

// applyStatedPrice is m with the price that the user names. Its currency is that of the market
// unless they name another. The market's is compared with it where that is known as it
// was paid: a close on the scale of later splits is no price of then.
func (in decisionInput) applyStatedPrice(ctx context.Context, prices toolkit.LatestPrices, m pricedMark, day market.Date) (pricedMark, error) {
	price, err := toolkit.ParseExact("price", in.Price)
	if err != nil {
		return m, toolkit.InvalidArgs(err)
	}
	code, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return m, toolkit.InvalidArgs(err)
	}
	quoted := m.Currency
	if m.adjusted {
		quoted = tradingCurrency(ctx, prices, m.Symbol)
	}
	if code = cmp.Or(code, quoted); code == "" && !m.Price.Valid {
		return m, toolkit.InvalidArgsf("currency of the price of %s: it is not known from the market; give it", m.Symbol)
	}
	var remarks toolkit.Notes
	switch {
	case m.adjusted:
		remarks = m.notes // it is why nothing is compared
	case m.Price.Valid && code == m.Currency:
		deviation := price.DivRound(m.Price.Decimal, 4).Sub(decimal.NewFromInt(1))
		if deviation.Abs().GreaterThan(maxPriceDeviation()) {
			remarks.Warn("price_deviation", "%s: your price differs by %s from %s of %s", m.Symbol, toolkit.Format(deviation, toolkit.Change, ""), toolkit.Format(m.Price.Decimal, toolkit.Price, m.Currency), m.Source)
		}
	}
	return pricedMark{PricedAsset: investor.PricedAsset{Symbol: m.Symbol, Price: decimal.NewNullDecimal(price), Currency: code, AsOf: day, Source: statedPrice}, notes: remarks}, nil
}

// maxPriceDeviation is how far a stated price may be from the market before it looks like a mistake.
func maxPriceDeviation() decimal.Decimal { return decimal.New(2, -1) }

// benchmarkMark is what the decision is held against: what the call names, else the
// user's setting. Where there is neither, it is asked for.
func (j *journalTool) benchmarkMark(ctx context.Context, prices toolkit.LatestPrices, in decisionInput, d investor.Decision) (*investor.PricedAsset, toolkit.Notes, error) {
	text := strings.TrimSpace(in.Benchmark)
	if text == "" {
		text = j.Benchmark
	}
	switch {
	case text == "":
		return nil, nil, toolkit.InvalidArgsf(`no benchmark: what could the money have done instead? It takes a symbol, such as that of a broad fund, or "none" for a decision that is never judged`)
	case strings.EqualFold(text, noBenchmark):
		var remarks toolkit.Notes
		remarks.Warn("no_benchmark", "no benchmark: the review will call the decision neither right nor wrong")
		return nil, remarks, nil
	}
	m, err := priceMark(ctx, prices, text)
	remarks := m.notes
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("benchmark: %w", err)
	case slices.ContainsFunc(d.Assets, func(o investor.PricedAsset) bool { return o.Symbol == m.Symbol }):
		return nil, nil, toolkit.InvalidArgsf("the benchmark %s is what the decision is about; name another", m.Symbol)
	}
	for _, o := range d.Assets {
		if o.Price.Valid && m.Price.Valid && o.Currency != m.Currency {
			remarks.Warn("currencies_differ", "%s is in %s and the benchmark %s in %s: the review cannot compare them", o.Symbol, currencyOr(o.Currency), m.Symbol, currencyOr(m.Currency))
		}
	}
	return &m.PricedAsset, remarks, nil
}
