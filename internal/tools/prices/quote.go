package prices

import (
	"cmp"
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
	Symbols []string `json:"symbols,omitempty" jsonschema:"Symbols such as AAPL or ^GSPC, at most 50."`
	Symbol  string   `json:"symbol,omitempty" jsonschema:"One symbol, or several separated by commas; instead of symbols." arg:"unsent"`
}

const (
	maxQuotes           = 50
	maxConcurrentQuotes = 4
	quoteDescription    = `Latest price, daily change and date for 1 to 50 symbols. Use for "what does X cost"; for past prices use price_history, for returns returns_stats. State as_of with every price; flags mark sample, stale or delayed data.`
)

const quoteDetails = `Each quote has the price, its currency or unit, the date (as_of), the change from the previous price, the source and flags. change is in the unit of the price, change_pct in percent. The change is since previous_as_of; for monthly data that is a month earlier.
Flags: sample is built-in historical data, stale is a price older than the last session, delayed is a price that the source publishes late. delay_min is the delay in minutes, if known. session is the state of the exchange at the time of the price: pre, regular, post or closed.
quoted_currency is set if the exchange quotes in a minor unit such as GBp; price is still in currency. Symbols without a price are listed under errors with a reason and suggestions; the others still have quotes.`

const quoteKeywords = `quote price latest current now today worth trading cost quotation change up down share stock ticker live value level index closing 报价 价格 股价 现价 行情 最新价 涨跌 收盘价 多少钱 指数`

var quotePhrasings = []string{
	"what is <sym> trading at",
	"stock price of <sym> and <sym>",
	"how much is one share of <sym> right now",
	"is <sym> up or down today",
	"<sym>现在多少钱",
	"<sym>和<sym>的股价各是多少",
	"<sym>今天涨了还是跌了",
}

type quoteLine struct {
	Symbol       market.Symbol    `json:"symbol" label:"symbol"`
	Name         string           `json:"name" label:"name"`
	Kind         string           `json:"kind"`
	Price        decimal.Decimal  `json:"price" label:"price" as:"price" currency:"PriceUnit"`
	Previous     *decimal.Decimal `json:"previous,omitempty" label:"previous price" as:"price" currency:"PriceUnit" row:"-"`
	Change       *decimal.Decimal `json:"change,omitempty" label:"change" as:"gain" currency:"PriceUnit" formula:"price - previous"`
	ChangePct    *decimal.Decimal `json:"change_pct,omitempty" label:"%" as:"daychange" in:"percent" formula:"(price - previous) / previous * 100"`
	PreviousAsOf string           `json:"previous_as_of,omitempty"`
	Interval     market.Interval  `json:"interval,omitempty"` // between the previous price and this one
	Since        string           `json:"-" label:"since"`
	Dated        string           `json:"-" label:"as of"` // with flags
	PriceUnit    string           `json:"-"`
	toolkit.Origin

	previousAsOf time.Time
}

type quoteError struct {
	Symbol string `json:"symbol" label:"symbol"`
	Error  string `json:"error" label:"reason"`
	Code   string `json:"code,omitempty"`

	cause error
}

type quoteAnswer struct {
	Quotes []quoteLine  `json:"quotes" table:"-"`
	Errors []quoteError `json:"errors" table:"Unavailable"`
}

func (q quoteLine) Explain(field string) toolkit.Explanation {
	switch {
	case field == "previous":
		return toolkit.Explanation{AsOf: q.previousAsOf}
	case q.Previous != nil && (field == "change" || field == "change_pct"):
		return toolkit.Explanation{Inputs: []string{"price " + q.Price.String() + " on " + q.AsOf, "previous " + q.Previous.String() + " on " + q.Since}}
	}
	return toolkit.Explanation{}
}

func (q quoteLine) price() string { return toolkit.Format(q.Price, toolkit.Price, q.PriceUnit) }

func (q quoteLine) change() string {
	style := toolkit.DayChange
	if q.Interval == market.Monthly {
		style = toolkit.Change
	}
	return toolkit.Format(q.ChangePct.Shift(-2), style, "")
}

// details returns the rest of a headline after the price: the change, with its start date unless it is a
// daily change, and the date if prices of several dates are shown.
func (q quoteLine) details(lang string, dated bool) []string {
	var out []string
	switch {
	case q.ChangePct == nil:
	case q.Interval != market.Monthly:
		out = append(out, q.change())
	case lang == "zh":
		out = append(out, "自 "+q.Since+" "+q.change())
	default:
		out = append(out, q.change()+" since "+q.Since)
	}
	if dated {
		out = append(out, q.AsOf)
	}
	return out
}

