package companies

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// FundamentalDeps are the sources of the tools. A nil source omits its tools; key_ratios also works
// without the Bars and Quotes of Prices.
type FundamentalDeps struct {
	toolkit.Prices
	Statements market.StatementSource
	Profiles   market.ProfileSource
	Earnings   market.EarningsSource
	Insiders   market.InsiderSource
	Quotes     market.QuoteSource
}

// FundamentalTools returns the tools for statements, ratios, profiles, earnings dates and insider trades.
func FundamentalTools(d FundamentalDeps) []tool.Tool {
	var tools []tool.Tool
	if d.Profiles != nil {
		tools = append(tools, newCompanyProfile(d))
	}
	if d.Statements != nil {
		tools = append(tools, newFinancialStatements(d), newKeyRatios(d))
	}
	if d.Earnings != nil {
		tools = append(tools, newEarnings(d))
	}
	if d.Insiders != nil {
		tools = append(tools, newInsiderTrades(d))
	}
	return tools
}

// PublicationDeps are the sources of filings and news. A nil source omits its tools.
type PublicationDeps struct {
	Directory market.Directory
	Filings   market.FilingSource
	News      market.NewsSource
	// Now is the clock; no later data is returned. Replay means that it was set back: data without a
	// date is omitted, because it may be later.
	Now    func() time.Time
	Replay bool
}

// PublicationTools returns the tools for filings and news.
func PublicationTools(d PublicationDeps) []tool.Tool {
	var tools []tool.Tool
	if d.Filings != nil {
		tools = append(tools, newFilings(d), newFilingSection(d))
	}
	if d.News != nil {
		tools = append(tools, newNews(d))
	}
	return tools
}

// ValuationTools returns the tools that value a company from the caller's numbers.
func ValuationTools() []tool.Tool {
	return []tool.Tool{newDCF(), newComps()}
}

// knownStatements returns the statements of a company that were known at d.Now, newest first. There is
// at least one.
func (d FundamentalDeps) knownStatements(ctx context.Context, sym market.Symbol, span market.Span, limit int) ([]market.Statement, error) {
	today := toolkit.Today(d.Now())
	q := market.StatementQuery{Span: span, Limit: limit}
	if d.Replay {
		q.KnownOn = today
	}
	found, err := d.Statements.Statements(ctx, sym, q)
	if err != nil {
		return nil, err
	}
	// Filter again, because a source may return later statements.
	q.Limit = 0
	var known []market.Statement
	for _, s := range q.Filter(found) {
		if !s.PeriodEnd.After(today) && !s.Filed.After(today) {
			known = append(known, s)
		}
	}
	if limit > 0 && len(known) > limit {
		known = known[:limit]
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("%w: no %s statements for %s were known on %s", market.ErrNoData, span, sym, today.Format("2006-01-02"))
	}
	return known, nil
}

// outsideNote returns the note of an answer with outside text, followed by the note of its source.
func outsideNote(o toolkit.Origin) string {
	return strings.TrimSuffix(toolkit.OutsideTextNote+"; "+o.Note, "; ")
}
