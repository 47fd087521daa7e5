package companies

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type insiderTradesInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL."`
	From   string `json:"from,omitempty" jsonschema:"First filing date: YYYY, YYYY-MM or YYYY-MM-DD. Default: a year ago."`
	To     string `json:"to,omitempty" jsonschema:"Last filing date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Limit  int    `json:"limit,omitempty" jsonschema:"Maximum number of trades, newest first: 1 to 200. Default 50." arg:"rare"`
	Market bool   `json:"open_market_only,omitempty" jsonschema:"true to list only open-market purchases and sales."`
}

const insiderTradesDescription = `Trades in a company's shares by its officers, directors and large owners, with totals of open-market purchases and sales. Use for "are insiders buying"; for other filings use filings. Judge by open_market trades; planned sales were scheduled earlier.`

const insiderTradesDetails = `Trades are listed by filing, newest first: owner and role, trade date and filing date, code, shares, price, shares held afterwards, whether the trade was under a 10b5-1 plan (planned), and a link. The default period is one year up to the last day.
Only codes P and S are open-market trades (open_market). Grants (A), exercises (M), shares withheld for tax (F) and gifts (G) say little and are not in the totals. Derivatives and trades that a later form amended (restated) are not in the totals either.
value is shares times price. If the price is only in a footnote or is in another currency, the trade counts in shares but not in value; unpriced is the number of these trades. Totals cover the trades that were read; a warning says if there may be more. Insiders file within two business days; filed is the day of publication.`

const insiderTradesKeywords = `insider insiders trades buying selling bought sold officer officers director directors ceo cfo executive executives management form 10b5-1 owner stake shareholder 内部人 高管 董事 增持 减持 买入 卖出 内幕 大股东 管理层`

var insiderTradesPhrasings = []string{
	"are insiders buying <sym>",
	"form <num> trades by officers of <sym>",
	"did the ceo of <sym> sell shares",
	"insider sales at <sym> in the last <num> months",
	"directors who bought <sym> on the open market",
	"what did executives of <sym> do with their stock",
	"<sym>的高管最近减持了吗",
	"<sym>的内部人有没有买入",
}

const (
	defaultTrades = 50
	maxTrades     = 200
)

type tradeLine struct {
	Who        string           `json:"-" label:"owner"`
	Owner      string           `json:"owner"`
	Role       string           `json:"role,omitempty"`
	Date       string           `json:"date" label:"date"`
	Filed      string           `json:"filed"`
	Form       string           `json:"form"`
	Accession  string           `json:"accession"`
	Code       string           `json:"code"`
	Meaning    string           `json:"meaning"`
	What       string           `json:"-" label:"trade"`
	OpenMarket bool             `json:"open_market"`
	Acquired   bool             `json:"acquired"`
	Security   string           `json:"security"`
	Shares     decimal.Decimal  `json:"shares" label:"shares" unit:"shares" row:"-"`
	Change     decimal.Decimal  `json:"-" label:"shares"` // negative for shares disposed of
	Price      *decimal.Decimal `json:"price,omitempty" label:"price" as:"price" currency:"currency"`
	Value      *decimal.Decimal `json:"value,omitempty" label:"value" as:"money" currency:"currency" row:"-" formula:"shares * price"`
	Currency   string           `json:"currency,omitempty"`
	After      *decimal.Decimal `json:"shares_after,omitempty" label:"shares afterwards" unit:"shares" row:"-"`
	Indirect   bool             `json:"indirect,omitempty"`
	Planned    bool             `json:"planned,omitempty"`
	Derivative bool             `json:"derivative,omitempty"`
	Restated   bool             `json:"restated,omitempty"`
	URL        string           `json:"url,omitempty"`

	trade market.InsiderTrade
}

// tally is the total of open-market purchases or sales.
type tally struct {
	Shares   decimal.Decimal `json:"shares" label:"shares" unit:"shares" key:"1" formula:"sum(shares)"`
	Value    decimal.Decimal `json:"value" label:"value" as:"money" key:"3" formula:"sum(shares * price) of trades with a price"`
	Trades   int             `json:"trades" label:"trades" unit:"trades"`
	Owners   int             `json:"owners" label:"owners" unit:"owners"`
	Unpriced int             `json:"unpriced,omitempty" label:"trades without a price" unit:"trades"`
	Planned  decimal.Decimal `json:"planned_shares" label:"shares under a 10b5-1 plan" unit:"shares" formula:"sum(shares under a 10b5-1 plan)"`

	owners []string
}

