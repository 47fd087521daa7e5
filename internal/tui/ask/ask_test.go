package ask_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// clock goes on when it is told to.
type clock struct{ at time.Time }

func newClock() *clock                   { return &clock{at: time.Unix(0, 0)} }
func (c *clock) now() time.Time          { return c.at }
func (c *clock) goesOn(by time.Duration) { c.at = c.at.Add(by) }
func plain() *draw.Styles                { return draw.NewStyles(markdown.Plain()) }

// line is an editor of a single line.
type line struct{ text string }

func (l *line) Value() string    { return l.text }
func (l *line) SetSize(int, int) {}
func (l *line) View() []string   { return []string{"why? " + draw.OneLine(l.text)} }

// desk drives a prompt as the chat would, and keeps the answers.
type desk struct {
	*ask.Prompt
	*clock
	reason *line
	got    []tool.Answer
}

func newDesk() *desk {
	d := &desk{clock: newClock()}
	d.Prompt = ask.NewPrompt(plain(), d.now, func() ask.Editor {
		d.reason = &line{}
		return d.reason
	})
	d.SetSize(60, 8)
	return d
}

func (d *desk) question(name, arguments string) *ask.Question {
	return &ask.Question{
		Approval: tool.Approval{Call: llm.ToolCall{Name: name, Arguments: arguments}, Effect: tool.Writes},
		Answer:   func(a tool.Answer) { d.got = append(d.got, a) },
	}
}

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		if d.Press(k) {
			d.reason.text += k
		}
	}
}

func (d *desk) view() string { return strings.Join(d.View(), "\n") }

