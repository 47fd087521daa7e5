package advice

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// scoreLine is the result of one decision. Unknown figures are null, with the reason in Notes.
type scoreLine struct {
	Name      string                  `json:"-" label:"decision"` // "2024-01-02 buy VTI"
	Date      string                  `json:"date"`
	Decision  investor.DecisionAction `json:"decision"`
	Symbols   []market.Symbol         `json:"symbols"`
	From      string                  `json:"from,omitempty"` // of the first closes
	To        string                  `json:"to,omitempty"`
	Days      int                     `json:"days" label:"period" unit:"days"`
	ReturnPct *decimal.Decimal        `json:"return_pct" label:"return" as:"change" in:"percent"`
	Benchmark market.Symbol           `json:"benchmark,omitempty" label:"against"`

	BenchmarkPct     *decimal.Decimal `json:"benchmark_pct" label:"benchmark return" as:"change" in:"percent" formula:"last close / first close - 1"`
	ExcessPct        *decimal.Decimal `json:"excess_pct" label:"excess return" as:"points" in:"percent" row:"-" formula:"return - return of the benchmark"`
	EdgePct          *decimal.Decimal `json:"edge_pct" label:"edge" as:"points" in:"percent"`
	ReturnYearPct    *decimal.Decimal `json:"return_a_year_pct" label:"yearly return" as:"change" in:"percent" row:"-" formula:"(1 + return)^(365.25 / days) - 1"`
	BenchmarkYearPct *decimal.Decimal `json:"benchmark_a_year_pct" label:"yearly return of the benchmark" as:"change" in:"percent" row:"-" formula:"(1 + return)^(365.25 / days) - 1"`
	ReturnKind       string           `json:"return_kind,omitempty"`
	Right            *bool            `json:"right"`
	Result           string           `json:"-" label:"result"`

	Due      bool             `json:"due"`
	ReviewOn string           `json:"review_on,omitempty"`
	Closed   string           `json:"closed,omitempty"`
	State    string           `json:"-" label:"state"`
	Thesis   toolkit.OwnWords `json:"thesis,omitempty"`   // if the decision is due or requested
	Disproof toolkit.OwnWords `json:"disproof,omitempty"` // like Thesis
	Outcome  toolkit.OwnWords `json:"outcome,omitempty"`
	Notes    []string         `json:"notes"`
	ID       string           `json:"id" label:"id"`

	decision investor.Decision
	score    investor.DecisionScore
	growths  map[market.Symbol]measuredGrowth
}

// reviewSummary summarizes all scores.
type reviewSummary struct {
	Decisions   int              `json:"decisions" label:"reviewed" unit:"decisions"`
	Judged      int              `json:"judged" label:"judged" unit:"decisions" key:"3" formula:"number of right or wrong decisions"`
	Right       int              `json:"right" label:"right" unit:"decisions" formula:"number of decisions with an edge above zero; for hold, zero or above"`
	HitRatePct  *decimal.Decimal `json:"hit_rate_pct" label:"hit rate" as:"percent" in:"percent" key:"1" formula:"right / judged"`
	LowPct      *decimal.Decimal `json:"hit_rate_low_pct" label:"hit rate, low end of the 95% interval" as:"percent" in:"percent"`
	HighPct     *decimal.Decimal `json:"hit_rate_high_pct" label:"hit rate, high end of the 95% interval" as:"percent" in:"percent"`
	MeanEdgePct *decimal.Decimal `json:"mean_edge_pct" label:"mean edge over the benchmark" as:"points" in:"percent" key:"2" formula:"sum of the edges / judged"`
	Brier       *decimal.Decimal `json:"brier" label:"Brier score of your confidence" unit:"score" basis:"0 is perfect, 0.25 is a coin" formula:"mean of (confidence - result)^2, result 1 for right and 0 for wrong"`
	Confidents  int              `json:"confidents"` // judged decisions with a confidence
	Due         int              `json:"due" label:"due for review" unit:"decisions" key:"4" formula:"number of open decisions whose review date has passed"`
	Says        string           `json:"says"`
}

type reviewAnswer struct {
	Day     string                  `json:"day"`
	Summary reviewSummary           `json:"summary"`
	Scores  []scoreLine             `json:"scores" table:"Decisions" max:"fit"` // newest first
	Prices  []positions.PriceOrigin `json:"prices"`
	Sources []toolkit.NamedOrigin   `json:"-" label:"prices"` // the same, for display
	Next    string                  `json:"next,omitempty"`
	toolkit.Origin

	day market.Date
}

