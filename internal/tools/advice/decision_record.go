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
	// maxMarkAge is the maximum age of a price used for the day of a decision.
	maxMarkAge  = 14 * 24 * time.Hour
	statedPrice = "the user"
	// maxPriceDeviation is the fraction by which a stated price may differ from the market before
	// it looks like a mistake.
	maxPriceDeviation = 0.2
)

// planRecord prepares saving a decision, with the prices of its day.
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
		return toolkit.RefusedPlan(fmt.Errorf("create decision id: %w", err))
	}
	if err := d.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	plan := recordPlan(d)
	for _, remark := range remarks {
		plan = append(plan, remark.Text)
	}
	rules := j.Alerts.breakPoints(ctx, d)
	for _, text := range rules {
		plan = append(plan, "adds the alert rule: "+text)
	}
	return toolkit.MutationPlan{
		Changes: plan, ApprovalKey: "record",
		Run: func(ctx context.Context) (tool.Result, error) {
			saved, err := j.saveDecision(ctx, d, remarks)
			if err != nil {
				return saved, err
			}
			return saved, j.Alerts.addMissing(ctx, rules)
		},
	}
}

// checkRecord returns an error if a required field is missing.
func (in decisionInput) checkRecord() error {
	switch {
	case len(toolkit.ParseSymbols(in.Symbols, in.Symbol)) == 0:
		return toolkit.InvalidArgsf("symbol is required: the security that the decision is about")
	case !slices.Contains(investor.DecisionActions(), investor.DecisionAction(in.Decision)):
		return toolkit.InvalidArgsf("unknown decision %.40q; use buy, sell, hold, avoid or other", in.Decision)
	case strings.TrimSpace(in.Thesis) == "":
		return toolkit.InvalidArgsf("thesis is required: the reason, in the user's own words")
	case strings.TrimSpace(in.Disproof) == "":
		return toolkit.InvalidArgsf(`disproof is required: what would prove the decision wrong, in the user's own words`)
	case in.Currency != "" && in.Price == "":
		return toolkit.InvalidArgsf("currency requires price")
	}
	return nil
}

