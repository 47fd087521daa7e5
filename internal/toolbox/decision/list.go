package decision

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

const (
	listedDecisions = 20
	// longestInList is how much of a thesis a list gives; with its id it is whole.
	longestInList  = 300
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
	ID         string           `json:"id"`
	Date       string           `json:"date"`
	Decision   journal.Action   `json:"decision"`
	Marks      []decisionMark   `json:"marks"`
	Benchmark  *decisionMark    `json:"benchmark"`
	Thesis     string           `json:"thesis"`
	Disproof   string           `json:"disproof"`
	Confidence *decimal.Decimal `json:"confidence"`
	ReviewOn   string           `json:"review_on,omitempty"`
	Due        bool             `json:"due"`
	Closed     string           `json:"closed,omitempty"`
	Outcome    string           `json:"outcome,omitempty"`

	decision journal.Decision
}

type decisionsAnswer struct {
	Decisions []decisionLine `json:"decisions"`          // the newest first
	Total     int            `json:"total"`              // with those left out
	LeftOut   int            `json:"left_out,omitempty"` // of the newest first, the oldest
	Remarks   []string       `json:"remarks,omitempty"`
	Amounts   string         `json:"amounts,omitempty"`
	present.Origin
}

func (j *decisions) list(ctx context.Context, in decisionInput) (tool.Result, error) {
	chosen, err := j.chosen(ctx, in)
	if err != nil {
		return act.Refusal(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = listedDecisions
	}
	return j.shown(chosen, listOptions{full: in.ID != "", title: "decisions", limit: limit})
}

// listOptions say how decisions are shown.
type listOptions struct {
	title   string
	limit   int  // the newest; zero is all
	full    bool // texts whole
	remarks []string
}

// shown gives decisions, which come oldest first, the newest first.
func (j *decisions) shown(chosen []journal.Decision, o listOptions) (tool.Result, error) {
	a := decisionsAnswer{Decisions: []decisionLine{}, Total: len(chosen), Remarks: o.remarks, Origin: j.kept(chosen)}
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
	model, err := present.Fitted(len(a.Decisions), func(n int) any { return a.forModel(j.Deps, n) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d decisions", a.Total)
	if len(chosen) == 1 {
		summary = fmt.Sprintf("%s %s of %s", chosen[0].Action, present.Abridged(symbolsOf(chosen[0])), present.Dated(chosen[0].Date))
	}
	return tool.Result{Value: a, ForModel: model, ForUser: a.markdown(), Title: o.title, Summary: summary, Figures: figures}, nil
}

// kept is where decisions are from: nobody but the user.
func (d Deps) kept(of []journal.Decision) present.Origin {
	o := present.Origin{Source: decisionSource, FetchedAt: present.Instant(d.Now()), Flags: []market.Flag{}}
	if n := len(of); n > 0 {
		o.AsOf = present.Dated(of[n-1].Date)
	}
	return o
}

func (j *decisions) line(d journal.Decision, full bool) decisionLine {
	line := decisionLine{
		ID: d.ID, Date: present.Dated(d.Date), Decision: d.Action, Thesis: d.Thesis, Disproof: d.Disproof, Outcome: d.Outcome,
		ReviewOn: present.Dated(d.ReviewOn), Due: d.Due(j.Today()), Closed: present.Dated(d.Closed), decision: d,
	}
	if !full {
		line.Thesis, line.Disproof, line.Outcome = beginning(d.Thesis), beginning(d.Disproof), beginning(d.Outcome)
	}
	if d.Confidence.Valid {
		line.Confidence = &d.Confidence.Decimal
	}
	for _, m := range d.Marks {
		line.Marks = append(line.Marks, decisionMarkOf(m))
	}
	if d.Benchmark != nil {
		m := decisionMarkOf(*d.Benchmark)
		line.Benchmark = &m
	}
	return line
}

func decisionMarkOf(m journal.Mark) decisionMark {
	out := decisionMark{Symbol: m.Symbol, Currency: m.Currency, AsOf: present.Dated(m.AsOf), Source: m.Source}
	if m.Price.Valid {
		out.Price = &m.Price.Decimal
	}
	return out
}

// beginning is so much of a text as a list gives.
func beginning(text string) string {
	runes := []rune(text)
	if len(runes) <= longestInList {
		return text
	}
	return string(runes[:longestInList-1]) + "…"
}

// forModel is the answer with the newest n decisions, as a model may read it.
func (a decisionsAnswer) forModel(d Deps, n int) decisionsAnswer {
	a.LeftOut, a.Decisions = a.LeftOut+len(a.Decisions)-n, slices.Clone(a.Decisions[:n])
	for i := range a.Decisions {
		line := &a.Decisions[i]
		line.Thesis, line.Disproof, line.Outcome = d.ownWords(line.Thesis), d.ownWords(line.Disproof), d.ownWords(line.Outcome)
	}
	if d.HideAmounts {
		a.Amounts = present.AmountsHidden
	}
	return a
}