type insidersAnswer struct {
	Note   string        `json:"note"`
	Symbol market.Symbol `json:"symbol" input:"symbol"`
	From   string        `json:"filed_from"`
	To     string        `json:"filed_to"`
	toolkit.Origin
	Bought   tally         `json:"bought" label:"bought:"`
	Sold     tally         `json:"sold" label:"sold:"`
	Read     int           `json:"read"` // number of trades behind the totals
	Warnings toolkit.Notes `json:"warnings"`
	Trades   []tradeLine   `json:"trades" table:"Trades" max:"fit" show:"20"`
}

// newInsiderTrades returns the tool for insider trades.
func newInsiderTrades(d FundamentalDeps) tool.Tool {
	return toolkit.New("insider_trades", insiderTradesDescription, tool.Reads, func(ctx context.Context, in insiderTradesInput) (insidersAnswer, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
		if err != nil {
			return insidersAnswer{}, err
		}
		if in.Limit, err = toolkit.ParseLimit(in.Limit, defaultTrades, maxTrades); err != nil {
			return insidersAnswer{}, err
		}
		r := d.filingRange(sp)
		found, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) ([]market.InsiderTrade, error) {
			return d.insiderTrades(ctx, sym, r, in.Limit)
		})
		if err != nil {
			return insidersAnswer{}, toolkit.WithContext(err, "insider trades at %s", in.Symbol)
		}
		return newInsidersAnswer(found, r, in), nil
	}).
		WithDetails(insiderTradesDetails).Find("company", insiderTradesKeywords, insiderTradesPhrasings...)
}

// filingRange returns the filing dates of a period: by default the last year, and never after d.Now.
func (d FundamentalDeps) filingRange(sp toolkit.Period) market.Range {
	r := market.Range{From: sp.From, To: toolkit.Today(d.Now())}
	if !sp.To.IsZero() && sp.To.Before(r.To) {
		r.To = sp.To
	}
	if r.From.IsZero() {
		r.From = r.To.AddDate(-1, 0, 0)
	}
	return r
}

// insiderTrades returns the trades filed up to d.Now. There is at least one.
func (d FundamentalDeps) insiderTrades(ctx context.Context, sym market.Symbol, r market.Range, limit int) ([]market.InsiderTrade, error) {
	found, err := d.Insiders.InsiderTrades(ctx, sym, r, limit)
	if err != nil {
		return nil, err
	}
	// Filter again, because a source may return later trades.
	found = slices.DeleteFunc(slices.Clone(found), func(t market.InsiderTrade) bool { return t.Filed.IsZero() || !r.Contains(t.Filed) })
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: no insider trades at %s were filed from %s to %s", market.ErrNoData, sym, toolkit.FormatDate(r.From), toolkit.FormatDate(r.To))
	}
	return found[:min(len(found), limit)], nil
}

func newInsidersAnswer(found []market.InsiderTrade, r market.Range, in insiderTradesInput) insidersAnswer {
	newest := found[0]
	// Take the origin from a form without amendments, because the restated flag does not apply to all trades.
	if i := slices.IndexFunc(found, func(t market.InsiderTrade) bool { return !t.Provenance.Has(market.FlagRestated) }); i > 0 {
		newest.Provenance = found[i].Provenance
	}
	newest.Provenance.AsOf = newest.Filed
	a := insidersAnswer{
		Symbol: newest.Symbol, From: toolkit.FormatDate(r.From), To: toolkit.FormatDate(r.To), Origin: toolkit.OriginOf(newest.Provenance).WithoutAdjustment(),
		Read: len(found), Trades: []tradeLine{},
	}
	a.Note, a.Flags = outsideNote(a.Origin), slices.DeleteFunc(a.Flags, func(f market.Flag) bool { return f == market.FlagRestated })
	for _, t := range found {
		if !in.Market || t.OpenMarket() {
			a.Trades = append(a.Trades, newTradeLine(t))
		}
		switch {
		case !t.OpenMarket() || t.Derivative || t.Provenance.Has(market.FlagRestated):
		case t.Acquired:
			a.Bought.add(t, a.Currency)
		default:
			a.Sold.add(t, a.Currency)
		}
	}
	if len(found) >= in.Limit {
		a.Warnings.Warn("cut", "totals cover only the newest %d trades, filed on or after %s", len(found), toolkit.FormatDate(found[len(found)-1].Filed))
	}
	if a.Currency == "" {
		a.Warnings.Warn("unknown_currency", "the price currency is unknown")
	}
	if slices.ContainsFunc(found, func(t market.InsiderTrade) bool { return t.Provenance.Currency != a.Currency }) {
		a.Warnings.Warn("other_currencies", "some prices are not in %s; total values exclude them", cmp.Or(a.Currency, "an unknown currency"))
	}
	return a
}

