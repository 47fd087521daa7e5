package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type performanceInput struct {
	Range     string   `json:"range,omitempty" arg:"explain" jsonschema:"Such as 1y or ytd. Default: 1, 3 and 5 years and since inception."`
	From      string   `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To        string   `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Default: today."`
	Accounts  []string `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Account   string   `json:"account,omitempty" arg:"unsent" jsonschema:"One account; instead of accounts."`
	Benchmark string   `json:"benchmark,omitempty" jsonschema:"Symbol such as VTI, or none. Default: the user's setting."`
	Currency  string   `json:"currency,omitempty" jsonschema:"Currency of all figures, such as USD. Default: the base currency."`
	Method    string   `json:"method,omitempty" arg:"rare" jsonschema:"time_weighted, money_weighted, modified_dietz, linked_modified_dietz"`
	Without   []string `json:"without,omitempty" arg:"rare" jsonschema:"Symbols to exclude, such as one without a price."`
}

const performanceDescription = `Return of the user's portfolio: time-weighted, money-weighted, by source and by position, with an optional benchmark. Use for "how did I do" or "did I beat the market". Name the method with each return; do not annualize periods under a year.`

const performanceDetails = `Without range, from and to, the result covers 1, 3 and 5 years and the time since inception.
Methods: the time-weighted return measures the investments, independent of deposits and withdrawals. The money-weighted return measures the user's own money, including the timing of deposits. Modified Dietz approximates it; linked Modified Dietz chains shorter periods. method selects one of them; the default is all.
Returns are in percent over the period. annual_pct is the annual rate, only for periods of a year or more.
gain = end - start - net_flow. Price, income, currency, fees and taxes add up to gain, and so do the contributions of the positions; in percent the contributions add up to the Modified Dietz return.
The period starts at the close of from; if from is a year, quarter (2024-Q1), month or the first day of one, it starts at the close before.
The benchmark invests the same money at the same times with dividends reinvested. It is hypothetical, before costs and taxes.
Symbols in without are excluded; money spent on them counts as withdrawn.
why gives the reason for a missing figure.`

const performanceKeywords = "performance return earned made profit gain beat benchmark market portfolio time-weighted money-weighted twr irr dietz contribution attribution fees inception annual 收益率 收益 回报 跑赢 大盘 业绩 盈亏 贡献"

var performancePhrasings = []string{
	"how much did my portfolio return this year",
	"did I beat <sym>",
	"my money-weighted return since I started",
	"which positions made or lost me the most",
	"how has my account done over <num> years",
	"我今年的收益率是多少",
	"我的账户跑赢<sym>了吗",
	"投资组合这几年赚了多少",
}

// PerformanceTools returns the tool that measures the portfolio.
func PerformanceTools(d Deps) []tool.Tool {
	return []tool.Tool{newPerformance(d)}
}

// newPerformance returns the tool that measures the portfolio.
func newPerformance(d Deps) tool.Tool {
	return tool.New("portfolio_performance", performanceDescription, tool.Reads, func(ctx context.Context, in performanceInput) (tool.Result, error) {
		a, err := d.measurePerformance(ctx, in)
		if err != nil {
			return d.ErrorResult(err)
		}
		return toolkit.Render(a), nil
	}).WithOutput(toolkit.OutputSchema[performanceAnswer]()).WithDetails(performanceDetails).Find("portfolio", performanceKeywords, performancePhrasings...)
}

const timeWeighted = "time_weighted"

// returnMethods lists the methods that a call may name.
func returnMethods() []string {
	return []string{timeWeighted, "money_weighted", "modified_dietz", "linked_modified_dietz"}
}

// performanceRequest is a call checked against the portfolio.
type performanceRequest struct {
	portfolio        Portfolio
	accounts         []string
	base, baseChosen string // baseChosen says why, if neither the call nor the settings name it
	method           string // "" for all methods
	span             toolkit.Period
	windows          bool // show the four standard windows instead of span
	to               market.Date
	without          []market.Symbol
	benchmark        string
	defaultBenchmark bool // benchmark is the user's setting, not named by this call
}

// noBenchmark in a call turns off the benchmark of the settings.
const noBenchmark = "none"

// benchmarkFor returns the benchmark of a call and whether it is the user's setting.
func (d Deps) benchmarkFor(requested string) (benchmark string, isDefault bool) {
	requested = strings.TrimSpace(requested)
	switch {
	case strings.EqualFold(requested, noBenchmark):
		return "", false
	case requested == "":
		return d.Benchmark, true
	}
	return requested, false
}

func (d Deps) parseRequest(ctx context.Context, in performanceInput) (performanceRequest, error) {
	m := performanceRequest{method: strings.TrimSpace(in.Method)}
	m.benchmark, m.defaultBenchmark = d.benchmarkFor(in.Benchmark)
	if m.method != "" && !slices.Contains(returnMethods(), m.method) {
		return m, fmt.Errorf("%w: method %.40q; use %s", ErrInvalidRequest, in.Method, strings.Join(returnMethods(), ", "))
	}
	currency, err := RequestedCurrency(in.Currency)
	if err != nil {
		return m, err
	}
	if m.span, err = toolkit.ParsePeriod(in.Range, in.From, in.To, ""); err != nil {
		return m, err
	}
	m.windows = in.Range == "" && in.From == "" && in.To == ""
	if m.portfolio, err = d.Load(ctx); err != nil {
		return m, err
	}
	m.to = m.portfolio.Day
	if !m.span.To.IsZero() && m.span.To.Before(m.to) {
		m.to = m.span.To
	}
	if m.accounts, err = m.portfolio.CheckAccounts(RequestedAccounts(in.Accounts, in.Account)); err != nil {
		return m, err
	}
	if m.base, m.baseChosen, err = d.baseOf(m.portfolio, currency, m.currencies()); err != nil {
		return m, err
	}
	return m, m.excludeSymbols(in.Without)
}

// excludeSymbols parses the symbols to exclude, which must occur in the portfolio.
func (m *performanceRequest) excludeSymbols(texts []string) error {
	held := m.symbols()
	for _, text := range texts {
		sym, err := market.ParseSymbol(text)
		if err != nil || !slices.Contains(held, sym) {
			return fmt.Errorf("%w: without %.40q: the portfolio never held it; choose from %s", ErrInvalidRequest, text, JoinSymbols(held))
		}
		m.without = append(m.without, sym)
	}
	return nil
}

// inScope iterates over the postings of the requested accounts up to the last day.
func (m *performanceRequest) inScope(yield func(portfolio.Posting) bool) {
	for _, p := range m.portfolio.Engine.Postings() {
		if slices.Contains(m.accounts, p.Account) && !p.Date.After(m.to) && !yield(p) {
			return
		}
	}
}

// symbols returns all symbols ever held, each once.
func (m *performanceRequest) symbols() []market.Symbol {
	seen, out := map[market.Symbol]bool{}, []market.Symbol{}
	for p := range m.inScope {
		if p.Symbol != "" && !p.Quantity.IsZero() && !seen[p.Symbol] && !slices.Contains(m.without, p.Symbol) {
			seen[p.Symbol] = true
			out = append(out, p.Symbol)
		}
	}
	slices.Sort(out)
	return out
}

// currencies returns the currencies of all cash postings.
func (m *performanceRequest) currencies() []string {
	var out []string
	for p := range m.inScope {
		if p.Currency != "" && !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}
	return out
}

// first returns the day of the first posting, zero if there is none.
func (m *performanceRequest) first() market.Date {
	for p := range m.inScope {
		return p.Date
	}
	return market.Date{}
}

func (d Deps) measurePerformance(ctx context.Context, in performanceInput) (performanceAnswer, error) {
	m, err := d.parseRequest(ctx, in)
	if err != nil {
		return performanceAnswer{}, err
	}
	if m.first().IsZero() {
		return performanceAnswer{}, fmt.Errorf("%w in %s up to %s", performance.ErrNoTransactions, strings.Join(m.accounts, ", "), toolkit.FormatDate(m.to))
	}
	known, err := d.loadMarketPast(ctx, m)
	if err != nil {
		return performanceAnswer{}, err
	}
	h, err := performance.NewHistory(m.portfolio.Ledger, known.market, performance.Request{Base: m.base, To: m.to, Accounts: m.accounts, ExcludedSymbols: m.without})
	if err != nil {
		return performanceAnswer{}, err
	}
	windows, notes, err := m.requestedWindows(h)
	if err != nil {
		return performanceAnswer{}, err
	}
	return newPerformanceAnswer(m, known, h, windows, notes)
}

// requestedWindows returns the windows that a call requests.
func (m performanceRequest) requestedWindows(h *performance.History) (windows []performance.Window, notes toolkit.BackgroundNotes, err error) {
	if m.windows {
		return h.Windows(), nil, nil
	}
	from := m.span.EndingOn(m.to).From
	if from.Before(h.First()) {
		if !from.IsZero() {
			notes.Add("shorter_period", "The portfolio begins on %s, so the period is shorter than requested.", toolkit.FormatDate(h.First().AddDate(0, 0, 1)))
		}
		from = h.First()
	}
	r, err := h.Measure(from, m.to)
	if errors.Is(err, performance.ErrInvalidRequest) {
		return nil, nil, fmt.Errorf("%w; the portfolio begins on %s", err, toolkit.FormatDate(h.First().AddDate(0, 0, 1)))
	}
	name := toolkit.FormatDate(r.From) + " to " + toolkit.FormatDate(r.To)
	return []performance.Window{{Name: name, Report: r}}, notes, err
}