// review scores decisions and lists those that are due.
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
	for _, p := range a.Prices {
		a.Sources = append(a.Sources, toolkit.NamedOrigin{Name: string(p.Symbol), Origin: p.Origin})
	}
	var scores []investor.DecisionScore
	for _, d := range slices.Backward(chosen) {
		line := j.newScoreLine(d, found, in.ID != "")
		a.Scores = append(a.Scores, line)
		scores = append(scores, line.score)
	}
	a.Summary = newReviewSummary(investor.SummarizeScores(scores))
	if a.Summary.Due > 0 {
		a.Next = "for each due decision, ask whether its disproof has happened; then close it with the result, or leave it open"
	}
	return toolkit.Render(a), nil
}

// historyOrigins returns the origins of the known prices, by symbol.
func historyOrigins(found map[market.Symbol]assetHistory) []positions.PriceOrigin {
	out := []positions.PriceOrigin{}
	for sym, h := range found {
		if h.err == nil {
			out = append(out, positions.PriceOrigin{Symbol: sym, Origin: toolkit.OriginOf(h.plain.Provenance)})
		}
	}
	slices.SortFunc(out, func(a, b positions.PriceOrigin) int { return cmp.Compare(a.Symbol, b.Symbol) })
	return out
}

// Headline implements [toolkit.Answer].
func (a reviewAnswer) Headline(lang string) string {
	s := a.Summary
	percent := func(pct *decimal.Decimal) string { return toolkit.Format(pct.Shift(-2), toolkit.Percent, "") }
	if lang != "zh" && s.Judged == 0 {
		return fmt.Sprintf("No decision has been judged yet; %d due.", s.Due)
	}
	if lang != "zh" {
		edge := ""
		if s.MeanEdgePct != nil {
			edge = "; mean edge " + toolkit.Format(s.MeanEdgePct.Shift(-2), toolkit.Points, "")
		}
		return fmt.Sprintf("%s%s; %d due.", s.verdict(), edge, s.Due)
	}
	if s.Judged == 0 {
		return fmt.Sprintf("还没有可评判的决策；%d 个待复盘。", s.Due)
	}
	rate := ""
	if s.HitRatePct != nil {
		rate = fmt.Sprintf("（%s，95%% 区间 %s 至 %s）", percent(s.HitRatePct), percent(s.LowPct), percent(s.HighPct))
	}
	return fmt.Sprintf("%d 个已评判的决策中有 %d 个正确%s；%d 个待复盘。", s.Judged, s.Right, rate, s.Due)
}

// Title implements [toolkit.Titled].
func (a reviewAnswer) Title() string { return "journal review · " + a.Day }

// Explain implements [toolkit.Explainer].
func (a reviewAnswer) Explain(field string) toolkit.Explanation {
	s, e := a.Summary, toolkit.Explanation{AsOf: a.day}
	right, judged := fmt.Sprintf("right %d", s.Right), fmt.Sprintf("judged %d", s.Judged)
	switch field {
	case "summary.hit_rate_pct":
		e.Inputs, e.Omit = []string{right, judged}, s.HitRatePct == nil
	case "summary.hit_rate_low_pct":
		e.Basis, e.Formula, e.Inputs, e.Omit = "Wilson 1927", wilsonFormula+" with -", []string{right, judged}, s.LowPct == nil
	case "summary.hit_rate_high_pct":
		e.Basis, e.Formula, e.Inputs, e.Omit = "Wilson 1927", wilsonFormula+" with +", []string{right, judged}, s.HighPct == nil
	case "summary.mean_edge_pct":
		e.Omit = s.MeanEdgePct == nil
		e.Inputs = a.meanInputs(func(line scoreLine) string { return fmt.Sprintf("edge of %s %s points", line.ID, line.EdgePct) })
	case "summary.brier":
		e.Omit = s.Brier == nil
		e.Inputs = a.meanInputs(func(line scoreLine) string {
			if line.score.Confidence == nil {
				return ""
			}
			return fmt.Sprintf("%s: confidence %s, right: %t", line.ID, line.decision.Confidence.Decimal, *line.Right)
		})
	}
	return e
}

// wilsonFormula describes [investor.WilsonInterval].
const wilsonFormula = "(2 h + z^2 ± z sqrt(z^2 + 4 h (1 - h / n))) / (2 (n + z^2)), h right of n judged, z = 1.959964"

