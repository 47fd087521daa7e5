package companies

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type newsInput struct {
	Symbol string `json:"symbol,omitempty" jsonschema:"One symbol such as AAPL, or a company name."`
	Query  string `json:"query,omitempty" jsonschema:"Words to search for, with or without symbol."`
	From   string `json:"from,omitempty" jsonschema:"First publication date: YYYY, YYYY-MM or YYYY-MM-DD."`
	To     string `json:"to,omitempty" jsonschema:"Last publication date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Limit  int    `json:"limit,omitempty" jsonschema:"Maximum number: 1 to 25. Default 10." arg:"rare"`
}

const newsDescription = `News about a company or a topic, newest first: title, publisher, time, URL and the beginning of the text. Use for "why did X fall"; to read an article use web_fetch, for filings use filings. Headlines are claims: say who published each one and when.`

const newsDetails = `The beginning of the text is included if the source has it. A cause is the publisher's claim. Do not compute with figures from headlines; symbols may be tagged wrongly. For the company's own reports use filings.
symbol and query may be combined. from and to are publication dates.`

const newsKeywords = `news headline headlines article articles story stories happened announcement announced why fell dropped jumped press media rumor latest event reaction 新闻 消息 头条 报道 为什么 大跌 大涨 发生 最新 资讯 利好 利空`

var newsPhrasings = []string{
	"why did <sym> fall today",
	"what happened to <sym> this week",
	"news about <sym>",
	"headlines on interest rates",
	"did <sym> announce anything since <num>",
	"<sym>为什么大跌",
	"<sym>最近有什么新闻",
	"关于芯片行业的消息",
}

const (
	defaultNews   = 10
	maxNews       = 25
	maxQueryChars = 200
	// maxSummaryChars keeps 25 articles small enough to read at once.
	maxSummaryChars = 500
)

// errNews marks invalid arguments of news.
var errNews = toolkit.InvalidArgs(errors.New("news"))

// newNews returns the tool for news.
func newNews(d PublicationDeps) tool.Tool {
	t := toolkit.New("news", newsDescription, tool.Reads, func(ctx context.Context, in newsInput) (newsAnswer, error) {
		q, err := d.newsQuery(ctx, in)
		if err != nil {
			return newsAnswer{}, err
		}
		limit := q.Limit
		q.Limit = 2 * limit
		found, err := d.News.News(ctx, q)
		if err != nil {
			return newsAnswer{}, toolkit.WithContext(err, "news of %s", describeNewsQuery(q))
		}
		answer := newNewsAnswer(q, d.knownNews(found, q), limit)
		if len(answer.Articles) == 0 {
			return newsAnswer{}, toolkit.NoDataf("no news about %q in this period; try other words or a longer period", answer.Request)
		}
		return answer, nil
	}).
		WithDetails(newsDetails).Find("market", newsKeywords, newsPhrasings...)
	t.Sends = func(args json.RawMessage) []tool.Send {
		var in newsInput
		if json.Unmarshal(args, &in) != nil {
			return nil
		}
		sends := []tool.Send{{To: tool.MarketSources, Text: in.Symbol}}
		if in.Query != "" {
			sends = append(sends, tool.Send{To: "the news sources", Text: in.Query})
		}
		return sends
	}
	return t
}

// newsQuery parses the arguments. If the clock is set back, the query ends at d.Now.
func (d PublicationDeps) newsQuery(ctx context.Context, in newsInput) (market.NewsQuery, error) {
	q := market.NewsQuery{Text: strings.Join(strings.Fields(in.Query), " "), Limit: in.Limit}
	name := strings.TrimSpace(in.Symbol)
	switch {
	case name == "" && q.Text == "":
		return q, fmt.Errorf(`%w: symbol or query is required; call news with {"symbol": "AAPL"}`, errNews)
	case len(q.Text) > maxQueryChars:
		return q, fmt.Errorf("%w: query is too long: %d bytes; use at most %d", errNews, len(q.Text), maxQueryChars)
	case in.Limit < 0 || in.Limit > maxNews:
		return q, fmt.Errorf("%w: limit %d is out of range; use 1 to %d", errNews, in.Limit, maxNews)
	case in.Limit == 0:
		q.Limit = defaultNews
	}
	sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
	if err != nil {
		return q, err
	}
	q.After = sp.From
	if !sp.To.IsZero() {
		q.Before = sp.To.AddDate(0, 0, 1)
	}
	if now := d.Now(); d.Replay && (q.Before.IsZero() || q.Before.After(now)) {
		q.Before = now
	}
	if name == "" {
		return q, nil
	}
	if q.Symbol, err = toolkit.ResolveSymbol(ctx, d.Directory, name); err != nil {
		return q, err
	}
	q.Name, err = d.nameOf(ctx, q.Symbol)
	return q, err
}

// nameOf returns the name of a symbol in the directory, or "".
func (d PublicationDeps) nameOf(ctx context.Context, sym market.Symbol) (string, error) {
	known, err := d.Directory.Instruments(ctx)
	if err != nil {
		return "", fmt.Errorf("list known symbols: %w", err)
	}
	for _, i := range known {
		if i.Symbol == sym {
			return i.Name, nil
		}
	}
	return "", nil
}

// knownNews returns the matching articles up to d.Now, newest first. It filters again, because a source may
// ignore the limits of the query.
func (d PublicationDeps) knownNews(found []market.Article, q market.NewsQuery) []market.Article {
	var out []market.Article
	for _, a := range found {
		if q.Matches(a.Published) && (a.Published.IsZero() || a.Published.Before(toolkit.EndOfDay(d.Now()))) {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b market.Article) int { return b.Published.Compare(a.Published) })
	return out
}

func describeNewsQuery(q market.NewsQuery) string {
	return strings.TrimSpace(string(q.Symbol) + " " + q.Text)
}

// maxTaggedSymbols is the maximum number of reported symbols of an article.
const maxTaggedSymbols = 10

type newsItem struct {
	Title     string          `json:"title"`
	Publisher string          `json:"publisher,omitempty"`
	Published string          `json:"published,omitempty"`
	Host      string          `json:"host,omitempty"`
	URL       string          `json:"url,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Symbols   []market.Symbol `json:"symbols,omitempty"`
	Source    string          `json:"source"`
}