func (a quoteAnswer) Headline(lang string) string {
	var parts []string
	shown := a.Quotes[:min(len(a.Quotes), 3)]
	sameDate := !slices.ContainsFunc(shown, func(q quoteLine) bool { return q.AsOf != shown[0].AsOf })
	for _, q := range shown {
		text := fmt.Sprintf("%s %s", q.Symbol, q.price())
		if details := q.details(lang, !sameDate); len(details) > 0 {
			text += " (" + strings.Join(details, ", ") + ")"
		}
		parts = append(parts, text)
	}
	if lang == "zh" {
		if more := len(a.Quotes) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("另有 %d 个", more))
		}
		if !sameDate {
			return strings.Join(parts, "，") + "。"
		}
		return fmt.Sprintf("%s（%s）。", strings.Join(parts, "，"), a.Quotes[0].AsOf)
	}
	if more := len(a.Quotes) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	if !sameDate {
		return strings.Join(parts, ", ") + "."
	}
	return fmt.Sprintf("%s as of %s.", strings.Join(parts, ", "), a.Quotes[0].AsOf)
}

func (a quoteAnswer) Title() string {
	symbols := make([]string, len(a.Quotes))
	for i, q := range a.Quotes {
		symbols[i] = string(q.Symbol)
	}
	return toolkit.Abbreviate(strings.Join(symbols, ", "))
}

func (a quoteAnswer) Summary() string {
	text := fmt.Sprintf("%d quotes", len(a.Quotes))
	if len(a.Quotes) == 1 {
		text = a.Quotes[0].price() + " · " + a.Quotes[0].AsOf
	}
	if n := len(a.Errors); n > 0 {
		text += fmt.Sprintf(" · %d unavailable", n)
	}
	return text
}

// KeyFigures implements [toolkit.Keyed]: the price and the change of a single quote. Several quotes are a
// table.
func (a quoteAnswer) KeyFigures() []tool.KeyFigure {
	if len(a.Quotes) != 1 {
		return nil
	}
	q := a.Quotes[0]
	keys := []tool.KeyFigure{{Text: q.price()}}
	if q.ChangePct == nil {
		return keys
	}
	change := tool.KeyFigure{Text: q.changeText(), Sign: q.ChangePct.Sign()}
	if q.Interval == market.Monthly {
		change.Text += " since " + q.Since
	}
	return append(keys, change)
}

// changeText returns the change in the unit of the price and in percent: "+1.27 (+0.47%)".
func (q quoteLine) changeText() string {
	if q.ChangePct == nil {
		return toolkit.NotAvailable
	}
	return fmt.Sprintf("%s (%s)", toolkit.Format(q.Change, toolkit.Gain, ""), toolkit.Format(q.ChangePct.Shift(-2), toolkit.DayChange, ""))
}

// About implements [toolkit.Abouter].
func (a quoteAnswer) About() tool.KeyAbout {
	q := a.Quotes[0]
	about := tool.KeyAbout{Subject: string(q.Symbol)}
	if q.Name != string(q.Symbol) {
		about.Detail = q.Name
	}
	about.Dated, about.Old = q.Origin.Dated()
	return about
}

// KeysShowTable reports whether the key figures replace the table of quotes.
func (a quoteAnswer) KeysShowTable() bool { return len(a.Quotes) == 1 }

// Tables implements [toolkit.Tabler]. The dates are in the table only if they differ.
func (a quoteAnswer) Tables() []toolkit.Table {
	since := slices.ContainsFunc(a.Quotes, func(q quoteLine) bool { return q.Interval == market.Monthly })
	dated := slices.ContainsFunc(a.Quotes, func(q quoteLine) bool { return q.Dated != a.Quotes[0].Dated })
	t := toolkit.Table{Columns: []string{"symbol", "name", "price:", "change:"}}
	if since {
		t.Columns = append(t.Columns, "since")
	}
	if dated {
		t.Columns = append(t.Columns, "as of")
	}
	for _, q := range a.Quotes {
		row := []string{string(q.Symbol), q.Name, q.price(), q.changeText()}
		if since {
			row = append(row, q.Since)
		}
		if dated {
			row = append(row, q.Dated)
		}
		t.Rows = append(t.Rows, row)
	}
	return []toolkit.Table{t}
}

// newQuote returns the tool for the newest prices.
func newQuote(d Deps) tool.Tool {
	return toolkit.New("quote", quoteDescription, tool.Reads, func(ctx context.Context, in quoteInput) (quoteAnswer, error) {
		symbols := toolkit.ParseSymbols(in.Symbols, in.Symbol)
		switch {
		case len(symbols) == 0:
			return quoteAnswer{}, toolkit.InvalidArgsf(`symbols is required; call quote with {"symbols": ["AAPL"]}`)
		case len(symbols) > maxQuotes:
			return quoteAnswer{}, toolkit.InvalidArgsf("too many symbols: %d; use at most %d per call", len(symbols), maxQuotes)
		}
		answer, err := d.fetchQuotes(ctx, symbols)
		if err != nil {
			return quoteAnswer{}, err
		}
		if len(answer.Quotes) == 0 {
			return answer, answer.allFailed()
		}
		return answer, nil
	}).
		WithDetails(quoteDetails).Find("market", quoteKeywords, quotePhrasings...)
}