// meanInputs lists the inputs of a mean over all judged decisions.
func (a reviewAnswer) meanInputs(format func(scoreLine) string) []string {
	var out []string
	for _, line := range a.Scores {
		if line.Right == nil {
			continue
		}
		if text := format(line); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// Text implements [toolkit.Texter]: the texts of decisions that need attention, and why decisions
// are not judged.
func (a reviewAnswer) Text() string {
	var b strings.Builder
	for _, line := range a.Scores {
		if line.Disproof == "" {
			continue
		}
		fmt.Fprintf(&b, "**%s**, %s (`%s`)\n\n", line.Name, line.State, line.ID)
		for _, words := range []struct {
			name string
			text toolkit.OwnWords
		}{{"thesis", line.Thesis}, {"what would disprove it", line.Disproof}, {"outcome", line.Outcome}} {
			if words.text != "" {
				fmt.Fprintf(&b, "- %s: %s\n", words.name, toolkit.EscapeMarkdown(string(words.text)))
			}
		}
		b.WriteString("\n")
	}
	for _, line := range a.Scores {
		if line.Right == nil && len(line.Notes) > 0 {
			fmt.Fprintf(&b, "- %s not judged: %s\n", line.ID, toolkit.EscapeMarkdown(strings.Join(line.Notes, "; ")))
		}
	}
	return b.String()
}

// Explain implements [toolkit.Explainer] for the numbers of one decision.
func (line scoreLine) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: line.score.To, Source: line.sources()}
	own, against := line.closes(line.Symbols...), line.closes(line.Benchmark)
	switch field {
	case "return_pct":
		e.Inputs, e.Formula = own, "last close / first close - 1"
		if len(line.Symbols) > 1 {
			e.Formula = "mean of " + e.Formula + " over the symbols"
		}
	case "benchmark_pct":
		e.Inputs = against
	case "excess_pct":
		e.Inputs = slices.Concat(own, against)
	case "edge_pct":
		e.Inputs, e.Formula = slices.Concat(own, against), "return - return of the benchmark"
		if line.Decision == investor.ActionSell || line.Decision == investor.ActionAvoid {
			e.Formula = "return of the benchmark - return, because the symbol was sold or avoided"
		}
	case "return_a_year_pct":
		e.Inputs = append(own, fmt.Sprintf("days %d", line.Days))
	case "benchmark_a_year_pct":
		e.Inputs = append(against, fmt.Sprintf("days %d", line.Days))
	}
	return e
}

// closes lists the first and last closes used for the returns.
func (line scoreLine) closes(symbols ...market.Symbol) []string {
	var out []string
	for _, sym := range symbols {
		g, ok := line.growths[sym]
		if !ok {
			continue
		}
		kind := "close"
		if g.Total {
			kind = "close adjusted for dividends"
		}
		out = append(out, fmt.Sprintf("first %s of %s %s on %s", kind, g.Symbol, g.first, toolkit.FormatDate(g.From)),
			fmt.Sprintf("last %s of %s %s on %s", kind, g.Symbol, g.last, toolkit.FormatDate(g.To)))
	}
	return out
}

// sources lists the sources of the prices.
func (line scoreLine) sources() string {
	var names []string
	for _, m := range comparedMarks(line.decision) {
		if g, ok := line.growths[m.Symbol]; ok && !slices.Contains(names, g.Source) {
			names = append(names, g.Source)
		}
	}
	return strings.Join(names, ", ")
}

// evenEdge is the edge below which a decision counts as equal to its benchmark.
const evenEdge = 0.00005

// newScoreLine scores one decision.
func (j *journalTool) newScoreLine(d investor.Decision, histories map[market.Symbol]assetHistory, full bool) scoreLine {
	line := scoreLine{
		ID: d.ID, Date: toolkit.FormatDate(d.Date), Decision: d.Action, Due: d.Due(j.Today()), ReviewOn: toolkit.FormatDate(d.ReviewOn),
		Closed: toolkit.FormatDate(d.Closed), Outcome: listExcerpt(d.Outcome), Notes: []string{}, decision: d,
	}
	line.Name = fmt.Sprintf("%s %s %s", line.Date, d.Action, toolkit.Abbreviate(joinSymbols(d)))
	line.State = stateOf(d, line.Due)
	for _, m := range d.Assets {
		line.Symbols = append(line.Symbols, m.Symbol)
	}
	if d.Benchmark != nil {
		line.Benchmark = d.Benchmark.Symbol
	}
	switch {
	case full:
		line.Thesis, line.Disproof, line.Outcome = toolkit.OwnWords(d.Thesis), toolkit.OwnWords(d.Invalidation), toolkit.OwnWords(d.Outcome)
	case line.Due:
		line.Thesis, line.Disproof = listExcerpt(d.Thesis), listExcerpt(d.Invalidation)
	}
	line.growths, line.Notes = measureGrowths(d, histories, j.Today())
	line.setReturns(d, j.Today())
	return line
}