type newsAnswer struct {
	Request        string     `json:"asked"`
	Note           string     `json:"note,omitempty"`
	toolkit.Origin            // of the newest article
	Articles       []newsItem `json:"articles" max:"fit"`
}

func newNewsAnswer(q market.NewsQuery, found []market.Article, limit int) newsAnswer {
	a := newsAnswer{Request: describeNewsQuery(q), Articles: []newsItem{}}
	for _, article := range found[:min(len(found), limit)] {
		host, address := "", ""
		if u, ok := parseLink(article.URL, maxURLChars); ok {
			host, address = u.Hostname(), u.String()
		}
		a.Articles = append(a.Articles, newsItem{
			Title: truncateBytes(article.Title, maxSummaryChars), Publisher: truncateBytes(article.Publisher, maxQueryChars), Published: toolkit.FormatInstant(article.Published),
			Host: host, URL: address, Summary: truncateBytes(article.Summary, maxSummaryChars), Symbols: article.Symbols[:min(len(article.Symbols), maxTaggedSymbols)], Source: article.Provenance.Source,
		})
	}
	if len(a.Articles) > 0 {
		a.Origin = toolkit.OriginOf(found[0].Provenance).WithoutAdjustment()
		a.Note, a.AsOf = outsideNote(a.Origin), a.Articles[0].Published
	}
	return a
}

// maxURLChars is longer than usual URLs, but short enough for a model.
const maxURLChars = 2000

// parseLink parses a web URL of at most longest characters.
func parseLink(address string, longest int) (*url.URL, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	return u, err == nil && u.Hostname() != "" && (u.Scheme == "https" || u.Scheme == "http") && len(u.String()) <= longest
}

// truncateBytes returns text on one line of at most limit bytes.
func truncateBytes(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

func (a newsAnswer) Headline(lang string) string {
	topic := toolkit.Abbreviate(a.Request)
	day, _, _ := strings.Cut(a.AsOf, "T")
	if lang == "zh" {
		return strings.TrimSuffix(fmt.Sprintf("关于 %s 的新闻 %d 篇，最新发布于 %s", topic, len(a.Articles), day), "，最新发布于 ") + "。"
	}
	return strings.TrimSuffix(fmt.Sprintf("%s about %s, the newest from %s", humanize.Count(len(a.Articles), "article", "articles"), topic, day), ", the newest from ") + "."
}

func (a newsAnswer) Title() string { return toolkit.Abbreviate(a.Request) }

func (a newsAnswer) Text() string {
	blocks := make([]string, len(a.Articles))
	for i, n := range a.Articles {
		blocks[i] = strings.TrimSpace(n.Published+"  "+n.Publisher) + "\n" + n.Title + "\n" + strings.TrimSpace(n.Host+"  "+n.URL)
	}
	return toolkit.QuoteOutsideText(strings.Join(blocks, "\n\n"))
}