// fetchQuotes fetches all quotes in parallel and returns them in order. A symbol that fails is listed
// under errors; only a canceled call is an error.
func (d Deps) fetchQuotes(ctx context.Context, symbols []string) (quoteAnswer, error) {
	quotes, causes := make([]market.Quote, len(symbols)), make([]error, len(symbols))
	var resolved []market.Symbol
	for _, text := range symbols {
		if sym, err := toolkit.ResolveSymbol(ctx, d.Directory, text); err == nil && !slices.Contains(resolved, sym) {
			resolved = append(resolved, sym)
		}
	}
	together := d.latest().QuoteBatch(ctx, resolved)
	var group crash.Group
	group.SetLimit(maxConcurrentQuotes)
	for i, text := range symbols {
		group.Go(func() error {
			quotes[i], causes[i] = toolkit.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Quote, error) {
				q, ok := together[sym]
				switch {
				case !ok:
					return d.fetchQuote(ctx, sym)
				case !d.Known(q.Provenance.AsOf):
					return d.closeAsKnown(ctx, sym)
				}
				return q, nil
			})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return quoteAnswer{}, fmt.Errorf("quote %s: %w", strings.Join(symbols, ", "), err)
	}
	answer := quoteAnswer{Quotes: []quoteLine{}, Errors: []quoteError{}}
	for i, text := range symbols {
		if err := causes[i]; err != nil {
			answer.Errors = append(answer.Errors, quoteError{Symbol: text, Error: err.Error(), Code: market.ErrorCode(err), cause: err})
			continue
		}
		// "AAPL" and "Apple" are the same symbol.
		same := func(have quoteLine) bool { return have.Symbol == quotes[i].Symbol }
		if !slices.ContainsFunc(answer.Quotes, same) {
			answer.Quotes = append(answer.Quotes, newQuoteLine(quotes[i]))
		}
	}
	return answer, nil
}

// fetchQuote returns the newest price known at d.Now: the quote, otherwise the last close.
func (d Deps) fetchQuote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if q, known, err := d.latest().KnownQuote(ctx, sym); known || err != nil {
		return q, err
	}
	return d.closeAsKnown(ctx, sym)
}

// closeAsKnown returns the last close on or before the day of d.Now.
func (d Deps) closeAsKnown(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	last, _, err := d.LastClose(ctx, sym)
	// The source's flags are about the current price, not about this close.
	last.Provenance = toolkit.ReplayProvenance(last.Provenance, last.Kind)
	return last, err
}

func newQuoteLine(q market.Quote) quoteLine {
	p := q.Provenance
	line := quoteLine{
		Symbol: q.Symbol, Name: q.Name, Kind: q.Kind, Price: q.Price, Since: toolkit.NotAvailable,
		Origin: priceOrigin(p), PriceUnit: priceUnit(p),
	}
	line.Dated = line.dateText()
	if !q.Previous.Valid || q.Previous.Decimal.IsZero() {
		return line
	}
	change := q.Price.Sub(q.Previous.Decimal)
	line.Previous, line.Change, line.ChangePct = &q.Previous.Decimal, &change, toolkit.PercentOf(change, q.Previous.Decimal)
	line.PreviousAsOf, line.previousAsOf = toolkit.FormatDate(q.PreviousAsOf), q.PreviousAsOf
	line.Since = cmp.Or(line.PreviousAsOf, "the previous close")
	// A month has at least 28 days, and holidays last at most a week. Without a date, the previous close is
	// assumed to be that of the last session.
	line.Interval = market.Daily
	if !q.PreviousAsOf.IsZero() && p.AsOf.Sub(q.PreviousAsOf) >= 27*24*time.Hour {
		line.Interval = market.Monthly
	}
	return line
}

// dateText returns the date of a price with its flags.
func (q quoteLine) dateText() string {
	parts := []string{q.AsOf, q.FlagText()}
	if q.Session != market.PhaseUnknown && q.Session != market.PhaseRegular {
		parts = append(parts, "session "+string(q.Session))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// allFailed returns the error if no symbol has a price: unknown_symbol or no_data if other arguments may
// work, otherwise the error of the source.
func (a quoteAnswer) allFailed() error {
	var lines []string
	var causes, unreachable []error
	for _, e := range a.Errors {
		lines, causes = append(lines, e.Error), append(causes, e.cause)
		if res, err := toolkit.SourceErrorResult(e.cause); !res.IsError {
			unreachable = append(unreachable, err)
		}
	}
	isOther := func(e quoteError) bool { return !errors.Is(e.cause, market.ErrUnknownSymbol) }
	switch {
	case len(unreachable) == len(a.Errors):
		return errors.Join(unreachable...)
	case !slices.ContainsFunc(a.Errors, isOther):
		return errors.Join(causes...)
	}
	return toolkit.NoDataf("%s", strings.Join(lines, "\n"))
}
