package marketdata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/errgroup"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type quoteInput struct {
	Symbols []string `json:"symbols,omitempty" jsonschema:"ticker symbols such as AAPL or ^GSPC, in any case; at most 50"`
	Symbol  string   `json:"symbol,omitempty" jsonschema:"one symbol, or several separated by commas; instead of symbols"`
}

const (
	mostQuotes       = 50
	quotesAtOneTime  = 4
	quoteDescription = `Gives the newest known price of one or more instruments: price, currency or unit, as-of date, change against the price before it (change in the same unit, change_pct in per cent), source, and flags.
Use it for "what does X cost", for one price or a list of them. For prices of the past use price_history; for returns, volatility or drawdown use returns_stats.
The price is as old as as_of says: always give that date with it. The flag "sample" means embedded historical data, not the market; "stale" means older than the last session; "delayed" means behind by rule. The change runs from previous_as_of, which for monthly data is a month earlier.
Unknown symbols are listed under errors, with what could be meant; the others are answered all the same.`
)

type quoteLine struct {
	Symbol       market.Symbol    `json:"symbol"`
	Name         string           `json:"name"`
	Kind         string           `json:"kind"`
	Price        decimal.Decimal  `json:"price"`
	Change       *decimal.Decimal `json:"change,omitempty"`
	ChangePct    *decimal.Decimal `json:"change_pct,omitempty"`
	PreviousAsOf string           `json:"previous_as_of,omitempty"`
	Interval     market.Interval  `json:"interval,omitempty"` // from the price before to this one
	present.Origin

	quote market.Quote
}

type quoteError struct {
	Symbol string `json:"symbol"`
	Error  string `json:"error"`

	cause error
}

type quoteAnswer struct {
	Quotes []quoteLine  `json:"quotes"`
	Errors []quoteError `json:"errors"`
}

// newQuote is the tool that gives the newest prices.
func newQuote(d Deps) tool.Tool {
	return tool.New("quote", quoteDescription, tool.Reads, func(ctx context.Context, in quoteInput) (tool.Result, error) {
		asked := question.Symbols(in.Symbols, in.Symbol)
		switch {
		case len(asked) == 0:
			return present.Invalid(errors.New(`no symbol given; call quote with {"symbols": ["AAPL"]}`))
		case len(asked) > mostQuotes:
			return present.Invalid(fmt.Errorf("%d symbols in one call; the limit is %d, ask in parts", len(asked), mostQuotes))
		}
		answer, err := d.quotes(ctx, asked)
		if err != nil {
			return tool.Result{}, err
		}
		if len(answer.Quotes) == 0 {
			return answer.failed()
		}
		return answer.result(), nil
	})
}

