package companies

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type keyRatiosInput struct {
	Symbol string   `json:"symbol" jsonschema:"One symbol such as AAPL."`
	Span   string   `json:"span,omitempty" jsonschema:"annual or ttm (last four quarters). Default: the later one."`
	Groups []string `json:"groups,omitempty" jsonschema:"profitability, strength, activity, growth, per_share or valuation."`
}

const keyRatiosDescription = `Margins, returns on capital, leverage, liquidity, growth and valuation ratios (P/E, EV/EBITDA) of one company. Use for "is X expensive"; for reported figures use financial_statements. State the dates of price and statements; never fill in absent ratios.`

const keyRatiosDetails = `The tool fetches statements and price itself. It computes margins, returns on equity, assets and invested capital, leverage, interest cover, liquidity, turnover days, growth over 1, 3 and 5 fiscal years, per-share figures, P/E, P/B, P/S, EV/EBITDA, free cash flow yield, dividend yield, payout and more. To compare companies, call it for each with the same span.
Ratios with unit % are in percent (26.92 is 26.92%), with unit x they are multiples. Each ratio has its formula and its inputs with their periods; a balance that is compared with a flow is the mean of beginning and end. absent lists ratios without a value and the reason: an input is not reported, or the result would mean nothing, such as the P/E of a loss. Growth is by fiscal year. Banks and insurers have no ratios of operating income, debt and enterprise value.
Valuation ratios are as old as the older of price and statements. Figures are not combined across a split, across currencies or for depositary receipts. A ratio means little alone: compare it with the company's past and its peers.`

const keyRatiosKeywords = `ratio ratios pe p/e pb ps margin margins roe roa roic valuation expensive cheap overvalued profitable leverage debt-to-equity liquidity solvency growth payout ev/ebitda multiple yield 市盈率 市净率 利润率 毛利率 估值 净资产收益率 负债率 增长率 比率 贵不贵 盈利能力`

var keyRatiosPhrasings = []string{
	"p/e ratio of <sym>",
	"is <sym> expensive at <num> times earnings",
	"gross and operating margin of <sym>",
	"how fast is <sym> growing its earnings",
	"is <sym> too deep in debt",
	"<sym>的市盈率是多少",
	"<sym>的毛利率和净资产收益率",
	"<sym>估值贵不贵",
}

// yearsNeeded and quartersNeeded are how many periods to load: growth over five years, and
// averages with the balance of the year before, need them.
const (
	yearsNeeded    = 7
	quartersNeeded = 6
)

// newKeyRatios is the tool that computes ratios.
func newKeyRatios(d FundamentalDeps) tool.Tool {
	return tool.New("key_ratios", keyRatiosDescription, tool.Reads, func(ctx context.Context, in keyRatiosInput) (tool.Result, error) {
		span, groups, err := in.parse()
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		known, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) (reportedStatements, error) {
			return d.allStatements(ctx, sym)
		})
		if err != nil {
			return toolkit.SourceErrorResult(fmt.Errorf("ratios of %s: %w", in.Symbol, err))
		}
		c, ok := fundamental.NewCompany(known.Statements, span)
		if !ok {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("no %s statements of %s were found; leave span out", span, in.Symbol)), nil
		}
		p, err := d.priceFor(ctx, c.Period)
		if err != nil {
			return tool.Result{}, err
		}
		c.Price, c.NoPriceReason = p.price, p.missing
		a := newRatiosAnswer(c, p, groups)
		a.Warnings = append(a.Warnings, known.warnings...)
		return a.result()
	}).WithDetails(keyRatiosDetails).Find("company", keyRatiosKeywords, keyRatiosPhrasings...)
}

func (in keyRatiosInput) parse() (market.Span, []fundamental.Group, error) {
	span := market.Span(strings.ToLower(strings.TrimSpace(in.Span)))
	if span != "" && span != market.SpanAnnual && span != market.SpanTrailing {
		return "", nil, fmt.Errorf("span %.30q: it is annual or ttm", in.Span)
	}
	var groups []fundamental.Group
	for _, name := range in.Groups {
		group := fundamental.Group(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_"))
		if !slices.Contains(fundamental.Groups(), group) {
			return "", nil, fmt.Errorf("group %.30q: there are %v", name, fundamental.Groups())
		}
		groups = append(groups, group)
	}
	if len(groups) == 0 {
		groups = fundamental.Groups()
	}
	return span, groups, nil
}

// reportedStatements is what a company filed, and why something of it may be missing.
type reportedStatements struct {
	fundamental.Statements
	warnings []string
}

// allStatements asks for all spans at one time. Years are enough; where the rest
// could not be had for another reason than that there is none, it is said.
func (d FundamentalDeps) allStatements(ctx context.Context, sym market.Symbol) (reportedStatements, error) {
	var out reportedStatements
	requests := []struct {
		span  market.Span
		limit int
		into  *[]market.Statement
	}{{market.SpanAnnual, yearsNeeded, &out.Annual}, {market.SpanQuarterly, quartersNeeded, &out.Quarterly}, {market.SpanTrailing, quartersNeeded, &out.Trailing}}
	causes := make([]error, len(requests))
	var asking crash.WaitGroup
	for i, w := range requests {
		asking.Go(func() { *w.into, causes[i] = d.knownStatements(ctx, sym, w.span, w.limit) })
	}
	asking.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if years := causes[0]; years != nil && (!errors.Is(years, market.ErrNoData) || len(out.Trailing) == 0) {
		return out, years
	}
	for i, err := range causes {
		if err != nil && !errors.Is(err, market.ErrNoData) {
			out.warnings = append(out.warnings, fmt.Sprintf("the %s statements could not be had, so the newest figures may be missing: %v", requests[i].span, err))
		}
	}
	return out, nil
}
