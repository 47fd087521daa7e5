package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type performanceInput struct {
	Range     string   `json:"range,omitempty" jsonschema:"one span up to today: 6m, 1y, ytd, max; when range, from and to are left out, one, three and five years and since inception side by side"`
	From      string   `json:"from,omitempty" jsonschema:"instead of range: the return counts from the close of this day, YYYY-MM-DD; a year or a month means from the close before it"`
	To        string   `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; today when left out"`
	Accounts  []string `json:"accounts,omitempty" jsonschema:"accounts to look at, by their names; all when left out"`
	Account   string   `json:"account,omitempty" jsonschema:"one account; instead of accounts"`
	Benchmark string   `json:"benchmark,omitempty" jsonschema:"symbol to compare with, such as VTI: what the same money at the same times would have done in it, dividends reinvested; none for no comparison, the user's setting when left out"`
	Currency  string   `json:"currency,omitempty" jsonschema:"currency of all figures, ISO 4217 such as USD; the user's base currency when left out"`
	Method    string   `json:"method,omitempty" jsonschema:"one return alone: time_weighted, money_weighted, modified_dietz or linked_modified_dietz; all when left out"`
	Without   []string `json:"without,omitempty" jsonschema:"symbols to leave out, such as one without a price; what was paid for them then counts as taken out"`
}

const performanceDescription = `Measures what the user's book earned: the time-weighted return (of the investments, whatever was paid in when), the money-weighted return (of the user's own money, with its timing), Modified Dietz, where the gain came from (price, income, currency, fees, taxes), what each position contributed, and the same money in a benchmark.
Use it for "how did my portfolio do", "did I beat the market", "what did it cost me". For returns of a symbol that is not the user's own book use returns_stats; for what is held now portfolio_positions.
Left alone, it shows one, three and five years and since inception side by side: show all that there are, the good and the bad alike. Returns are in per cent over the window; annual_pct is the rate a year and is there only for windows of a year or more: never make a shorter return into a yearly one. Each return names its method: give the name with the number.
price, income, currency, fees and taxes add up to gain = end - start - net_flow; contributions add up to it, and in per cent to the Modified Dietz return. A figure that is absent has a reason under why: say it, and do not compute a substitute. A benchmark is hypothetical: without costs and taxes of buying it.`

// newPerformance is the tool that measures the book.
func newPerformance(d PerformanceDeps) tool.Tool {
	return tool.New("portfolio_performance", performanceDescription, tool.Reads, func(ctx context.Context, in performanceInput) (tool.Result, error) {
		a, err := d.measurePerformance(ctx, in)
		if err != nil {
			return d.ErrorResult(err)
		}
		return a.result(d.HideAmounts)
	})
}

// returnMethods are the returns by the names that a call gives them.
func returnMethods() []string {
	return []string{"time_weighted", "money_weighted", "modified_dietz", "linked_modified_dietz"}
}

// performanceRequest is what a call asks for, checked against the book.
type performanceRequest struct {
	portfolio        Portfolio
	accounts         []string
	base             string
	method           string // "" for all
	span             toolkit.Period
	windows          bool // the four of them, in place of span
	period           bool // span begins with a whole month or year, and so at the close before it
	to               market.Date
	without          []market.Symbol
	benchmark        string
	defaultBenchmark bool // benchmark is the user's setting: this call did not name it
}

// noBenchmark is how a call says that it wants none, whatever the setting.
const noBenchmark = "none"

// benchmarkFor is the benchmark of a call, and whether it is the user's setting.
func (d PerformanceDeps) benchmarkFor(requested string) (benchmark string, isDefault bool) {
	requested = strings.TrimSpace(requested)
	switch {
	case strings.EqualFold(requested, noBenchmark):
		return "", false
	case requested == "":
		return d.Benchmark, true
	}
	return requested, false
}

func (d PerformanceDeps) parseRequest(ctx context.Context, in performanceInput) (performanceRequest, error) {
	m := performanceRequest{method: strings.TrimSpace(in.Method)}
	m.benchmark, m.defaultBenchmark = d.benchmarkFor(in.Benchmark)
	if m.method != "" && !slices.Contains(returnMethods(), m.method) {
		return m, fmt.Errorf("%w: method %.40q; there is %s", ErrInvalidRequest, in.Method, strings.Join(returnMethods(), ", "))
	}
	currency, err := RequestedCurrency(in.Currency)
	if err != nil {
		return m, err
	}
	if m.span, err = toolkit.ParsePeriod(in.Range, in.From, in.To, ""); err != nil {
		return m, err
	}
	m.windows = in.Range == "" && in.From == "" && in.To == ""
	m.period = in.From != "" && len(strings.TrimSpace(in.From)) < len(time.DateOnly)
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
	if m.base, err = d.BaseCurrency(currency, m.currencies()); err != nil {
		return m, err
	}
	return m, m.excludeSymbols(in.Without)
}

// excludeSymbols reads the symbols that are left out, which must be the book's.
func (m *performanceRequest) excludeSymbols(texts []string) error {
	held := m.symbols()
	for _, text := range texts {
		sym, err := market.ParseSymbol(text)
		if err != nil || !slices.Contains(held, sym) {
			return fmt.Errorf("%w: without %.40q, which the book never held; it has %s", ErrInvalidRequest, text, JoinSymbols(held))
		}
		m.without = append(m.without, sym)
	}
	return nil
}

// inScope goes through what was posted in the accounts up to the last day.
func (m *performanceRequest) inScope(yield func(portfolio.Posting) bool) {
	for _, p := range m.portfolio.Engine.Postings() {
		if slices.Contains(m.accounts, p.Account) && !p.Date.After(m.to) && !yield(p) {
			return
		}
	}
}

// symbols are all that were ever held, once each.
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

// currencies are those of all cash that moved.
func (m *performanceRequest) currencies() []string {
	var out []string
	for p := range m.inScope {
		if p.Currency != "" && !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}
	return out
}

// first is the day of the first posting, zero where there is none.
func (m *performanceRequest) first() market.Date {
	for p := range m.inScope {
		return p.Date
	}
	return market.Date{}
}

func (d PerformanceDeps) measurePerformance(ctx context.Context, in performanceInput) (performanceAnswer, error) {
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

// requestedWindows are the windows that a call asks for.
func (m performanceRequest) requestedWindows(h *performance.History) (windows []performance.Window, notes []string, err error) {
	if m.windows {
		return h.Windows(), nil, nil
	}
	from := m.span.EndingOn(m.to).From
	if m.period {
		from = from.AddDate(0, 0, -1)
	}
	if from.Before(h.First()) {
		if !from.IsZero() {
			notes = append(notes, fmt.Sprintf("the book begins on %s, later than asked for: the window is all of it", toolkit.FormatDate(h.First().AddDate(0, 0, 1))))
		}
		from = h.First()
	}
	r, err := h.Measure(from, m.to)
	if errors.Is(err, performance.ErrInvalidRequest) {
		return nil, nil, fmt.Errorf("%w; the book begins on %s", err, toolkit.FormatDate(h.First().AddDate(0, 0, 1)))
	}
	name := toolkit.FormatDate(r.From) + " to " + toolkit.FormatDate(r.To)
	return []performance.Window{{Name: name, Report: r}}, notes, err
}
