package advice

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// scoreLine is what became of one decision. What is not known is null, and Notes say
// why.
type scoreLine struct {
	ID        string                  `json:"id"`
	Date      string                  `json:"date"`
	Decision  investor.DecisionAction `json:"decision"`
	Symbols   []market.Symbol         `json:"symbols"`
	Benchmark market.Symbol           `json:"benchmark,omitempty"`
	From      string                  `json:"from,omitempty"` // of the closes
	To        string                  `json:"to,omitempty"`
	Days      int                     `json:"days"`

	ReturnPct        *decimal.Decimal `json:"return_pct"`
	BenchmarkPct     *decimal.Decimal `json:"benchmark_pct"`
	ExcessPct        *decimal.Decimal `json:"excess_pct"`
	EdgePct          *decimal.Decimal `json:"edge_pct"`
	ReturnYearPct    *decimal.Decimal `json:"return_a_year_pct"`
	BenchmarkYearPct *decimal.Decimal `json:"benchmark_a_year_pct"`
	ReturnKind       string           `json:"return_kind,omitempty"`
	Right            *bool            `json:"right"`

	Due      bool     `json:"due"`
	ReviewOn string   `json:"review_on,omitempty"`
	Closed   string   `json:"closed,omitempty"`
	Thesis   string   `json:"thesis,omitempty"`   // of one that is due, or asked for
	Disproof string   `json:"disproof,omitempty"` // the same
	Outcome  string   `json:"outcome,omitempty"`
	Notes    []string `json:"notes"`

	decision investor.Decision
	score    investor.DecisionScore
	growths  map[market.Symbol]measuredGrowth
}

// reviewSummary is what all scores come to, in per cent.
type reviewSummary struct {
	Decisions   int              `json:"decisions"`
	Judged      int              `json:"judged"`
	Right       int              `json:"right"`
	HitRatePct  *decimal.Decimal `json:"hit_rate_pct"`
	LowPct      *decimal.Decimal `json:"hit_rate_low_pct"` // ends of the 95 % interval
	HighPct     *decimal.Decimal `json:"hit_rate_high_pct"`
	MeanEdgePct *decimal.Decimal `json:"mean_edge_pct"`
	Brier       *decimal.Decimal `json:"brier"`
	Confidents  int              `json:"confidents"` // judged ones with a confidence
	Due         int              `json:"due"`
	Says        string           `json:"says"`
}

// priceOrigin is where the prices of a symbol are from.
type priceOrigin struct {
	Symbol market.Symbol `json:"symbol"`
	toolkit.Origin
}

type reviewAnswer struct {
	Day     string        `json:"day"`
	Summary reviewSummary `json:"summary"`
	Scores  []scoreLine   `json:"scores"` // the newest first
	LeftOut int           `json:"left_out,omitempty"`
	Amounts string        `json:"amounts,omitempty"`
	Prices  []priceOrigin `json:"prices"`
	Next    string        `json:"next,omitempty"`
	toolkit.Origin

	day market.Date
}

// review scores decisions, and says which are due.
func (j *journalTool) review(ctx context.Context, in decisionInput) (tool.Result, error) {
	chosen, err := j.selectDecisions(ctx, in)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	found, err := j.fetchHistories(ctx, chosen)
	if err != nil {
		return tool.Result{}, err
	}
	a := reviewAnswer{Day: toolkit.FormatDate(j.Today()), Prices: historyOrigins(found), Origin: j.journalOrigin(chosen), day: j.Today()}
	var scores []investor.DecisionScore
	for _, d := range slices.Backward(chosen) {
		line := j.newScoreLine(d, found, in.ID != "")
		a.Scores = append(a.Scores, line)
		scores = append(scores, line.score)
	}
	a.Summary = newReviewSummary(investor.SummarizeScores(scores))
	if a.Summary.Due > 0 {
		a.Next = "go through each that is due: has what would disprove it come about? then close it with what came of it, or leave it open"
	}
	model, err := toolkit.FitToLimit(len(a.Scores), func(n int) any { return a.forModel(j.JournalDeps, n) })
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{
		Value: a, ForModel: model, ForUser: a.markdown(), Title: "review of the journal · " + a.Day, Summary: a.Summary.Says, Figures: a.figures(),
	}, nil
}

// historyOrigins are where prices are from, by symbol; those that are not known are said
// with their decisions.
func historyOrigins(found map[market.Symbol]assetHistory) []priceOrigin {
	out := []priceOrigin{}
	for sym, h := range found {
		if h.err == nil {
			out = append(out, priceOrigin{sym, toolkit.OriginOf(h.plain.Provenance)})
		}
	}
	slices.SortFunc(out, func(a, b priceOrigin) int {
		if a.Symbol < b.Symbol {
			return -1
		}
		return 1
	})
	return out
}

// forModel is the answer with the newest n scores, as a model may read it.
func (a reviewAnswer) forModel(d JournalDeps, n int) reviewAnswer {
	a.LeftOut, a.Scores = len(a.Scores)-n, slices.Clone(a.Scores[:n])
	for i := range a.Scores {
		line := &a.Scores[i]
		line.Thesis, line.Disproof, line.Outcome = d.maskNote(line.Thesis), d.maskNote(line.Disproof), d.maskNote(line.Outcome)
	}
	if d.HideAmounts {
		a.Amounts = toolkit.AmountsHiddenNote
	}
	return a
}
