package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// results are the outcomes of a turn by what they are about.
type results struct {
	quotes, histories, returns, charts, sums, times []Object
	own                                             []Outcome // of what the user keeps
	failures                                        []Outcome
	shown                                           []string // Markdown that the program shows of a workflow
	unread                                          []string // tools whose results the assistant cannot read
	cut                                             []string // tools whose results arrived cut short
}

func sortResults(outcomes []Outcome) results {
	var r results
	for _, o := range outcomes {
		if o.Err != "" && !o.refusedPlan() {
			r.failures = append(r.failures, o)
			continue
		}
		if o.Result.cut {
			r.cut = append(r.cut, o.Tool)
		}
		switch o.Tool {
		case toolname.Quote:
			r.quotes = append(r.quotes, o.Result)
		case toolname.History:
			r.histories = append(r.histories, o.Result)
		case toolname.Returns:
			r.returns = append(r.returns, o.Result)
		case toolname.Chart:
			r.charts = append(r.charts, o.Result)
		case toolname.Calculate:
			r.sums = append(r.sums, o.Result)
		case toolname.Time:
			r.times = append(r.times, o.Result)
		case toolname.Skill, toolname.SkillFile:
		default:
			if isOwn(o.Tool) {
				r.own = append(r.own, o)
				continue
			}
			if shown := o.Result.Raw("shown"); toolname.IsWorkflow(o.Tool) && shown != "" {
				r.shown = append(r.shown, strings.TrimSpace(shown))
				continue
			}
			r.unread = append(r.unread, o.Tool)
		}
	}
	return r
}

// report writes the paragraphs of an answer: the finding first, then the
// failures, then where the numbers come from.
func (a Asked) report(outcomes []Outcome) []string {
	r := sortResults(outcomes)
	parts := append([]string{a.unconverted(outcomes)}, a.grown(&r)...)
	if len(r.returns) > 1 {
		parts = append(parts, compared(r.returns)...)
	} else {
		for _, o := range r.returns {
			parts = append(parts, returned(o)...)
		}
	}
	for _, o := range r.histories {
		if a.Day != "" {
			parts = append(parts, closedBy(o, a.Day)...)
			continue
		}
		parts = append(parts, r.historyOf(o)...)
	}
	var drawn []Object // where what is drawn comes from
	for _, o := range r.charts {
		parts = append(parts, charted(o)...)
		drawn = append(drawn, o.objects("sources")...)
	}
	var quotes []Object
	for _, o := range r.quotes {
		quotes = append(quotes, o.objects("quotes")...)
	}
	parts = append(append(parts, priced(quotes)...), a.valued(&r, outcomes)...)
	for _, o := range r.sums {
		parts = append(parts, worked(o))
	}
	for _, o := range r.times {
		parts = append(parts, timed(o))
	}
	for _, o := range r.own {
		parts = append(parts, a.toldOwn(o)...)
	}
	parts = append(parts, r.problems()...)
	return append(parts, sources(slices.Concat(r.returns, r.histories, quotes, drawn))...)
}

// historyOf is short where the returns over the same prices are told already.
func (r results) historyOf(o Object) []string {
	for _, told := range r.returns {
		if told.Text("symbol") == o.Text("symbol") {
			return []string{endpoints(o)}
		}
	}
	return described(o)
}

func worked(o Object) string {
	result := o.Text("result")
	if result == "" {
		result = absent
	}
	text := "`" + strings.ReplaceAll(o.Text("expression"), "`", "'") + "` = **" + quoted.Escaped(result) + "**"
	if string(o.fields["exact"]) == "false" {
		text += " (rounded)"
	}
	return text
}

func timed(o Object) string {
	clock := o.known("time")
	if at, err := time.Parse(time.RFC3339, o.Text("time")); err == nil {
		clock = at.Format("15:04")
	}
	return fmt.Sprintf("It is **%s** on **%s, %s** (%s; %s).", clock, o.known("weekday"), o.known("date"), o.known("timezone"), o.known("utc"))
}
