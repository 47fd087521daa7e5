package prices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type quoteInput struct {
	Symbols []string `json:"symbols,omitempty" jsonschema:"ticker symbols such as AAPL or ^GSPC, in any case; at most 50"`
	Symbol  string   `json:"symbol,omitempty" jsonschema:"one symbol, or several separated by commas; instead of symbols"`
}

const (
	maxQuotes           = 50
	maxConcurrentQuotes = 4
	quoteDescription    = `Gives the newest known price of one or more instruments: price, currency or unit, as-of date, change against the price before it (change in the same unit, change_pct in per cent), source, and flags.
Use it for "what does X cost", for one price or a list of them. For prices of the past use price_history; for returns, volatility or drawdown use returns_stats.
The price is as old as as_of says: always give that date with it. The flag "sample" means embedded historical data, not the market; "stale" means older than the last session; "delayed" means behind by rule, by delay_min minutes where that is known; session is what the exchange was doing then (pre, regular, post, closed). quoted_currency is what the exchange quotes in where that is a minor unit (GBp): price is in currency all the same. The change runs from previous_as_of, which for monthly data is a month earlier.
Symbols without an answer are listed under errors, each with its own reason and what could be meant; the others are answered all the same.`
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
	toolkit.Origin

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
		symbols := toolkit.ParseSymbols(in.Symbols, in.Symbol)
		switch {
		case len(symbols) == 0:
			return toolkit.InvalidResult(errors.New(`no symbol given; call quote with {"symbols": ["AAPL"]}`))
		case len(symbols) > maxQuotes:
			return toolkit.InvalidResult(fmt.Errorf("%d symbols in one call; the limit is %d, ask in parts", len(symbols), maxQuotes))
		}
		answer, err := d.fetchQuotes(ctx, symbols)
		if err != nil {
			return tool.Result{}, err
		}
		if len(answer.Quotes) == 0 {
			return answer.allFailed()
		}
		return answer.result(), nil
	})
}

// fetchQuotes asks for all at once and answers in the order of asking. One that fails
// does not spoil the others; only a cancelled call is an error.
func (d Deps) fetchQuotes(ctx context.Context, symbols []string) (quoteAnswer, error) {
	quotes, causes := make([]market.Quote, len(symbols)), make([]error, len(symbols))
	together := d.fetchBatch(ctx, symbols)
	var group crash.Group
	group.SetLimit(maxConcurrentQuotes)
	for i, text := range symbols {
		group.Go(func() error {
			quotes[i], causes[i] = toolkit.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Quote, error) {
				if q, ok := together[sym]; ok {
					return d.quoteAsKnown(ctx, q)
				}
				return d.fetchQuote(ctx, sym)
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return quoteAnswer{}, fmt.Errorf("quoting %s: %w", strings.Join(symbols, ", "), err)
	}
	answer := quoteAnswer{Quotes: []quoteLine{}, Errors: []quoteError{}}
	for i, text := range symbols {
		if err := causes[i]; err != nil {
			answer.Errors = append(answer.Errors, quoteError{Symbol: text, Error: err.Error(), cause: err})
			continue
		}
		// "AAPL" and "Apple" are one.
		same := func(have quoteLine) bool { return have.Symbol == quotes[i].Symbol }
		if !slices.ContainsFunc(answer.Quotes, same) {
			answer.Quotes = append(answer.Quotes, newQuoteLine(quotes[i]))
		}
	}
	return answer, nil
}

// fetchBatch asks for several symbols in one request, where the source can.
// What it leaves out, and all where it fails, is asked for one by one: then each
// says for itself what is wrong with it.
func (d Deps) fetchBatch(ctx context.Context, texts []string) map[market.Symbol]market.Quote {
	source, ok := d.Quotes.(market.BatchQuoteSource)
	if !ok || d.Replay || len(texts) < 2 {
		return nil
	}
	var symbols []market.Symbol
	for _, text := range texts {
		sym, err := toolkit.ResolveSymbol(ctx, d.Directory, text)
		if err == nil && !slices.Contains(symbols, sym) {
			symbols = append(symbols, sym)
		}
	}
	if len(symbols) < 2 {
		return nil
	}
	found, err := source.Quotes(ctx, symbols)
	if err != nil {
		return nil
	}
	return found
}

// fetchQuote is the newest price that was known at d.Now. With the clock set back it is
// that of the bars, and nobody is asked what a price is now.
func (d Deps) fetchQuote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if d.Replay {
		return d.closeAsKnown(ctx, sym)
	}
	q, err := d.Quotes.Quote(ctx, sym)
	if err != nil {
		return q, err
	}
	return d.quoteAsKnown(ctx, q)
}

// quoteAsKnown is q, or the price of the day where q is of later: sources give the
// newest there is.
func (d Deps) quoteAsKnown(ctx context.Context, q market.Quote) (market.Quote, error) {
	if d.Known(q.Provenance.AsOf) {
		return q, nil
	}
	return d.closeAsKnown(ctx, q.Symbol)
}

// recentRange reach back to a close, whatever holidays there are.
const recentRange = "5d"

// closeAsKnown is the last close on or before the day of d.Now.
func (d Deps) closeAsKnown(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	limit := toolkit.FormatDate(toolkit.Today(d.Now()))
	sp, err := toolkit.ParsePeriod(recentRange, "", "", "")
	if err != nil {
		return market.Quote{}, err
	}
	series, _, err := d.HistoryOfSymbol(ctx, sym, sp)
	if err != nil {
		return market.Quote{}, fmt.Errorf("price of %s on %s: %w", sym, limit, err)
	}
	latest, ok := series.Latest()
	if !ok {
		return market.Quote{}, fmt.Errorf("%w: no price of %s on or before %s", market.ErrNoData, sym, limit)
	}
	// The source said nothing of that day, also where no clock was set back.
	latest.Provenance = toolkit.ReplayProvenance(latest.Provenance, latest.Kind)
	return latest, nil
}

func newQuoteLine(q market.Quote) quoteLine {
	p := q.Provenance
	line := quoteLine{
		Symbol: q.Symbol, Name: q.Name, Kind: q.Kind, Price: q.Price,
		Origin: priceOrigin(p), quote: q,
	}
	if !q.Previous.Valid || q.Previous.Decimal.IsZero() {
		return line
	}
	change := q.Price.Sub(q.Previous.Decimal)
	percent := change.Mul(decimal.NewFromInt(100)).DivRound(q.Previous.Decimal, 2)
	line.Change, line.ChangePct = &change, &percent
	line.PreviousAsOf = toolkit.FormatDate(q.PreviousAsOf)
	// The shortest month has 28 days, the longest holidays a week; a source that
	// does not date the close before gives that of the last session.
	line.Interval = market.Daily
	if !q.PreviousAsOf.IsZero() && p.AsOf.Sub(q.PreviousAsOf) >= 27*24*time.Hour {
		line.Interval = market.Monthly
	}
	return line
}

// allFailed answers when no symbol could be quoted: no_data where another question
// may help, an error where the source is out of reach.
func (a quoteAnswer) allFailed() (tool.Result, error) {
	var lines []string
	var unreachable []error
	for _, e := range a.Errors {
		lines = append(lines, e.Error)
		if res, err := toolkit.SourceErrorResult(e.cause); !res.IsError {
			unreachable = append(unreachable, err)
		}
	}
	if len(unreachable) == len(a.Errors) {
		return tool.Result{}, errors.Join(unreachable...)
	}
	return tool.Failed(tool.CodeNoData, strings.Join(lines, "\n")), nil
}
