package earnings

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
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
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
func newPerformance(d Deps) tool.Tool {
	return tool.New("portfolio_performance", performanceDescription, tool.Reads, func(ctx context.Context, in performanceInput) (tool.Result, error) {
		a, err := d.performanceOf(ctx, in)
		if err != nil {
			return d.Unanswered(err)
		}
		return a.result(d.HideAmounts)
	})
}

// methods are the returns by the names that a call gives them.
func methods() []string {
	return []string{"time_weighted", "money_weighted", "modified_dietz", "linked_modified_dietz"}
}

// measured is what a call asks for, checked against the book.
type measured struct {
	opened    book.Opened
	accounts  []string
	base      string
	method    string // "" for all
	span      question.Span
	windows   bool // the four of them, in place of span
	period    bool // span begins with a whole month or year, and so at the close before it
	to        market.Date
	without   []market.Symbol
	benchmark string
	standing  bool // benchmark is the user's setting: this call did not name it
}

// noBenchmark is how a call says that it wants none, whatever the setting.
const noBenchmark = "none"

// comparedWith is the benchmark of a call, and whether it is the user's setting.
func (d Deps) comparedWith(asked string) (benchmark string, standing bool) {
	asked = strings.TrimSpace(asked)
	switch {
	case strings.EqualFold(asked, noBenchmark):
		return "", false
	case asked == "":
		return d.Benchmark, true
	}
	return asked, false
}

func (d Deps) measuredOf(ctx context.Context, in performanceInput) (measured, error) {
	m := measured{method: strings.TrimSpace(in.Method)}
	m.benchmark, m.standing = d.comparedWith(in.Benchmark)
	if m.method != "" && !slices.Contains(methods(), m.method) {
		return m, fmt.Errorf("%w: method %.40q; there is %s", book.ErrAsked, in.Method, strings.Join(methods(), ", "))
	}
	currency, err := book.AskedCurrency(in.Currency)
	if err != nil {
		return m, err
	}
	if m.span, err = question.ParseSpan(in.Range, in.From, in.To, ""); err != nil {
		return m, err
	}
	m.windows = in.Range == "" && in.From == "" && in.To == ""
	m.period = in.From != "" && len(strings.TrimSpace(in.From)) < len(time.DateOnly)
	if m.opened, err = d.Load(ctx); err != nil {
		return m, err
	}
	m.to = m.opened.Day
	if !m.span.To.IsZero() && m.span.To.Before(m.to) {
		m.to = m.span.To
	}
	if m.accounts, err = m.opened.Accounts(book.AskedAccounts(in.Accounts, in.Account)); err != nil {
		return m, err
	}
	if m.base, err = d.BaseFor(currency, m.currencies()); err != nil {
		return m, err
	}
	return m, m.leaveOut(in.Without)
}

// leaveOut reads the symbols that are left out, which must be the book's.
func (m *measured) leaveOut(texts []string) error {
	held := m.symbols()
	for _, text := range texts {
		sym, err := market.ParseSymbol(text)
		if err != nil || !slices.Contains(held, sym) {
			return fmt.Errorf("%w: without %.40q, which the book never held; it has %s", book.ErrAsked, text, book.Listed(held))
		}
		m.without = append(m.without, sym)
	}
	return nil
}

// inScope goes through what was posted in the accounts up to the last day.
func (m *measured) inScope(yield func(portfolio.Posting) bool) {
	for _, p := range m.opened.Book.Postings() {
		if slices.Contains(m.accounts, p.Account) && !p.Date.After(m.to) && !yield(p) {
			return
		}
	}
}

// symbols are all that were ever held, once each.
func (m *measured) symbols() []market.Symbol {
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
func (m *measured) currencies() []string {
	var out []string
	for p := range m.inScope {
		if p.Currency != "" && !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}
	return out
}

// first is the day of the first posting, zero where there is none.
func (m *measured) first() market.Date {
	for p := range m.inScope {
		return p.Date
	}
	return market.Date{}
}

func (d Deps) performanceOf(ctx context.Context, in performanceInput) (performanceAnswer, error) {
	m, err := d.measuredOf(ctx, in)
	if err != nil {
		return performanceAnswer{}, err
	}
	if m.first().IsZero() {
		return performanceAnswer{}, fmt.Errorf("%w in %s up to %s", performance.ErrEmpty, strings.Join(m.accounts, ", "), present.Dated(m.to))
	}
	known, err := d.known(ctx, m)
	if err != nil {
		return performanceAnswer{}, err
	}
	h, err := performance.New(m.opened.Ledger, known.market, performance.Question{Base: m.base, To: m.to, Accounts: m.accounts, Without: m.without})
	if err != nil {
		return performanceAnswer{}, err
	}
	windows, notes, err := m.windowsOf(h)
	if err != nil {
		return performanceAnswer{}, err
	}
	return answerOf(m, known, h, windows, notes)
}

// windowsOf are the windows that a call asks for.
func (m measured) windowsOf(h *performance.History) (windows []performance.Window, notes []string, err error) {
	if m.windows {
		return h.Windows(), nil, nil
	}
	from := m.span.Ending(m.to).From
	if m.period {
		from = from.AddDate(0, 0, -1)
	}
	if from.Before(h.First()) {
		if !from.IsZero() {
			notes = append(notes, fmt.Sprintf("the book begins on %s, later than asked for: the window is all of it", present.Dated(h.First().AddDate(0, 0, 1))))
		}
		from = h.First()
	}
	r, err := h.Over(from, m.to)
	if errors.Is(err, performance.ErrQuestion) {
		return nil, nil, fmt.Errorf("%w; the book begins on %s", err, present.Dated(h.First().AddDate(0, 0, 1)))
	}
	name := present.Dated(r.From) + " to " + present.Dated(r.To)
	return []performance.Window{{Name: name, Report: r}}, notes, err
}