// setReturns sets the returns, excess return and edge.
func (line *scoreLine) setReturns(d investor.Decision, today market.Date) {
	var growths []investor.AssetReturn
	for _, m := range d.Assets {
		if g, ok := line.growths[m.Symbol]; ok {
			growths = append(growths, g.AssetReturn)
		}
	}
	var against *investor.AssetReturn
	if g, ok := line.growths[line.Benchmark]; ok && d.Benchmark != nil {
		against = &g.AssetReturn
	}
	s, err := investor.ScoreDecision(d, today, growths, against)
	if err != nil {
		line.Notes = append(line.Notes, err.Error())
		line.score = investor.DecisionScore{ID: d.ID, Due: line.Due}
		return
	}
	if d.Benchmark != nil && against == nil {
		// The notes already report missing data of the benchmark.
		s.Notes = slices.DeleteFunc(s.Notes, func(n string) bool { return len(line.Notes) > 0 && n == investor.NoBenchmark })
	}
	line.score, line.Notes = s, append(append([]string{}, line.Notes...), s.Notes...)
	if s.Right != nil {
		line.Result = map[bool]string{true: "right", false: "wrong"}[*s.Right]
	}
	if s.Right != nil && s.Edge != nil && math.Abs(*s.Edge) < evenEdge {
		s.Right, s.Notes = nil, append(slices.Clone(s.Notes), "matched its benchmark: neither right nor wrong")
		line.score, line.Notes, line.Result = s, append(line.Notes, s.Notes[len(s.Notes)-1]), "even"
	}
	line.From, line.To, line.Days, line.Right = toolkit.FormatDate(s.From), toolkit.FormatDate(s.To), s.Days, s.Right
	line.ReturnPct, line.BenchmarkPct, line.ExcessPct, line.EdgePct = toolkit.PercentOfFraction(s.Return), toolkit.PercentOfFraction(s.Benchmark), toolkit.PercentOfFraction(s.Excess), toolkit.PercentOfFraction(s.Edge)
	line.ReturnYearPct, line.BenchmarkYearPct = toolkit.PercentOfFraction(s.ReturnYear), toolkit.PercentOfFraction(s.BenchmarkYear)
	if s.Return != nil {
		line.ReturnKind = returnKind(line.growths[d.Assets[0].Symbol].Total)
	}
}

func returnKind(total bool) string {
	if total {
		return "total return, dividends reinvested"
	}
	return "price return, no dividends"
}

func newReviewSummary(s investor.DecisionSummary) reviewSummary {
	out := reviewSummary{
		Decisions: s.Decisions, Judged: s.Judged, Right: s.Right, HitRatePct: toolkit.PercentOfFraction(s.HitRate), MeanEdgePct: toolkit.PercentOfFraction(s.MeanEdge),
		Confidents: s.WithConfidence, Due: s.Due,
	}
	if s.Interval != nil {
		out.LowPct, out.HighPct = toolkit.PercentOfFraction(&s.Interval.Low), toolkit.PercentOfFraction(&s.Interval.High)
	}
	if s.Brier != nil {
		out.Brier = new(decimal.NewFromFloat(*s.Brier))
	}
	out.Says = fmt.Sprintf("%s · %d due", out.verdict(), out.Due)
	return out
}

func (s reviewSummary) verdict() string {
	percent := func(pct *decimal.Decimal) string { return toolkit.Format(pct.Shift(-2), toolkit.Percent, "") }
	switch {
	case s.Judged == 0:
		return "no decision judged yet"
	case s.HitRatePct == nil:
		return fmt.Sprintf("%d of %d judged decisions were right; a rate requires at least %d", s.Right, s.Judged, investor.MinScores)
	}
	return fmt.Sprintf("%d of %d judged decisions were right (%s, 95%% interval %s to %s)", s.Right, s.Judged, percent(s.HitRatePct), percent(s.LowPct), percent(s.HighPct))
}