// add adds a trade to the total. Its value counts only if its price is in currency.
func (s *tally) add(t market.InsiderTrade, currency string) {
	s.Trades++
	s.Shares = s.Shares.Add(t.Shares)
	if t.Planned {
		s.Planned = s.Planned.Add(t.Shares)
	}
	if t.Price.Valid && t.Provenance.Currency == currency {
		s.Value = s.Value.Add(t.Shares.Mul(t.Price.Decimal))
	} else {
		s.Unpriced++
	}
	if !slices.Contains(s.owners, t.Owner) {
		s.owners = append(s.owners, t.Owner)
		s.Owners++
	}
}

func newTradeLine(t market.InsiderTrade) tradeLine {
	l := tradeLine{
		Owner: toolkit.Truncate(t.Owner, maxNameChars), Role: toolkit.Truncate(t.Role, maxNameChars), Date: toolkit.FormatDate(t.Date), Filed: toolkit.FormatDate(t.Filed),
		Form: t.Form, Accession: t.Accession, Code: toolkit.Truncate(t.Code, 10), Meaning: tradeCodeMeaning(t.Code), OpenMarket: t.OpenMarket(), Acquired: t.Acquired,
		Security: toolkit.Truncate(t.Security, maxNameChars), Shares: t.Shares, Indirect: t.Indirect, Planned: t.Planned, Derivative: t.Derivative,
		Restated: t.Provenance.Has(market.FlagRestated), URL: webAddress(t.URL), trade: t,
	}
	if l.Change = l.Shares; !l.Acquired {
		l.Change = l.Shares.Neg()
	}
	l.Who = strings.TrimSuffix(l.Owner+", "+toolkit.Abbreviate(l.Role), ", ")
	parts := []string{strings.TrimSpace(l.Code + " " + l.Meaning)}
	for _, mark := range []struct {
		applies bool
		text    string
	}{{l.Planned, "10b5-1 plan"}, {l.Derivative, "derivative"}, {l.Indirect, "indirect"}, {l.Restated, "amended later"}} {
		if mark.applies {
			parts = append(parts, mark.text)
		}
	}
	l.What = strings.Join(parts, ", ")
	if t.Price.Valid {
		l.Price, l.Value, l.Currency = &t.Price.Decimal, new(t.Shares.Mul(t.Price.Decimal)), t.Provenance.Currency
	}
	if t.After.Valid {
		l.After = &t.After.Decimal
	}
	return l
}

// tradeCodeMeaning returns the meaning of a transaction code in forms 4 and 5.
func tradeCodeMeaning(code string) string {
	switch code {
	case "P":
		return "open-market purchase"
	case "S":
		return "open-market sale"
	case "A":
		return "grant or award"
	case "D":
		return "returned to the company"
	case "F":
		return "withheld for tax or exercise price"
	case "M", "X", "O":
		return "option exercise"
	case "C":
		return "conversion"
	case "G":
		return "gift"
	case "I":
		return "discretionary plan"
	case "W":
		return "inheritance"
	case "E", "H":
		return "option expired or canceled"
	case "Z":
		return "voting trust"
	case "U":
		return "tendered in change of control"
	}
	return "other"
}

func (a insidersAnswer) Headline(lang string) string {
	bought, sold := toolkit.Format(a.Bought.Shares, toolkit.Number, ""), toolkit.Format(a.Sold.Shares, toolkit.Number, "")
	if lang == "zh" {
		return fmt.Sprintf("%s 内部人在公开市场买入 %s 股，卖出 %s 股（申报日期 %s 至 %s）。", a.Symbol, bought, sold, a.From, a.To)
	}
	return fmt.Sprintf("Insiders of %s bought %s shares on the open market and sold %s (filed %s to %s).", a.Symbol, bought, sold, a.From, a.To)
}

func (a insidersAnswer) Title() string {
	return fmt.Sprintf("%s · filed %s to %s", a.Symbol, a.From, a.To)
}

func (a insidersAnswer) Summary() string {
	return fmt.Sprintf("bought %s, sold %s shares", toolkit.Format(a.Bought.Shares, toolkit.Number, ""), toolkit.Format(a.Sold.Shares, toolkit.Number, ""))
}

func (a insidersAnswer) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Inputs: []string{fmt.Sprintf("%d trades filed %s to %s", a.Read, a.From, a.To)}}
}

// Explain implements [toolkit.Explainer]: each trade has its own date and filing.
func (l tradeLine) Explain(field string) toolkit.Explanation {
	t := l.trade
	e := toolkit.Explanation{AsOf: t.Date, Source: t.Provenance.Source + ", " + filingReference(t.Form, t.Accession, t.Filed)}
	if field == "value" && l.Price != nil {
		e.Inputs = []string{"shares " + l.Shares.String(), "price " + l.Price.String()}
	}
	return e
}
