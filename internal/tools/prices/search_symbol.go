package prices

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type searchSymbolInput struct {
	Query string `json:"query" jsonschema:"Name or part of it, symbol, ISIN or CIK."`
	Kind  string `json:"kind,omitempty" jsonschema:"equity, fund, index, currency or crypto. Default: all kinds."`
	Limit int    `json:"limit,omitempty" jsonschema:"Maximum number: 1 to 25. Default 10." arg:"rare"`
}

const searchSymbolDescription = `Finds symbols of companies, funds, indices, currencies and coins by name, ISIN or CIK. Use for "what is the ticker of X"; for what a company does use company_profile. If several match, ask the user: never choose a share class or listing yourself.`

const searchSymbolDetails = `Each match has symbol, name, kind and exchange and, if known, the market code (mic), ISIN, CIK and FIGI. The best match is first.
The search works offline with the built-in table; from names the origin of a match: the local table or a source. Listings are current: most former companies are missing.`

const searchSymbolKeywords = `symbol ticker search find lookup name isin cik figi code identifier listing listed exchange stands called abbreviation which etf fund 代码 股票代码 查找 搜索 名称 上市 基金代码 交易所`

var searchSymbolPhrasings = []string{
	"ticker symbol of <sym>",
	"which fund has <isin>",
	"what company is <isin>",
	"find an etf that tracks the nasdaq",
	"on which exchange is <sym> listed",
	"which company has the ticker <sym>",
	"<sym>的股票代码是什么",
	"查一下<isin>是哪只基金",
}

const (
	defaultMatches = 10
	maxMatches     = 25
	maxQueryChars  = 200
)

type foundSymbol struct {
	Symbol   market.Symbol `json:"symbol" label:"symbol"`
	Name     string        `json:"name" label:"name"`
	Kind     string        `json:"kind" label:"kind"`
	Exchange string        `json:"exchange,omitempty"`
	Venue    string        `json:"-" label:"exchange"`
	MIC      string        `json:"mic,omitempty"`
	ISIN     string        `json:"isin,omitempty" label:"ISIN"`
	CIK      string        `json:"cik,omitempty"`
	FIGI     string        `json:"figi,omitempty"`
	From     string        `json:"from"` // "local table" or "source"
}

type searchAnswer struct {
	Query    string        `json:"query"`
	Outside  string        `json:"outside,omitempty"` // set if a source was searched, because its names are untrusted
	Matches  []foundSymbol `json:"matches" table:"Matches"`
	Warnings toolkit.Notes `json:"warnings"`
}

// newSearchSymbol returns the tool that finds symbols.
func newSearchSymbol(d Deps) tool.Tool {
	return toolkit.New("search_symbol", searchSymbolDescription, tool.Reads, func(ctx context.Context, in searchSymbolInput) (searchAnswer, error) {
		query := strings.Join(strings.Fields(in.Query), " ")
		switch {
		case query == "":
			return searchAnswer{}, toolkit.InvalidArgsf(`query is required; call search_symbol with {"query": "apple"}`)
		case len(query) > maxQueryChars:
			return searchAnswer{}, toolkit.InvalidArgsf("query is too long: %d bytes; use at most %d", len(query), maxQueryChars)
		}
		limit, err := toolkit.ParseLimit(in.Limit, defaultMatches, maxMatches)
		if err != nil {
			return searchAnswer{}, err
		}
		answer, err := d.search(ctx, query, strings.ToLower(strings.TrimSpace(in.Kind)), limit)
		if err != nil {
			return searchAnswer{}, err
		}
		if len(answer.Matches) == 0 {
			message := fmt.Sprintf("no symbol matches %q; try part of the name or symbol", query)
			for _, w := range answer.Warnings {
				message += "; " + w.Text
			}
			return answer, toolkit.NoDataf("%s", message)
		}
		return answer, nil
	}).
		WithDetails(searchSymbolDetails).Find("market", searchSymbolKeywords, searchSymbolPhrasings...)
}

// search searches the local table first, which needs no network, and then a source. If the source fails, it
// returns the table's matches with a warning.
func (d Deps) search(ctx context.Context, query, kind string, limit int) (searchAnswer, error) {
	a := searchAnswer{Query: query, Matches: []foundSymbol{}}
	// More than the limit, because the kind is filtered afterwards.
	local, err := searchDirectory(ctx, d.Directory, query, 4*limit)
	if err != nil {
		return a, err
	}
	a.add(local, "local table", kind, limit)
	if d.Searches == nil || len(a.Matches) == limit {
		return a, nil
	}
	found, err := d.Searches.Search(ctx, query, 4*limit)
	if ctx.Err() != nil {
		return a, toolkit.WithContext(err, "search for %q", query)
	}
	if err != nil {
		a.Warnings.Warn("local_search", "only the local table was searched: %v", err)
	}
	a.Outside = toolkit.OutsideTextNote
	a.add(found, "source", kind, limit)
	return a, nil
}

// searchDirectory finds instruments with the directory's own search, if it has one. Otherwise it
// lists instruments that match the query before those that contain it.
func searchDirectory(ctx context.Context, dir market.Directory, query string, limit int) ([]market.Instrument, error) {
	if s, ok := dir.(market.SearchSource); ok {
		return s.Search(ctx, query, limit)
	}
	known, err := dir.Instruments(ctx)
	if err != nil {
		return nil, fmt.Errorf("list known symbols: %w", err)
	}
	var named, containing []market.Instrument
	for _, i := range known {
		switch {
		case i.Matches(query):
			named = append(named, i)
		case containsFold(string(i.Symbol), query) || containsFold(i.Name, query) || slices.ContainsFunc(i.Aliases, func(a string) bool { return containsFold(a, query) }):
			containing = append(containing, i)
		}
	}
	found := slices.Concat(named, containing)
	return found[:min(len(found), limit)], nil
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// add adds matches that are not in the answer yet, up to the limit.
func (a *searchAnswer) add(found []market.Instrument, from, kind string, limit int) {
	for _, i := range found {
		have := func(m foundSymbol) bool { return m.Symbol == i.Symbol }
		if len(a.Matches) == limit || kind != "" && i.Kind != kind || slices.ContainsFunc(a.Matches, have) {
			continue
		}
		a.Matches = append(a.Matches, foundSymbol{i.Symbol, i.Name, i.Kind, i.Exchange, cmp.Or(i.Exchange, i.MIC), i.MIC, i.ISIN, i.CIK, i.FIGI, from})
	}
}

func (a searchAnswer) Headline(lang string) string {
	best := a.Matches[0]
	if lang == "zh" {
		return fmt.Sprintf("“%s”找到 %d 个结果，最接近的是 %s（%s）。", a.Query, len(a.Matches), best.Symbol, best.Name)
	}
	if len(a.Matches) == 1 {
		return fmt.Sprintf("1 symbol matches %q: %s (%s).", a.Query, best.Symbol, best.Name)
	}
	return fmt.Sprintf("%d symbols match %q; the best match is %s (%s).", len(a.Matches), a.Query, best.Symbol, best.Name)
}

func (a searchAnswer) Title() string { return toolkit.Abbreviate(a.Query) }

func (a searchAnswer) Summary() string { return humanize.Count(len(a.Matches), "match", "matches") }
