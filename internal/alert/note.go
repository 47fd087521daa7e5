package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
)

// noteTool is the tool that runs the skill morning-note.
const noteTool = "skill_morning_note"

// mostInNote is the maximum number of alerts, moves and payments listed in a morning note.
const mostInNote = 3

// note writes a morning note once a day, from the rule's time on. It contains no amounts of the portfolio.
func (e *evaluation) note(ctx context.Context, s StoredRule) ([]Reading, error) {
	at, err := time.Parse("15:04", s.Rule.Time)
	if err != nil {
		return nil, unknown("the rule has no time")
	}
	due := time.Date(e.now.Year(), e.now.Month(), e.now.Day(), at.Hour(), at.Minute(), 0, 0, e.now.Location())
	since := due.AddDate(0, 0, -1)
	if s.Rule.Weekdays && due.Weekday() == time.Monday {
		since = due.AddDate(0, 0, -3)
	}
	out := Reading{Subject: "note", Event: day(due), AsOf: due, Holds: true}
	_, written := e.states[stateKey{s.ID, out.stateSubject()}]
	weekend := due.Weekday() == time.Saturday || due.Weekday() == time.Sunday
	if !e.preview && (written || e.now.Before(due) || due.Before(s.CreatedAt) || s.Rule.Weekdays && weekend) {
		return nil, nil
	}
	run, from, err := get[noteRun](ctx, e.answers, noteTool, args{})
	if err != nil {
		return nil, err
	}
	lines := []string{"Morning note of " + day(due) + "."}
	for _, step := range run.Steps {
		n := notePart{figures: from.result.Figures, step: step.ID}
		switch {
		case step.Error != "":
			n.lines = []string{clip(strings.ToUpper(step.ID[:1]) + step.ID[1:] + ": " + step.Error + ".")}
		case step.ID == "alerts":
			err = n.addAlerts(step.Output, s.ID, since)
		case step.ID == "positions":
			err = n.addMoves(step.Output)
		case step.ID == "income":
			err = n.addPayments(step.Output)
		}
		if err != nil {
			return nil, unknown(fmt.Sprintf("step %s of the morning note: %v", step.ID, err))
		}
		lines, out.Figures = append(lines, n.lines...), append(out.Figures, n.used...)
	}
	out.Text, out.Call = strings.Join(lines, "\n"), from.call
	return []Reading{out}, nil
}

// notePart collects what a step adds to a note.
type notePart struct {
	step    string
	figures []tool.Figure // of the whole run
	lines   []string
	used    []tool.Figure
}

// use adds the step's figure with an ID to those of the note.
func (n *notePart) use(id string) {
	for _, f := range n.figures {
		if f.ID == n.step+"."+id {
			n.used = append(n.used, f)
		}
	}
}

func (n *notePart) addAlerts(output json.RawMessage, rule string, since time.Time) error {
	var log alertLog
	if err := json.Unmarshal(output, &log); err != nil {
		return err
	}
	count := 0
	for _, one := range log.Alerts {
		if at, err := time.Parse(time.DateTime, one.At); err != nil || one.Rule == rule || at.Before(since) {
			continue
		}
		if count++; count <= mostInNote {
			n.lines = append(n.lines, "Alert: "+clip(one.Text))
		}
	}
	if count > mostInNote {
		n.lines = append(n.lines, humanize.Count(count-mostInNote, "more alert", "more alerts")+"; to list all, run: nfa alerts log")
	}
	if count == 0 {
		n.lines = []string{"No alerts."}
	}
	return nil
}

func (n *notePart) addMoves(output json.RawMessage) error {
	var p dayChange
	if err := json.Unmarshal(output, &p); err != nil {
		return err
	}
	type move struct {
		text, id string
		size     float64
	}
	var moves []move
	var without []string
	for i, position := range p.Positions {
		if position.check() != nil {
			without = append(without, position.Symbol)
			continue
		}
		if c := position.ChangePct; c != nil {
			moves = append(moves, move{fmt.Sprintf("%s %s on %s", position.Symbol, signedPercent(*c), position.day()), fmt.Sprintf("positions.%d.day_change_pct", i), c.Abs().InexactFloat64()})
		}
	}
	if p.ChangePct != nil && len(without) == 0 {
		n.lines = append(n.lines, "Portfolio: "+signedPercent(*p.ChangePct)+" on the day.")
		n.use("day_change_pct")
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(b.size, a.size) })
	var texts []string
	for _, m := range moves[:min(len(moves), mostInNote)] {
		texts = append(texts, m.text)
		n.use(m.id)
	}
	if len(texts) > 0 {
		n.lines = append(n.lines, "Largest moves: "+strings.Join(texts, ", ")+".")
	}
	if len(without) > 0 {
		n.lines = append(n.lines, "Without a current price: "+strings.Join(without, ", ")+".")
	}
	return nil
}

func (n *notePart) addPayments(output json.RawMessage) error {
	var i income
	if err := json.Unmarshal(output, &i); err != nil {
		return err
	}
	var texts []string
	for _, p := range i.Payments[:min(len(i.Payments), mostInNote)] {
		basis := "estimated"
		if p.Declared {
			basis = "declared"
		}
		texts = append(texts, fmt.Sprintf("%s %s on %s (%s)", p.Symbol, p.Kind, p.Date, basis))
	}
	if len(texts) > 0 {
		n.lines = []string{"Next payments: " + strings.Join(texts, ", ") + "."}
	}
	return nil
}
