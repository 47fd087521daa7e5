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
	// maxListedChars is how much of a thesis a list gives; with its id it is whole.
	maxListedChars = 300
	decisionSource = "decision journal, as the user said"
)

type decisionMark struct {
	Symbol   market.Symbol    `json:"symbol"`
	Price    *decimal.Decimal `json:"price"` // null where it was not known
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
	Thesis     string                  `json:"thesis"`
	Disproof   string                  `json:"disproof"`
	Confidence *decimal.Decimal        `json:"confidence"`
	ReviewOn   string                  `json:"review_on,omitempty"`
	Due        bool                    `json:"due"`
	Closed     string                  `json:"closed,omitempty"`
	Outcome    string                  `json:"outcome,omitempty"`

	decision investor.Decision
}

type decisionsAnswer struct {
	Decisions []decisionLine `json:"decisions"`          // the newest first
	Total     int            `json:"total"`              // with those left out
	LeftOut   int            `json:"left_out,omitempty"` // of the newest first, the oldest
	Remarks   []string       `json:"remarks,omitempty"`
	Amounts   string         `json:"amounts,omitempty"`
	toolkit.Origin
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
	return j.listResult(chosen, listOptions{full: in.ID != "", title: "decisions", limit: limit})
}

// listOptions say how decisions are shown.
type listOptions struct {
	title   string
	limit   int  // the newest; zero is all
	full    bool // texts whole
	remarks []string
}

// listResult gives decisions, which come oldest first, the newest first.
func (j *journalTool) listResult(chosen []investor.Decision, o listOptions) (tool.Result, error) {
	a := decisionsAnswer{Decisions: []decisionLine{}, Total: len(chosen), Remarks: o.remarks, Origin: j.journalOrigin(chosen)}
	var figures []tool.Figure
	for _, d := range slices.Backward(chosen) {
		if o.limit > 0 && len(a.Decisions) == o.limit {
			break
		}
		line := j.line(d, o.full)
		a.Decisions = append(a.Decisions, line)
		figures = append(figures, line.figures()...)
	}
	a.LeftOut = a.Total - len(a.Decisions)
	model, err := toolkit.FitToLimit(len(a.Decisions), func(n int) any { return a.forModel(j.JournalDeps, n) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d decisions", a.Total)
	if len(chosen) == 1 {
		summary = fmt.Sprintf("%s %s of %s", chosen[0].Action, toolkit.Abbreviate(joinSymbols(chosen[0])), toolkit.FormatDate(chosen[0].Date))
	}
	return tool.Result{Value: a, ForModel: model, ForUser: a.markdown(), Title: o.title, Summary: summary, Figures: figures}, nil
}

// journalOrigin is where decisions are from: nobody but the user.
func (d JournalDeps) journalOrigin(decisions []investor.Decision) toolkit.Origin {
	o := toolkit.Origin{Source: decisionSource, FetchedAt: toolkit.FormatInstant(d.Now()), Flags: []market.Flag{}}
	if n := len(decisions); n > 0 {
		o.AsOf = toolkit.FormatDate(decisions[n-1].Date)
	}
	return o
}

func (j *journalTool) line(d investor.Decision, full bool) decisionLine {
	line := decisionLine{
		ID: d.ID, Date: toolkit.FormatDate(d.Date), Decision: d.Action, Thesis: d.Thesis, Disproof: d.Invalidation, Outcome: d.Outcome,
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

// listExcerpt is so much of a text as a list gives.
func listExcerpt(text string) string {
	runes := []rune(text)
	if len(runes) <= maxListedChars {
		return text
	}
	return string(runes[:maxListedChars-1]) + "…"
}

// forModel is the answer with the newest n decisions, as a model may read it.
func (a decisionsAnswer) forModel(d JournalDeps, n int) decisionsAnswer {
	a.LeftOut, a.Decisions = a.LeftOut+len(a.Decisions)-n, slices.Clone(a.Decisions[:n])
	for i := range a.Decisions {
		line := &a.Decisions[i]
		line.Thesis, line.Disproof, line.Outcome = d.maskNote(line.Thesis), d.maskNote(line.Disproof), d.maskNote(line.Outcome)
	}
	if d.HideAmounts {
		a.Amounts = toolkit.AmountsHiddenNote
	}
	return a
}
