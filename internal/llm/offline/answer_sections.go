package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// results are the outcomes of a turn by what they are about.
type results struct {
	quotes, histories, returns, charts, sums, times []ResultObject
	userData                                        []ToolOutcome // of what the user keeps
	failures                                        []ToolOutcome
	shown                                           []string // Markdown that the program shows of a workflow
	unread                                          []string // tools whose results the assistant cannot read
	truncated                                       []string // tools whose results arrived cut short
}

func sortResults(outcomes []ToolOutcome) results {
	var r results
	for _, o := range outcomes {
		if o.Err != "" && !o.isRefusedPlan() {
			r.failures = append(r.failures, o)
			continue
		}
		if o.Result.truncated {
			r.truncated = append(r.truncated, o.Tool)
		}
		switch o.Tool {
		case ToolQuote:
			r.quotes = append(r.quotes, o.Result)
		case ToolHistory:
			r.histories = append(r.histories, o.Result)
		case ToolReturns:
			r.returns = append(r.returns, o.Result)
		case ToolChart:
			r.charts = append(r.charts, o.Result)
		case ToolCalculate:
			r.sums = append(r.sums, o.Result)
		case ToolTime:
			r.times = append(r.times, o.Result)
		case ToolSkill, ToolSkillFile:
		default:
			if isUserDataTool(o.Tool) {
				r.userData = append(r.userData, o)
				continue
			}
			if shown := o.Result.Raw("shown"); IsWorkflowTool(o.Tool) && shown != "" {
				r.shown = append(r.shown, strings.TrimSpace(shown))
				continue
			}
			r.unread = append(r.unread, o.Tool)
		}
	}
	return r
}

// paragraphs writes the paragraphs of an answer: the finding first, then the
// failures, then where the numbers come from.
func (a AnswerInput) paragraphs(outcomes []ToolOutcome) []string {
	r := sortResults(outcomes)
	parts := append([]string{a.currencyMismatch(outcomes)}, a.investmentLines(&r)...)
	if len(r.returns) > 1 {
		parts = append(parts, comparisonLines(r.returns)...)
	} else {
		for _, o := range r.returns {
			parts = append(parts, returnLines(o)...)
		}
	}
	for _, o := range r.histories {
		if a.Day != "" {
			parts = append(parts, closeOnLines(o, a.Day)...)
			continue
		}
		parts = append(parts, r.historyOf(o)...)
	}
	var drawn []ResultObject // where what is drawn comes from
	for _, o := range r.charts {
		parts = append(parts, chartLines(o)...)
		drawn = append(drawn, o.objects("sources")...)
	}
	var quotes []ResultObject
	for _, o := range r.quotes {
		quotes = append(quotes, o.objects("quotes")...)
	}
	parts = append(append(parts, quoteLines(quotes)...), a.valueLines(&r, outcomes)...)
	for _, o := range r.sums {
		parts = append(parts, sumLine(o))
	}
	for _, o := range r.times {
		parts = append(parts, timeLine(o))
	}
	for _, o := range r.userData {
		parts = append(parts, a.userDataLines(o)...)
	}
	parts = append(parts, r.failureLines()...)
	return append(parts, sources(slices.Concat(r.returns, r.histories, quotes, drawn))...)
}

// historyOf is short where the answer already has the returns over the same prices.
func (r results) historyOf(o ResultObject) []string {
	for _, returns := range r.returns {
		if returns.Text("symbol") == o.Text("symbol") {
			return []string{endpoints(o)}
		}
	}
	return historyLines(o)
}

func sumLine(o ResultObject) string {
	result := o.Text("result")
	if result == "" {
		result = absent
	}
	text := "`" + strings.ReplaceAll(o.Text("expression"), "`", "'") + "` = **" + EscapeMarkdown(result) + "**"
	if string(o.fields["exact"]) == "false" {
		text += " (rounded)"
	}
	return text
}

func timeLine(o ResultObject) string {
	clock := o.textOrAbsent("time")
	if at, err := time.Parse(time.RFC3339, o.Text("time")); err == nil {
		clock = at.Format("15:04")
	}
	return fmt.Sprintf("It is **%s** on **%s, %s** (%s; %s).", clock, o.textOrAbsent("weekday"), o.textOrAbsent("date"), o.textOrAbsent("timezone"), o.textOrAbsent("utc"))
}
