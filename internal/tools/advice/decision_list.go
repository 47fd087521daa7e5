package advice

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	defaultListedDecisions = 20
	// maxListedChars is the maximum length of a thesis in a list. With an id it is shown in full.
	maxListedChars = 300
	decisionSource = "decision journal, recorded by the user"
)

type decisionMark struct {
	Symbol   market.Symbol    `json:"symbol"`
	Price    *decimal.Decimal `json:"price"` // null if unknown
	Currency string           `json:"currency,omitempty"`
	AsOf     string           `json:"as_of,omitempty"`
	Source   string           `json:"source,omitempty"`
}

type decisionLine struct {
	ID         string                  `json:"id"`
	Date       string                  `json:"date"`
	Decision   investor.DecisionAction `json:"decision"`
	Marks      []decisionMark          `json:"marks"`
	Benchmark  *decisionMark           `json:"benchmark"`
	Thesis     toolkit.OwnWords        `json:"thesis"`
	Disproof   toolkit.OwnWords        `json:"disproof"`
	Confidence *decimal.Decimal        `json:"confidence"`
	ReviewOn   string                  `json:"review_on,omitempty"`
	Due        bool                    `json:"due"`
	Closed     string                  `json:"closed,omitempty"`
	Outcome    toolkit.OwnWords        `json:"outcome,omitempty"`

	decision investor.Decision
}

type decisionsAnswer struct {
	Decisions []decisionLine `json:"decisions" max:"fit"` // newest first
	Total     int            `json:"total"`               // includes those omitted
	LeftOut   int            `json:"left_out,omitempty"`  // omitted oldest decisions
	Remarks   toolkit.Notes  `json:"remarks,omitempty"`
	toolkit.Origin

	title string
}

func (j *journalTool) listDecisions(ctx context.Context, in decisionInput) (tool.Result, error) {
	chosen, err := j.selectDecisions(ctx, in)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = defaultListedDecisions
	}
	return j.listResult(chosen, listOptions{full: in.ID != "", title: "decisions", limit: limit}), nil
}

// listOptions selects how decisions are shown.
type listOptions struct {
	title   string
	limit   int  // only the newest; zero means all
	full    bool // texts in full
	remarks toolkit.Notes
}

// listResult shows decisions newest first. all is sorted oldest first.
func (j *journalTool) listResult(chosen []investor.Decision, o listOptions) tool.Result {
	a := decisionsAnswer{Decisions: []decisionLine{}, Total: len(chosen), Remarks: o.remarks, Origin: j.journalOrigin(chosen), title: o.title}
	for _, d := range slices.Backward(chosen) {
		if o.limit > 0 && len(a.Decisions) == o.limit {
			break
		}
		a.Decisions = append(a.Decisions, j.line(d, o.full))
	}
	a.LeftOut = a.Total - len(a.Decisions)
	return toolkit.Render(a)
}

// journalOrigin names the user as the source of the decisions.
func (d JournalDeps) journalOrigin(decisions []investor.Decision) toolkit.Origin {
	o := toolkit.Origin{Source: decisionSource, FetchedAt: toolkit.FormatInstant(d.Now()), Flags: []market.Flag{}}
	if n := len(decisions); n > 0 {
		o.AsOf = toolkit.FormatDate(decisions[n-1].Date)
	}
	return o
}

func (j *journalTool) line(d investor.Decision, full bool) decisionLine {
	line := decisionLine{
		ID: d.ID, Date: toolkit.FormatDate(d.Date), Decision: d.Action,
		Thesis: toolkit.OwnWords(d.Thesis), Disproof: toolkit.OwnWords(d.Invalidation), Outcome: toolkit.OwnWords(d.Outcome),
		ReviewOn: toolkit.FormatDate(d.ReviewOn), Due: d.Due(j.Today()), Closed: toolkit.FormatDate(d.Closed), decision: d,
	}
	if !full {
		line.Thesis, line.Disproof, line.Outcome = listExcerpt(d.Thesis), listExcerpt(d.Invalidation), listExcerpt(d.Outcome)
	}
	if d.Confidence.Valid {
		line.Confidence = &d.Confidence.Decimal
	}
	for _, m := range d.Assets {
		line.Marks = append(line.Marks, newDecisionMark(m))
	}
	if d.Benchmark != nil {
		m := newDecisionMark(*d.Benchmark)
		line.Benchmark = &m
	}
	return line
}

func newDecisionMark(m investor.PricedAsset) decisionMark {
	out := decisionMark{Symbol: m.Symbol, Currency: m.Currency, AsOf: toolkit.FormatDate(m.AsOf), Source: m.Source}
	if m.Price.Valid {
		out.Price = &m.Price.Decimal
	}
	return out
}

// listExcerpt returns the part of a text that a list shows.
func listExcerpt(text string) toolkit.OwnWords {
	runes := []rune(text)
	if len(runes) <= maxListedChars {
		return toolkit.OwnWords(text)
	}
	return toolkit.OwnWords(runes[:maxListedChars-1]) + "…"
}