func TestPrompt_AYesNeedsAQuietTimeAndANoDoesNot(t *testing.T) {
	early := ask.Quiet - time.Millisecond
	for _, tt := range []struct {
		name string
		play func(*desk)
		want []tool.Answer
	}{
		{"once", func(d *desk) { d.goesOn(ask.Quiet); d.press("y") }, []tool.Answer{{Allowed: true, Person: true}}},
		{"this session", func(d *desk) { d.goesOn(ask.Quiet); d.press("s") }, []tool.Answer{{Allowed: true, Scope: tool.Session, Person: true}}},
		{"at once", func(d *desk) { d.press("y") }, nil},
		{"too early", func(d *desk) { d.goesOn(early); d.press("s") }, nil},
		{"after a key", func(d *desk) { d.goesOn(ask.Quiet); d.press("x", "y") }, nil},
		{"after a paste", func(d *desk) { d.goesOn(ask.Quiet); d.Disturb(); d.press("y") }, nil},
		{"a yes too early and once more", func(d *desk) { d.goesOn(early); d.press("y"); d.goesOn(early); d.press("y") }, nil},
		{"esc", func(d *desk) { d.press("esc") }, []tool.Answer{{Person: true}}},
		{"a no with its reason", func(d *desk) { d.press("n", " ", "y", "!", " ", "enter") }, []tool.Answer{{Reason: "y!", Person: true}}},
		{"a no taken back", func(d *desk) { d.press("n", "x", "esc"); d.goesOn(ask.Quiet); d.press("y") }, []tool.Answer{{Allowed: true, Person: true}}},
	} {
		d := newDesk()
		d.Ask(d.question("write_report", "{}"))
		tt.play(d)
		if diff := cmp.Diff(tt.want, d.got); diff != "" {
			t.Errorf("%s: answers (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPrompt_AReasonBeginsEmpty(t *testing.T) {
	d := newDesk()
	d.Ask(d.question("a", "{}"))
	d.press("n", "x", "esc", "n")
	if got := d.view(); !d.Explaining() || d.reason.text != "" || !strings.Contains(got, "why? ") {
		t.Errorf("the second reason begins with %q:\n%s", d.reason.text, got)
	}
}

func TestPrompt_QuestionsComeOneAfterAnotherEachWithItsArming(t *testing.T) {
	d := newDesk()
	first, second, third := d.question("first", "{}"), d.question("second", "{}"), d.question("third", "{}")
	for _, q := range []*ask.Question{first, second, third} {
		d.Ask(q)
	}
	d.Drop(second)
	d.Drop(second)
	d.goesOn(ask.Quiet)
	if got := d.view(); !strings.Contains(got, "! first wants to make a change") {
		t.Fatalf("dropping another question changed the one that is open:\n%s", got)
	}
	d.press("y", "y")
	if got := d.view(); len(d.got) != 1 || !strings.Contains(got, "! third") {
		t.Fatalf("answers %v, and then is asked:\n%s", d.got, got)
	}
	d.Drop(third)
	if d.Open() {
		t.Error("a prompt without questions is open")
	}
}

func TestPrompt_SaysWhatCannotBeSeen(t *testing.T) {
	d := newDesk()
	var members []string
	for i := range 9 {
		members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	d.Ask(d.question("write_report", "{"+strings.Join(members, ",")+"}"))
	want := `! write_report wants to make a change
  k4  4
  k5  5
  k6  6
  k7  7
  k8  8
  lines 5 to 9 of 9, Up and Down for the rest
n no, and say why   y once   s this session`
	if got := d.view(); !strings.Contains(got, "lines 1 to 5 of 9") {
		t.Errorf("the first lines are not in sight:\n%s", got)
	}
	for range 20 {
		d.press("down")
	}
	if diff := cmp.Diff(want, d.view()); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	d.press("up")
	if got := d.view(); !strings.Contains(got, "lines 4 to 8 of 9") {
		t.Errorf("up from the end does not go back a line:\n%s", got)
	}
}

func TestConfirmation_OnlyAYAfterAQuietTimeIsAYes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		quiet time.Duration
		keys  []string
		want  ask.Verdict
	}{
		{"yes", ask.Quiet, []string{"y"}, ask.Agreed},
		{"capital", ask.Quiet, []string{"Y"}, ask.Agreed},
		{"too early", ask.Quiet - 1, []string{"y"}, ask.Undecided},
		{"typed on", ask.Quiet, []string{"x", "y"}, ask.Undecided},
		{"enter", ask.Quiet, []string{"enter"}, ask.Refused},
		{"no, at once", 0, []string{"n"}, ask.Refused},
		{"esc, at once", 0, []string{"esc"}, ask.Refused},
		{"reading", ask.Quiet, []string{"down"}, ask.Undecided},
	} {
		c := newClock()
		q := ask.NewConfirmation(plain(), c.now, "Delete it?", nil)
		c.goesOn(tt.quiet)
		var got ask.Verdict
		for _, k := range tt.keys {
			got = q.Press(k)
		}
		if got != tt.want {
			t.Errorf("%s: verdict = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestConfirmation_APasteIsNotAPause(t *testing.T) {
	c := newClock()
	q := ask.NewConfirmation(plain(), c.now, "Delete it?", nil)
	c.goesOn(ask.Quiet)
	q.Disturb()
	if got := q.Press("y"); got != ask.Undecided {
		t.Errorf("a y after a paste = %v, want it undecided", got)
	}
}

func TestConfirmation_ShowsExactlyWhatItIsAbout(t *testing.T) {
	q := ask.NewConfirmation(plain(), newClock().now, "Delete a\u202eb?", []string{"skills/a\x1b[2J", "two", "three", "four"})
	q.SetSize(60, 5)
	want := "! Delete a\\u202eb?\n  skills/a\\x1b[2J\n  two\n  lines 1 to 2 of 4, Up and Down for the rest\nn no   y yes"
	if diff := cmp.Diff(want, strings.Join(q.View(), "\n")); diff != "" {
		t.Errorf("question (-want +got):\n%s", diff)
	}
}

// Whatever a model asks for, the question fits its room and nothing in it acts.
func FuzzPrompt(f *testing.F) {
	f.Add("write_report", `{"path":"a\u202e\n"}`, "-a\tb", uint8(60), uint8(8), uint8(1))
	f.Add("\x1b[2J", "not json \x1b]0;t\a", "+中\u202e\x1b[2J", uint8(9), uint8(3), uint8(9))
	f.Fuzz(func(t *testing.T, name, arguments, change string, width, height, downs uint8) {
		d := newDesk()
		w, h := max(int(width), 3), max(int(height), 3)
		d.SetSize(w, h)
		q := d.question(name, arguments)
		q.Approval.Changes = []string{change, ""}
		d.Ask(q)
		d.Quote(change)
		for range downs {
			d.press("down")
		}
		lines := d.View()
		if len(lines) > h+1 {
			t.Fatalf("%d lines of at most %d", len(lines), h)
		}
		for _, l := range lines {
			if ansi.StringWidth(l) > w || strings.ContainsAny(l, "\x1b\n\a\u202e") {
				t.Fatalf("line %q in %d columns", l, w)
			}
		}
	})
}

func TestPrompt_AlwaysIsOfferedOnlyForCallsThatCanBeNamed(t *testing.T) {
	d := newDesk()
	d.Ask(d.question("save", `{}`))
	d.goesOn(ask.Quiet)
	if d.press("a"); len(d.got) != 0 || strings.Contains(d.view(), "always") {
		t.Errorf("answers %v to a question without a pattern:\n%s", d.got, d.view())
	}
	d.press("esc")
	q := d.question("save", `{}`)
	q.Approval.Pattern = "/r/*.md\x1b[31m"
	d.Ask(q)
	if view := d.view(); !strings.Contains(view, `a always for /r/*.md\x1b`) {
		t.Errorf("the answers do not say what always is for:\n%s", view)
	}
	if d.press("a"); len(d.got) != 1 {
		t.Errorf("an early a was taken: %v", d.got)
	}
	d.goesOn(ask.Quiet)
	if d.press("a"); len(d.got) != 2 || !d.got[1].Allowed || d.got[1].Scope != tool.Always {
		t.Errorf("answers = %+v, want an allowance for always", d.got)
	}
}

func TestPrompt_APlanStandsInThePlaceOfTheArguments(t *testing.T) {
	d := newDesk()
	q := d.question("skill_x", `{"secret":"not shown"}`)
	q.Approval.Plan = []string{"1. price  quote {}", "   scripts/x.py  sha256 " + strings.Repeat("ab", 32)}
	d.Ask(q)
	view := d.view()
	if strings.Contains(view, "not shown") || !strings.Contains(view, "1. price  quote {}") || !strings.Contains(view, strings.Repeat("ab", 32)[:20]) {
		t.Errorf("the question:\n%s", view)
	}
	for _, row := range d.View() {
		if ansi.StringWidth(row) > 60 {
			t.Errorf("a row of %d cells: %q", ansi.StringWidth(row), row)
		}
	}
}

func TestPrompt_ReadingOnDoesNotPutOffTheYes(t *testing.T) {
	d := newDesk()
	d.Ask(d.question("save", `{"text":"`+strings.Repeat("long ", 200)+`"}`))
	d.goesOn(ask.Quiet)
	if d.press("down", "down", "y"); len(d.got) != 1 || !d.got[0].Allowed {
		t.Errorf("answers after reading on = %+v, want the yes", d.got)
	}
}

func TestPrompt_AYesThatCameTooSoonIsTold(t *testing.T) {
	d := newDesk()
	d.Ask(d.question("save", `{}`))
	if d.press("y"); len(d.got) != 0 || !strings.Contains(d.view(), "too soon") {
		t.Errorf("answers %+v to an early yes:\n%s", d.got, d.view())
	}
	d.goesOn(ask.Quiet)
	if d.press("x"); strings.Contains(d.view(), "too soon") {
		t.Errorf("the hint stays:\n%s", d.view())
	}
}

// What to press instead has to be there to read, on the narrowest screen too.
func TestPrompt_TheHintOfAnEarlyYesLeavesTheAnswersInSight(t *testing.T) {
	for _, width := range []int{38, 78} {
		d := newDesk()
		d.SetSize(width, 12)
		d.Ask(d.question("save", `{}`))
		before := strings.Split(d.view(), "\n")
		d.press("y")
		after := strings.Split(d.view(), "\n")
		if last := before[len(before)-1]; after[len(after)-1] != last {
			t.Errorf("at %d columns the answers are %q, want %q as before", width, after[len(after)-1], last)
		}
		if hint := after[len(after)-2]; hint != "too soon after another key; again" {
			t.Errorf("at %d columns above them stands %q, want the whole hint", width, hint)
		}
	}
}

// That there is more, and how it is read, has to be whole on the narrowest screen.
func TestPrompt_WhatIsOutOfSightIsToldWhole(t *testing.T) {
	for width, want := range map[int]string{38: "of 18, Up and Down", 78: "Up and Down for the rest"} {
		d := newDesk()
		d.SetSize(width, 8)
		d.Ask(&ask.Question{
			Approval: tool.Approval{Call: llm.ToolCall{Name: "save", Arguments: "{}"}, Effect: tool.Writes, Plan: strings.Fields(strings.Repeat("line ", 18))},
			Answer:   func(tool.Answer) {},
		})
		if !strings.Contains(d.view(), want+"\n") {
			t.Errorf("at %d columns the question is\n%s\nwant %q at the end of a line", width, d.view(), want)
		}
	}
}

func TestPrompt_AnswersAreOfferedByTheKeysInUse(t *testing.T) {
	d := newDesk()
	d.SetKeys(ask.Keys{Refuse: "F3", Once: "F4", Always: "Ctrl+A"})
	q := d.question("save", `{}`)
	q.Approval.Pattern = "/a/very/long/folder/for/reports/of/many/companies/and/years/*.md"
	d.Ask(q)
	rows := strings.Split(d.view(), "\n")
	want := []string{"F3 no, and say why   F4 once", "Ctrl+A always for", "       /a/very/long/folder/for/reports/of/many/companies/and", "       /years/*.md"}
	if got := rows[max(len(rows)-4, 0):]; !cmp.Equal(got, want) {
		t.Errorf("the answers (-want +got):\n%s", cmp.Diff(want, got))
	}
	d.SetKeys(ask.Keys{Refuse: "F3"})
	if strings.Contains(d.view(), "always") {
		t.Errorf("what no key gives is offered:\n%s", d.view())
	}
}
