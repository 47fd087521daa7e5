package market

import (
	"context"
	"time"

	"github.com/shopspring/decimal"
)

// Profile describes a company or a fund. Fields that a source does not report are empty.
type Profile struct {
	Instrument
	Description   string     `json:"description,omitempty"` // in the source's words
	Sector        string     `json:"sector,omitempty"`
	Industry      string     `json:"industry,omitempty"`
	SIC           string     `json:"sic,omitempty"` // four digits, from the SEC
	Country       string     `json:"country,omitempty"`
	State         string     `json:"state,omitempty"` // of incorporation
	Website       string     `json:"website,omitempty"`
	Employees     int        `json:"employees,omitempty"`
	FiscalYearEnd string     `json:"fiscal_year_end,omitempty"` // month and day: "09-26"
	FormerNames   []string   `json:"former_names,omitempty"`
	Tickers       []Symbol   `json:"tickers,omitempty"` // all of the same company
	Provenance    Provenance `json:"provenance"`
}

// ProfileSource provides profiles. An unlisted symbol yields ErrUnknownSymbol.
type ProfileSource interface {
	Profile(ctx context.Context, sym Symbol) (Profile, error)
}

// InsiderTrade is one line of a filing by an officer, a director or a large owner.
type InsiderTrade struct {
	Symbol    Symbol              `json:"symbol"`
	Owner     string              `json:"owner"`
	Role      string              `json:"role,omitempty"` // "director", "officer: CFO", "10% owner"
	Date      Date                `json:"date"`           // of the trade
	Filed     Date                `json:"filed"`
	Form      string              `json:"form"` // "4", "4/A"
	Accession string              `json:"accession"`
	Security  string              `json:"security"`
	Code      string              `json:"code"` // code of the form: "P" bought, "S" sold, "A" granted ...
	Shares    decimal.Decimal     `json:"shares"`
	Price     decimal.NullDecimal `json:"price"` // per share; absent if only a footnote states it
	Acquired  bool                `json:"acquired"`
	After     decimal.NullDecimal `json:"shares_after"`
	Indirect  bool                `json:"indirect,omitempty"`
	Planned   bool                `json:"planned,omitempty"` // under a 10b5-1 plan
	// Derivative marks options and similar instruments, which Shares then counts.
	Derivative bool       `json:"derivative,omitempty"`
	URL        string     `json:"url"`
	Provenance Provenance `json:"provenance"`
}

// OpenMarket reports whether the trade was a purchase or sale on the market. Grants, exercises,
// taxes and gifts say little about the owner's opinion.
func (t InsiderTrade) OpenMarket() bool { return t.Code == "P" || t.Code == "S" }

// InsiderSource provides the insider trades reported in filings within r, newest filing first. An unlisted
// symbol yields ErrUnknownSymbol, a symbol without trades ErrNoData.
type InsiderSource interface {
	InsiderTrades(ctx context.Context, sym Symbol, r Range, limit int) ([]InsiderTrade, error)
}

// Article is a news article. Its text is untrusted.
type Article struct {
	Title      string     `json:"title"`
	Publisher  string     `json:"publisher,omitempty"`
	URL        string     `json:"url"`
	Published  time.Time  `json:"published,omitzero"`
	Summary    string     `json:"summary,omitempty"`
	Symbols    []Symbol   `json:"symbols,omitempty"`
	Provenance Provenance `json:"provenance"`
}

// NewsQuery selects news. At least one of Symbol and Text is set.
type NewsQuery struct {
	Symbol Symbol
	Name   string // of the company, for sources that search text; may be empty
	Text   string
	Before time.Time // published before this time; zero means now
	After  time.Time
	Limit  int // maximum number, newest first; zero or less means the source's default
}

// Matches reports whether an article published then matches the query. Without a date it does not
// match a bounded query.
func (q NewsQuery) Matches(published time.Time) bool {
	if published.IsZero() {
		return q.Before.IsZero() && q.After.IsZero()
	}
	return (q.Before.IsZero() || published.Before(q.Before)) && (q.After.IsZero() || !published.Before(q.After))
}

// NewsSource provides news, newest first. An empty result is not an error. A query that a source
// does not support (text, if it knows only symbols) yields ErrNoData.
type NewsSource interface {
	News(ctx context.Context, q NewsQuery) ([]Article, error)
}

// WebResult is a page found by a web search. Its text is untrusted.
type WebResult struct {
	Title      string     `json:"title"`
	URL        string     `json:"url"`
	Snippet    string     `json:"snippet,omitempty"`
	Published  time.Time  `json:"published,omitzero"`
	Provenance Provenance `json:"provenance"`
}

// WebSource searches the web. An empty result is not an error.
type WebSource interface {
	SearchWeb(ctx context.Context, text string, limit int) ([]WebResult, error)
}