// Headline implements [toolkit.Answer].
func (a decisionsAnswer) Headline(lang string) string {
	if len(a.Decisions) == 0 {
		return a.title
	}
	first := a.Decisions[0]
	if lang == "zh" {
		text := fmt.Sprintf("%s %s %s", first.Date, actionZH(first.Decision), joinSymbols(first.decision))
		if a.Total > 1 {
			return fmt.Sprintf("共 %d 个决策，最近一个：%s。", a.Total, text)
		}
		return "决策：" + text + "。"
	}
	text := fmt.Sprintf("%s %s on %s", first.Decision, toolkit.Abbreviate(joinSymbols(first.decision)), first.Date)
	if a.Total > 1 {
		return fmt.Sprintf("%s; the latest: %s, %s.", counted(a.Total, "decision"), text, stateOf(first.decision, first.Due))
	}
	if m := first.decision.Assets[0]; m.Price.Valid {
		text += " at " + toolkit.Format(m.Price.Decimal, toolkit.Price, currencyOr(m.Currency))
	}
	return fmt.Sprintf("Decision %s: %s, %s.", first.ID, text, stateOf(first.decision, first.Due))
}

func actionZH(action investor.DecisionAction) string {
	return map[investor.DecisionAction]string{
		investor.ActionBuy: "买入", investor.ActionSell: "卖出", investor.ActionHold: "持有", investor.ActionAvoid: "回避", investor.ActionOther: "其他",
	}[action]
}

// Title implements [toolkit.Titled].
func (a decisionsAnswer) Title() string { return a.title }

// Tables implements [toolkit.Tabler]: a list, or one decision in full.
func (a decisionsAnswer) Tables() []toolkit.Table {
	t := toolkit.Table{Columns: []string{"date", "decision", "symbols", "price:", "state", "thesis", "id"}}
	for i, line := range a.Decisions {
		price := toolkit.NotAvailable
		if m := line.decision.Assets[0]; m.Price.Valid {
			price = toolkit.Format(m.Price.Decimal, toolkit.Price, currencyOr(m.Currency))
		}
		t.Rows = append(t.Rows, []string{line.Date, string(line.Decision), joinSymbols(line.decision), price, stateOf(line.decision, line.Due), string(line.Thesis), line.ID})
		t.Figures = append(t.Figures, line.figures(fmt.Sprintf("decisions.%d", i))...)
	}
	if len(a.Decisions) == 1 {
		t.Columns, t.Rows = a.Decisions[0].card()
	}
	return []toolkit.Table{t}
}

// Text implements [toolkit.Texter].
func (a decisionsAnswer) Text() string {
	if a.LeftOut == 0 {
		return ""
	}
	return counted(a.LeftOut, "older decision") + " not shown."
}

// card returns one decision in full.
func (line decisionLine) card() (columns []string, rows [][]string) {
	rows = [][]string{{"id", line.ID}, {"date", line.Date}, {"state", stateOf(line.decision, line.Due)}}
	for _, m := range line.decision.Assets {
		rows = append(rows, []string{"price", markText(m)})
	}
	if line.decision.Benchmark != nil {
		rows = append(rows, []string{"benchmark", markText(*line.decision.Benchmark)})
	}
	rows = append(rows, []string{"thesis", string(line.Thesis)}, []string{"what would disprove it", string(line.Disproof)})
	if line.Confidence != nil {
		rows = append(rows, []string{"confidence", toolkit.Format(line.Confidence, toolkit.Percent, "")})
	}
	if line.Outcome != "" {
		rows = append(rows, []string{"outcome", string(line.Outcome)})
	}
	return []string{"decision", fmt.Sprintf("%s %s", line.Decision, joinSymbols(line.decision))}, rows
}

// stateOf returns whether a decision is open, due or closed.
func stateOf(d investor.Decision, due bool) string {
	switch {
	case !d.Closed.IsZero():
		return "closed " + toolkit.FormatDate(d.Closed)
	case due:
		return "due since " + toolkit.FormatDate(d.ReviewOn)
	case !d.ReviewOn.IsZero():
		return "review on " + toolkit.FormatDate(d.ReviewOn)
	}
	return "open"
}

// figures returns the prices on the day of the decision, and its confidence.
func (line decisionLine) figures(path string) []tool.Figure {
	var out []tool.Figure
	price := func(path string, m investor.PricedAsset) {
		if m.Price.Valid {
			out = append(out, tool.Figure{
				ID: path + ".price", Label: fmt.Sprintf("%s price on the decision date, %s", m.Symbol, line.Date),
				Value: m.Price.Decimal, Unit: currencyOr(m.Currency), AsOf: m.AsOf, Source: m.Source,
			})
		}
	}
	for i, m := range line.decision.Assets {
		price(fmt.Sprintf("%s.marks.%d", path, i), m)
	}
	if line.decision.Benchmark != nil {
		price(path+".benchmark", *line.decision.Benchmark)
	}
	if line.Confidence != nil {
		out = append(out, tool.Figure{
			ID: path + ".confidence", Label: "confidence of the decision on " + line.Date, Value: line.Confidence.Shift(2), Unit: "%",
			AsOf: line.decision.Date, Source: decisionSource,
		})
	}
	return out
}
