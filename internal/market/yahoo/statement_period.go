package yahoo

import (
	"slices"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// completeStatement labels a statement once its items are known: template, fiscal period,
// currency and what a reader must know.
func completeStatement(st *market.Statement, yearEnd market.Date, answer client.Response) {
	st.Template = templateOf(st.Items)
	if st.Template == market.TemplateGeneral {
		for _, item := range bankItems() {
			delete(st.Items, item)
		}
	}
	st.FiscalYear, st.FiscalPeriod = st.PeriodEnd.Year(), "FY"
	st.Warnings = append(st.Warnings, "Yahoo dates periods by the end of a month; the company's own day may differ by some.")
	switch st.Span {
	case market.SpanTrailing:
		st.FiscalPeriod = "TTM"
	case market.SpanQuarterly:
		st.FiscalYear, st.FiscalPeriod = fiscalQuarter(st.PeriodEnd, yearEnd)
	}
	st.Warnings = append(st.Warnings, "The fiscal year is named for the year in which it ends; the company may name it otherwise.")
	st.PeriodStart = periodStart(st.Span, st.PeriodEnd)
	p := newProvenance("fundamentals-timeseries", answer)
	p.AsOf, p.Adjustment, p.Unit = st.PeriodEnd, market.AdjustmentUnknown, "units"
	var mixed bool
	p.Currency, mixed = mainCurrency(st.Items)
	if mixed {
		st.Warnings = append(st.Warnings, "Figures are in more than one currency: see the unit of each.")
	}
	st.Provenance = p
}

// periodStart is the first day of a period of whole months.
func periodStart(span market.Span, end market.Date) market.Date {
	months := 12
	if span == market.SpanQuarterly {
		months = 3
	}
	return time.Date(end.Year(), end.Month()+1-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}

// templateOf tells banks and insurers by the lines that only they have.
func templateOf(items map[string]market.Item) market.Template {
	reported := func(item string) bool { _, ok := items[item]; return ok }
	switch {
	case reported(market.ItemPremiumsEarned):
		return market.TemplateInsurer
	case reported(market.ItemDeposits) || reported(market.ItemNonInterestIncome) && reported(market.ItemNetInterestIncome):
		return market.TemplateBank
	}
	return market.TemplateGeneral
}

// fiscalQuarter names a quarter by the month in which the company's year ends; without
// that month the quarter has no name, and the year is the calendar's.
func fiscalQuarter(end, yearEnd market.Date) (year int, period string) {
	if yearEnd.IsZero() {
		return end.Year(), ""
	}
	after := (int(end.Month()) - int(yearEnd.Month()) + 12) % 12
	year = end.Year()
	if end.Month() > yearEnd.Month() {
		year++
	}
	if after%3 != 0 {
		return year, ""
	}
	if after == 0 {
		return year, "Q4"
	}
	return year, "Q" + strconv.Itoa(after/3)
}

// mainCurrency is that of most items, and whether there are others.
func mainCurrency(items map[string]market.Item) (most string, mixed bool) {
	counts := make(map[string]int)
	for _, item := range items {
		if item.Unit != unitShares && len(item.Unit) == 3 {
			counts[item.Unit]++
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if counts[name] > counts[most] {
			most = name
		}
	}
	return most, len(names) > 1
}
