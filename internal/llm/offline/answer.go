package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// answer writes what came of the calls, and what did not.
func (c conversation) answer(in intent) string {
	parts := in.notes()
	if in.topic.takesSymbols() {
		if missing := c.missing(in.tasks()); len(missing) > 0 {
			parts = append(parts, "! "+lacking(missing)+" The answer goes without.")
		}
	}
	return joined(append(parts, in.report(c.outcomes)...))
}

// joined makes paragraphs of parts. An answer is never empty: the loop would
// take that for a broken model.
func joined(parts []string) string {
	text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
	if text == "" {
		return "The tools gave no result, so there is nothing that I can say."
	}
	return text
}

// results are the outcomes of a turn by what they are about.
type results struct {
	quotes, histories, returns, charts, sums, times []object
	own                                             []outcome // of what the user keeps
	failures                                        []outcome
	shown                                           []string // Markdown that the program shows of a workflow
	unread                                          []string // tools whose results the assistant cannot read
	cut                                             []string // tools whose results arrived cut short
}

func sortResults(outcomes []outcome) results {
	var r results
	for _, o := range outcomes {
		if o.err != "" && !o.refusedPlan() {
			r.failures = append(r.failures, o)
			continue
		}
		if o.result.cut {
			r.cut = append(r.cut, o.call.Name)
		}
		switch o.call.Name {
		case toolQuote:
			r.quotes = append(r.quotes, o.result)
		case toolHistory:
			r.histories = append(r.histories, o.result)
		case toolReturns:
			r.returns = append(r.returns, o.result)
		case toolChart:
			r.charts = append(r.charts, o.result)
		case toolCalculate:
			r.sums = append(r.sums, o.result)
		case toolTime:
			r.times = append(r.times, o.result)
		case toolSkill, toolSkillFile:
		default:
			if isOwn(o.call.Name) {
				r.own = append(r.own, o)
				continue
			}
			if shown := o.result.raw("shown"); isWorkflow(o) && shown != "" {
				r.shown = append(r.shown, strings.TrimSpace(shown))
				continue
			}
			r.unread = append(r.unread, o.call.Name)
		}
	}
	return r
}

// report writes the paragraphs of an answer: the finding first, then the
// failures, then where the numbers come from.
func (in intent) report(outcomes []outcome) []string {
	r := sortResults(outcomes)
	parts := append([]string{in.unconverted(outcomes)}, in.grown(&r)...)
	if len(r.returns) > 1 {
		parts = append(parts, compared(r.returns)...)
	} else {
		for _, o := range r.returns {
			parts = append(parts, returned(o)...)
		}
	}
	for _, o := range r.histories {
		if day := in.span.day(); day != "" && in.topic == topicHistory {
			parts = append(parts, closedBy(o, day)...)
			continue
		}
		parts = append(parts, r.historyOf(o)...)
	}
	var drawn []object // where what is drawn comes from
	for _, o := range r.charts {
		parts = append(parts, charted(o)...)
		drawn = append(drawn, o.objects("sources")...)
	}
	var quotes []object
	for _, o := range r.quotes {
		quotes = append(quotes, o.objects("quotes")...)
	}
	parts = append(append(parts, priced(quotes)...), in.valued(&r, outcomes)...)
	for _, o := range r.sums {
		parts = append(parts, worked(o))
	}
	for _, o := range r.times {
		parts = append(parts, timed(o))
	}
	for _, o := range r.own {
		parts = append(parts, in.toldOwn(o)...)
	}
	parts = append(parts, r.problems()...)
	return append(parts, sources(slices.Concat(r.returns, r.histories, quotes, drawn))...)
}

// historyOf is short where the returns over the same prices are told already.
func (r results) historyOf(o object) []string {
	for _, told := range r.returns {
		if told.text("symbol") == o.text("symbol") {
			return []string{endpoints(o)}
		}
	}
	return described(o)
}

func worked(o object) string {
	result := o.text("result")
	if result == "" {
		result = absent
	}
	text := "`" + strings.ReplaceAll(o.text("expression"), "`", "'") + "` = **" + escaped(result) + "**"
	if string(o.fields["exact"]) == "false" {
		text += " (rounded)"
	}
	return text
}

func timed(o object) string {
	clock := o.known("time")
	if at, err := time.Parse(time.RFC3339, o.text("time")); err == nil {
		clock = at.Format("15:04")
	}
	return fmt.Sprintf("It is **%s** on **%s, %s** (%s; %s).", clock, o.known("weekday"), o.known("date"), o.known("timezone"), o.known("utc"))
}