// quotes asks for all at once and answers in the order of asking. One that fails
// does not spoil the others; only a cancelled call is an error.
func (d Deps) quotes(ctx context.Context, asked []string) (quoteAnswer, error) {
	quotes, causes := make([]market.Quote, len(asked)), make([]error, len(asked))
	var group errgroup.Group
	group.SetLimit(quotesAtOneTime)
	for i, text := range asked {
		group.Go(func() error {
			quotes[i], causes[i] = question.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Quote, error) {
				return d.quote(ctx, sym)
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return quoteAnswer{}, fmt.Errorf("quoting %s: %w", strings.Join(asked, ", "), err)
	}
	answer := quoteAnswer{Quotes: []quoteLine{}, Errors: []quoteError{}}
	for i, text := range asked {
		if err := causes[i]; err != nil {
			answer.Errors = append(answer.Errors, quoteError{Symbol: text, Error: err.Error(), cause: err})
			continue
		}
		// "AAPL" and "Apple" are one.
		same := func(have quoteLine) bool { return have.Symbol == quotes[i].Symbol }
		if !slices.ContainsFunc(answer.Quotes, same) {
			answer.Quotes = append(answer.Quotes, lineOf(quotes[i]))
		}
	}
	return answer, nil
}

// quote is the newest price that was known at d.Now. Sources give the newest
// there is; where that lies in the replayed future, the bars know the price of
// the day.
func (d Deps) quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	limit := question.Today(d.Now())
	q, err := d.Quotes.Quote(ctx, sym)
	if err != nil || !q.Provenance.AsOf.After(endOf(limit)) {
		return q, err
	}
	series, err := d.Bars.Bars(ctx, sym, market.Range{To: limit})
	if err != nil && !errors.Is(err, market.ErrNoData) {
		return market.Quote{}, fmt.Errorf("price of %s on %s: %w", sym, present.Dated(limit), err)
	}
	if q, ok := series.Within(market.Range{To: limit}).Latest(); ok {
		return q, nil
	}
	return market.Quote{}, fmt.Errorf("%w: no price of %s on or before %s", market.ErrNoData, sym, present.Dated(limit))
}

// endOf is the last instant of a day.
func endOf(d market.Date) time.Time { return d.AddDate(0, 0, 1).Add(-1) }

func lineOf(q market.Quote) quoteLine {
	line := quoteLine{
		Symbol: q.Symbol, Name: q.Name, Kind: q.Kind, Price: q.Price,
		Origin: present.OriginOf(q.Provenance), quote: q,
	}
	if !q.Previous.Valid || q.Previous.Decimal.IsZero() {
		return line
	}
	change := q.Price.Sub(q.Previous.Decimal)
	percent := change.Mul(decimal.NewFromInt(100)).DivRound(q.Previous.Decimal, 2)
	line.Change, line.ChangePct = &change, &percent
	line.PreviousAsOf = present.Dated(q.PreviousAsOf)
	// The shortest month has 28 days, the longest holidays a week.
	line.Interval = market.Daily
	if q.Provenance.AsOf.Sub(q.PreviousAsOf) >= 27*24*time.Hour {
		line.Interval = market.Monthly
	}
	return line
}

// failed answers when no symbol could be quoted: no_data where another question
// may help, an error where the source is out of reach.
func (a quoteAnswer) failed() (tool.Result, error) {
	var lines []string
	var unreachable []error
	for _, e := range a.Errors {
		lines = append(lines, e.Error)
		if res, err := present.Mendable(e.cause); !res.IsError {
			unreachable = append(unreachable, err)
		}
	}
	if len(unreachable) == len(a.Errors) {
		return tool.Result{}, errors.Join(unreachable...)
	}
	return tool.Failed(tool.CodeNoData, strings.Join(lines, "\n")), nil
}

func (a quoteAnswer) result() tool.Result {
	symbols := make([]string, len(a.Quotes))
	var figures []tool.Figure
	for i, q := range a.Quotes {
		symbols[i] = string(q.Symbol)
		figures = append(figures, q.figures()...)
	}
	return tool.Result{
		Value: a, ForUser: a.markdown(), Title: present.Abridged(strings.Join(symbols, ", ")), Summary: a.summary(), Figures: figures,
	}
}

func (a quoteAnswer) summary() string {
	text := fmt.Sprintf("%d quotes", len(a.Quotes))
	if len(a.Quotes) == 1 {
		q := a.Quotes[0]
		text = strings.TrimSpace(fmt.Sprintf("%s %s · %s", q.amount(), q.Loud(), q.AsOf))
	}
	if n := len(a.Errors); n > 0 {
		text += fmt.Sprintf(" · %d not found", n)
	}
	return text
}

func (q quoteLine) amount() string {
	return strings.TrimSpace(q.Price.String() + " " + present.UnitOf(q.quote.Provenance))
}

func (a quoteAnswer) markdown() string {
	var rows [][]string
	var footers []string
	for _, q := range a.Quotes {
		change := ""
		if q.Change != nil {
			change = fmt.Sprintf("%s (%s %%) since %s", present.Signed(*q.Change, max(-q.Change.Exponent(), 0)), present.Signed(*q.ChangePct, 2), q.PreviousAsOf)
		}
		rows = append(rows, []string{string(q.Symbol), q.Name, q.amount(), change, strings.TrimSpace(q.AsOf + " " + q.Loud())})
		if line := q.Footer(); !slices.Contains(footers, line) {
			footers = append(footers, line)
		}
	}
	text := present.Table([]string{"symbol", "name", "price:", "change:", "as of"}, rows)
	for _, e := range a.Errors {
		text += "\n! " + e.Error + "\n"
	}
	return text + "\n" + strings.Join(footers, "\n\n") + "\n"
}

func (q quoteLine) figures() []tool.Figure {
	p := q.quote.Provenance
	figure := func(what string, v decimal.Decimal, unit string) tool.Figure {
		return tool.Figure{
			ID: string(q.Symbol) + "." + what, Label: fmt.Sprintf("%s %s", q.Symbol, strings.ReplaceAll(what, "_", " ")),
			Value: v, Unit: unit, AsOf: p.AsOf, Source: p.Source,
		}
	}
	out := []tool.Figure{figure("price", q.Price, present.UnitOf(p))}
	if q.Change == nil {
		return out
	}
	previous := figure("previous_price", q.quote.Previous.Decimal, present.UnitOf(p))
	previous.AsOf = q.quote.PreviousAsOf
	change, percent := figure("change", *q.Change, present.UnitOf(p)), figure("change_pct", *q.ChangePct, "%")
	change.Formula, percent.Formula = "price - previous", "(price - previous) / previous * 100"
	change.Inputs = []string{"price " + q.Price.String() + " on " + q.AsOf, "previous " + previous.Value.String() + " on " + q.PreviousAsOf}
	percent.Inputs = change.Inputs
	return append(out, previous, change, percent)
}