// decision converts the arguments, without prices.
func (in decisionInput) decision(today market.Date) (investor.Decision, error) {
	d := investor.Decision{Date: today, Action: investor.DecisionAction(in.Decision), Thesis: strings.TrimSpace(in.Thesis), Invalidation: strings.TrimSpace(in.Disproof)}
	var err error
	if in.Date != "" {
		if d.Date, err = toolkit.ParseDay("date", in.Date); err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		if d.Date.After(today) {
			return d, toolkit.InvalidArgsf("date %s is in the future", toolkit.FormatDate(d.Date))
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

// recordPlan describes what will be saved.
func recordPlan(d investor.Decision) []string {
	plan := []string{fmt.Sprintf("records a decision dated %s: %s %s", toolkit.FormatDate(d.Date), d.Action, joinSymbols(d))}
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

// currencyOr returns the unit of a price. Without a currency it is the price of an index.
func currencyOr(code string) string {
	if code == "" {
		return "points"
	}
	return code
}

// collapseSpace puts a text on one line, so that the user sees all of it before approving.
func collapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// saveDecision saves the previewed decision.
func (j *journalTool) saveDecision(ctx context.Context, d investor.Decision, remarks toolkit.Notes) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return tool.Result{}, fmt.Errorf("load journal: %w", err)
	}
	if slices.ContainsFunc(all, func(o investor.Decision) bool { return o.ID == d.ID }) {
		return tool.Result{}, fmt.Errorf("record decision: id %s already exists", d.ID)
	}
	if err := j.Journal.PutDecision(ctx, d); err != nil {
		return tool.Result{}, fmt.Errorf("record decision: %w", err)
	}
	return j.listResult([]investor.Decision{d}, listOptions{full: true, title: "decision recorded", remarks: remarks}), nil
}

// pricedMark is an asset with its price on the day of a decision.
type pricedMark struct {
	investor.PricedAsset
	notes toolkit.Notes // why its price is not saved
	// adjusted is true if the source has that price only adjusted for later splits.
	adjusted bool
}

// priceMark returns the asset that text names, with its price as of the clock. A price that is too old is
// omitted, and a note says so.
func priceMark(ctx context.Context, prices toolkit.LatestPrices, text string) (pricedMark, error) {
	var sym market.Symbol
	q, err := toolkit.LookUp(ctx, prices.Directory, text, func(s market.Symbol) (market.Quote, error) {
		sym = s
		return prices.Price(ctx, s)
	})
	m := pricedMark{PricedAsset: investor.PricedAsset{Symbol: sym}}
	if errors.Is(err, toolkit.ErrUnknownScale) {
		m.adjusted = true
		m.notes.Warn("no_market_price", "%s: no market price for that day: %v", sym, err)
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.Symbol = q.Symbol
	asOf := prices.DayOf(q.Provenance.AsOf)
	unpriced := func(why string) (pricedMark, error) {
		m.notes.Warn("price_not_saved", "%s: price not saved, because %s", m.Symbol, why)
		return m, nil
	}
	switch {
	case q.Provenance.Has(market.FlagSample):
		return unpriced("it is sample data")
	case prices.Today().Sub(asOf) > maxMarkAge:
		return unpriced("the latest price is from " + toolkit.FormatDate(asOf))
	case !q.Price.IsPositive():
		return unpriced("the price is zero or negative")
	}
	m.Price, m.Currency, m.AsOf, m.Source = decimal.NewNullDecimal(q.Price), q.Provenance.Currency, asOf, q.Provenance.Source
	if prices.Replay {
		m.Source += ", looked up later"
	}
	return m, nil
}

// tradingCurrency returns the currency of a symbol's closes, "" if there are none. It does not
// depend on adjustments.
func tradingCurrency(ctx context.Context, prices toolkit.LatestPrices, sym market.Symbol) string {
	series, _, err := prices.HistoryOfSymbol(ctx, sym, toolkit.Since(prices.Today().AddDate(0, 0, -lookbackDays)))
	if err != nil || series.Provenance.Has(market.FlagSample) {
		return ""
	}
	return series.Provenance.Currency
}

// applyStatedPrice returns m with the price that the user gave, by default in the market's
// currency. It warns if the price differs much from the unadjusted market price; a close adjusted
// for later splits is not comparable.
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
		return m, toolkit.InvalidArgsf("the price currency of %s is unknown; set currency", m.Symbol)
	}
	var remarks toolkit.Notes
	switch {
	case m.adjusted:
		remarks = m.notes // these notes explain why nothing is compared
	case m.Price.Valid && code == m.Currency:
		deviation := price.DivRound(m.Price.Decimal, 4).Sub(decimal.NewFromInt(1))
		if deviation.Abs().GreaterThan(decimal.NewFromFloat(maxPriceDeviation)) {
			remarks.Warn("price_deviation", "%s: your price differs by %s from %s (%s)", m.Symbol, toolkit.Format(deviation, toolkit.Change, ""), toolkit.Format(m.Price.Decimal, toolkit.Price, m.Currency), m.Source)
		}
	}
	return pricedMark{PricedAsset: investor.PricedAsset{Symbol: m.Symbol, Price: decimal.NewNullDecimal(price), Currency: code, AsOf: day, Source: statedPrice}, notes: remarks}, nil
}

// benchmarkMark returns the benchmark of the call, else the user's default. If there is neither, it
// asks for one.
func (j *journalTool) benchmarkMark(ctx context.Context, prices toolkit.LatestPrices, in decisionInput, d investor.Decision) (*investor.PricedAsset, toolkit.Notes, error) {
	text := strings.TrimSpace(in.Benchmark)
	if text == "" {
		text = j.Benchmark
	}
	switch {
	case text == "":
		return nil, nil, toolkit.InvalidArgsf(`benchmark is required: the symbol of an alternative investment, such as a broad fund, or "none" to leave the decision unscored`)
	case strings.EqualFold(text, noBenchmark):
		var remarks toolkit.Notes
		remarks.Warn("no_benchmark", "No benchmark: reviews cannot judge this decision.")
		return nil, remarks, nil
	}
	m, err := priceMark(ctx, prices, text)
	remarks := m.notes
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("benchmark: %w", err)
	case slices.ContainsFunc(d.Assets, func(o investor.PricedAsset) bool { return o.Symbol == m.Symbol }):
		return nil, nil, toolkit.InvalidArgsf("the benchmark %s is also a symbol of the decision; choose another", m.Symbol)
	}
	for _, o := range d.Assets {
		if o.Price.Valid && m.Price.Valid && o.Currency != m.Currency {
			remarks.Warn("currencies_differ", "%s is in %s but the benchmark %s is in %s, so reviews cannot compare them", o.Symbol, currencyOr(o.Currency), m.Symbol, currencyOr(m.Currency))
		}
	}
	return &m.PricedAsset, remarks, nil
}
