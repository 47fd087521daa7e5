package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// fakeClock is a clock that only tests advance.
type fakeClock struct{ at time.Time }

func newFakeClock() *fakeClock                { return &fakeClock{at: time.Unix(0, 0)} }
func (c *fakeClock) now() time.Time           { return c.at }
func (c *fakeClock) advance(by time.Duration) { c.at = c.at.Add(by) }
func approvalStyles() *widget.Styles          { return widget.NewStyles(markdown.PlainTheme()) }

// approvalTester drives a dialog as the chat would, and records the answers.
type approvalTester struct {
	*widget.ApprovalDialog
	*fakeClock
	answers []tool.Answer
}

func newApprovalTester() *approvalTester {
	d := &approvalTester{fakeClock: newFakeClock()}
	d.ApprovalDialog = widget.NewApprovalDialog(approvalStyles(), widget.DefaultKeyMap(), d.now)
	d.SetSize(60, 8)
	return d
}

func (d *approvalTester) question(name, arguments string) *widget.ApprovalRequest {
	return &widget.ApprovalRequest{
		Approval: tool.Approval{Call: llm.ToolCall{Name: name, Arguments: arguments}, Effect: tool.Writes},
		Answer:   func(a tool.Answer) { d.answers = append(d.answers, a) },
	}
}

func (d *approvalTester) press(keys ...string) {
	for _, k := range keys {
		d.Press(keyOf(k))
	}
}

func (d *approvalTester) view() string { return strings.Join(d.View(), "\n") }

func TestPrompt_AYesNeedsAQuietTimeAndANoDoesNot(t *testing.T) {
	early := widget.ApprovalQuietTime - time.Millisecond
	for _, tt := range []struct {
		name string
		play func(*approvalTester)
		want []tool.Answer
	}{
		{"once", func(d *approvalTester) { d.advance(widget.ApprovalQuietTime); d.press("y") }, []tool.Answer{{Allowed: true, Person: true}}},
		{"this session", func(d *approvalTester) { d.advance(widget.ApprovalQuietTime); d.press("s") }, []tool.Answer{{Allowed: true, Scope: tool.Session, Person: true}}},
		{"at once", func(d *approvalTester) { d.press("y") }, nil},
		{"too early", func(d *approvalTester) { d.advance(early); d.press("s") }, nil},
		{"after a key", func(d *approvalTester) { d.advance(widget.ApprovalQuietTime); d.press("x", "y") }, nil},
		{"after a paste", func(d *approvalTester) { d.advance(widget.ApprovalQuietTime); d.Paste(tea.PasteMsg{}); d.press("y") }, nil},
		{"a yes too early and once more", func(d *approvalTester) { d.advance(early); d.press("y"); d.advance(early); d.press("y") }, nil},
		{"esc", func(d *approvalTester) { d.press("esc") }, []tool.Answer{{Person: true}}},
		{"a no with its reason", func(d *approvalTester) { d.press("n", " ", "y", "!", " ", "enter") }, []tool.Answer{{Reason: "y!", Person: true}}},
		{"a no taken back", func(d *approvalTester) { d.press("n", "x", "esc"); d.advance(widget.ApprovalQuietTime); d.press("y") }, []tool.Answer{{Allowed: true, Person: true}}},
	} {
		d := newApprovalTester()
		d.Ask(d.question("write_report", "{}"))
		tt.play(d)
		if diff := cmp.Diff(tt.want, d.answers); diff != "" {
			t.Errorf("%s: answers (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPrompt_AReasonBeginsEmpty(t *testing.T) {
	d := newApprovalTester()
	d.Ask(d.question("a", "{}"))
	d.press("n", "x", "esc", "n")
	if rows := d.View(); strings.TrimSpace(rows[len(rows)-1]) != "reason:" {
		t.Errorf("the second reason does not begin empty:\n%s", d.view())
	}
}

func TestPrompt_QuestionsComeOneAfterAnotherEachWithItsQuietTime(t *testing.T) {
	d := newApprovalTester()
	first, second, third := d.question("first", "{}"), d.question("second", "{}"), d.question("third", "{}")
	for _, q := range []*widget.ApprovalRequest{first, second, third} {
		d.Ask(q)
	}
	d.Drop(second)
	d.Drop(second)
	d.advance(widget.ApprovalQuietTime)
	if got := d.view(); !strings.Contains(got, "! first wants to make a change") {
		t.Fatalf("dropping another question changed the one that is open:\n%s", got)
	}
	d.press("y", "y")
	if got := d.view(); len(d.answers) != 1 || !strings.Contains(got, "! third") {
		t.Fatalf("answers %v, and then is asked:\n%s", d.answers, got)
	}
	d.Drop(third)
	if d.Open() {
		t.Error("a prompt without questions is open")
	}
}

func TestPrompt_CountsHiddenLines(t *testing.T) {
	d := newApprovalTester()
	var members []string
	for i := range 9 {
		members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	d.Ask(d.question("write_report", "{"+strings.Join(members, ",")+"}"))
	want := `! write_report wants to make a change
  asked by    the model
  k5: 5
  k6: 6
  k7: 7
  k8: 8
  lines 6 to 9 of 9 · Up and Down to scroll
n no   y yes, once   s yes, this session   Esc no`
	if got := d.view(); !strings.Contains(got, "lines 1 to 4 of 9") {
		t.Errorf("the first lines are not visible:\n%s", got)
	}
	for range 20 {
		d.press("down")
	}
	if diff := cmp.Diff(want, d.view()); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	d.press("up")
	if got := d.view(); !strings.Contains(got, "lines 5 to 8 of 9") {
		t.Errorf("up from the end does not go back a line:\n%s", got)
	}
}

func TestConfirmation_OnlyAYAfterAQuietTimeIsAYes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		quiet time.Duration
		keys  []string
		want  widget.Verdict
	}{
		{"yes", widget.ApprovalQuietTime, []string{"y"}, widget.VerdictYes},
		{"capital", widget.ApprovalQuietTime, []string{"Y"}, widget.VerdictYes},
		{"too early", widget.ApprovalQuietTime - 1, []string{"y"}, widget.VerdictPending},
		{"typed on", widget.ApprovalQuietTime, []string{"x", "y"}, widget.VerdictPending},
		{"enter", widget.ApprovalQuietTime, []string{"enter"}, widget.VerdictNo},
		{"no, at once", 0, []string{"n"}, widget.VerdictNo},
		{"esc, at once", 0, []string{"esc"}, widget.VerdictNo},
		{"reading", widget.ApprovalQuietTime, []string{"down"}, widget.VerdictPending},
	} {
		c := newFakeClock()
		q := widget.NewConfirmDialog(approvalStyles(), widget.DefaultKeyMap(), c.now, "Delete it?", nil)
		c.advance(tt.quiet)
		var got widget.Verdict
		for _, k := range tt.keys {
			got = q.Press(keyOf(k))
		}
		if got != tt.want {
			t.Errorf("%s: verdict = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestConfirmation_APasteIsNotAPause(t *testing.T) {
	c := newFakeClock()
	q := widget.NewConfirmDialog(approvalStyles(), widget.DefaultKeyMap(), c.now, "Delete it?", nil)
	c.advance(widget.ApprovalQuietTime)
	q.RestartQuietTime()
	if got := q.Press(keyOf("y")); got != widget.VerdictPending {
		t.Errorf("a y after a paste = %v, want it undecided", got)
	}
}

func TestConfirmation_ShowsItsDetail(t *testing.T) {
	q := widget.NewConfirmDialog(approvalStyles(), widget.DefaultKeyMap(), newFakeClock().now, "Delete a\u202eb?", []string{"skills/a\x1b[2J", "two", "three", "four"})
	q.SetSize(60, 5)
	want := "! Delete a\\u202eb?\n  skills/a\\x1b[2J\n  two\n  lines 1 to 2 of 4 · Up and Down to scroll\nn no   y yes   Esc no"
	if diff := cmp.Diff(want, strings.Join(q.View(), "\n")); diff != "" {
		t.Errorf("question (-want +got):\n%s", diff)
	}
}

// For any call, the question fits its size and contains no control characters.
func FuzzPrompt(f *testing.F) {
	f.Add("write_report", `{"path":"a\u202e\n"}`, "-a\tb", uint8(60), uint8(8), uint8(1))
	f.Add("\x1b[2J", "not json \x1b]0;t\a", "+中\u202e\x1b[2J", uint8(9), uint8(3), uint8(9))
	f.Fuzz(func(t *testing.T, name, arguments, change string, width, height, downs uint8) {
		d := newApprovalTester()
		w, h := max(int(width), 3), max(int(height), 3)
		d.SetSize(w, h)
		q := d.question(name, arguments)
		q.Approval.Changes = []string{change, ""}
		d.Ask(q)
		d.SetModelReason(change)
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
	d := newApprovalTester()
	d.Ask(d.question("save", `{}`))
	d.advance(widget.ApprovalQuietTime)
	if d.press("a"); len(d.answers) != 0 || strings.Contains(d.view(), "always") {
		t.Errorf("answers %v to a question without a pattern:\n%s", d.answers, d.view())
	}
	d.press("esc")
	q := d.question("save", `{}`)
	q.Approval.Pattern = "/r/*.md\x1b[31m"
	d.Ask(q)
	if view := d.view(); !strings.Contains(view, `a always for /r/*.md\x1b`) {
		t.Errorf("the answers do not say what always is for:\n%s", view)
	}
	if d.press("a"); len(d.answers) != 1 {
		t.Errorf("an early a was taken: %v", d.answers)
	}
	d.advance(widget.ApprovalQuietTime)
	if d.press("a"); len(d.answers) != 2 || !d.answers[1].Allowed || d.answers[1].Scope != tool.Always {
		t.Errorf("answers = %+v, want an allowance for always", d.answers)
	}
}

func TestPrompt_APlanReplacesTheArguments(t *testing.T) {
	d := newApprovalTester()
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
	d := newApprovalTester()
	d.Ask(d.question("save", `{"text":"`+strings.Repeat("long ", 200)+`"}`))
	d.advance(widget.ApprovalQuietTime)
	// S9: a yes counts only after the end was visible.
	if d.press("down", "down", "y"); len(d.answers) != 0 {
		t.Errorf("answers before the end was visible: %+v", d.answers)
	}
	d.advance(widget.ApprovalQuietTime)
	if d.press("end", "down", "y"); len(d.answers) != 1 || !d.answers[0].Allowed {
		t.Errorf("answers after reading on = %+v, want the yes", d.answers)
	}
}

// A yes that does not count says what is missing.
func TestPrompt_AYesBeforeTheEndSaysWhatIsMissing(t *testing.T) {
	d := newApprovalTester()
	d.SetSize(58, 13)
	d.Ask(d.question("save", `{"text":"`+strings.Repeat("long ", 400)+`"}`))
	for _, want := range []string{"Not approved yet. Scroll to the end, then press y.", "This is the end. Press y again to approve."} {
		d.advance(widget.ApprovalQuietTime)
		if d.press("y"); len(d.answers) != 0 || !strings.Contains(d.view(), want) {
			t.Fatalf("answers %+v, want none and %q:\n%s", d.answers, want, d.view())
		}
	}
	d.advance(widget.ApprovalQuietTime)
	if d.press("y"); len(d.answers) != 1 || !d.answers[0].Allowed {
		t.Errorf("answers at the end = %+v, want the yes", d.answers)
	}
}

func TestPrompt_AYesDuringTheQuietTimeIsReported(t *testing.T) {
	d := newApprovalTester()
	d.Ask(d.question("save", `{}`))
	if d.press("y"); len(d.answers) != 0 || !strings.Contains(d.view(), "too soon") {
		t.Errorf("answers %+v to an early yes:\n%s", d.answers, d.view())
	}
	d.advance(widget.ApprovalQuietTime)
	if d.press("x"); strings.Contains(d.view(), "too soon") {
		t.Errorf("the hint stays:\n%s", d.view())
	}
}

// The hint says what to press instead, so it must be readable even on the narrowest screen.
func TestPrompt_TheHintOfAnEarlyYesKeepsTheAnswersVisible(t *testing.T) {
	for _, width := range []int{38, 78} {
		d := newApprovalTester()
		d.SetSize(width, 12)
		d.Ask(d.question("save", `{}`))
		before := strings.Split(d.view(), "\n")
		d.press("y")
		after := strings.Split(d.view(), "\n")
		if last := before[len(before)-1]; after[len(after)-1] != last {
			t.Errorf("at %d columns the answers are %q, want %q as before", width, after[len(after)-1], last)
		}
		if hint := after[len(after)-2]; hint != "too soon; press the key again" {
			t.Errorf("at %d columns the line above is %q, want the complete hint", width, hint)
		}
	}
}

// The hint that there are more lines, and how to see them, must be complete on the narrowest screen.
func TestPrompt_TheHintOfHiddenLinesIsNeverCut(t *testing.T) {
	for width, want := range map[int]string{38: "of 18 · Up and Down", 78: "Up and Down to scroll"} {
		d := newApprovalTester()
		d.SetSize(width, 8)
		d.Ask(&widget.ApprovalRequest{
			Approval: tool.Approval{Call: llm.ToolCall{Name: "save", Arguments: "{}"}, Effect: tool.Writes, Plan: strings.Fields(strings.Repeat("line ", 18))},
			Answer:   func(tool.Answer) {},
		})
		if !strings.Contains(d.view(), want+"\n") {
			t.Errorf("at %d columns the question is\n%s\nwant %q at the end of a line", width, d.view(), want)
		}
	}
}

func TestPrompt_AnswersAreOfferedByTheKeysInUse(t *testing.T) {
	d := newApprovalTester()
	keysOf := func(overrides ...widget.KeyOverride) widget.KeyMap {
		keys, err := widget.NewKeyMap(overrides)
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	d.ApprovalDialog = widget.NewApprovalDialog(approvalStyles(), keysOf(
		widget.KeyOverride{Name: "refuse", Keys: []string{"f3"}}, widget.KeyOverride{Name: "allow-once", Keys: []string{"f4"}},
		widget.KeyOverride{Name: "allow-session"}, widget.KeyOverride{Name: "allow-always", Keys: []string{"ctrl+a"}},
	), d.now)
	d.SetSize(60, 8)
	q := d.question("save", `{}`)
	q.Approval.Pattern = "/a/very/long/folder/for/reports/of/many/companies/and/years/*.md"
	d.Ask(q)
	rows := strings.Split(d.view(), "\n")
	want := []string{"F3 no   F4 yes, once   Esc no", "Ctrl+A always for", "       /a/very/long/folder/for/reports/of/many/companies/and", "       /years/*.md"}
	if got := rows[max(len(rows)-4, 0):]; !cmp.Equal(got, want) {
		t.Errorf("the answers (-want +got):\n%s", cmp.Diff(want, got))
	}
	d.ApprovalDialog = widget.NewApprovalDialog(approvalStyles(), keysOf(widget.KeyOverride{Name: "allow-always"}), d.now)
	d.Ask(q)
	if strings.Contains(d.view(), "always") {
		t.Errorf("an answer without a key is offered:\n%s", d.view())
	}
}

// S5, S9: nothing is hidden without being counted, blank lines included, and a yes with hidden lines only
// shows them.
func TestPrompt_HiddenLinesAreCountedAndNotApproved(t *testing.T) {
	for _, size := range [][2]int{{58, 13}, {98, 20}} {
		for n := range 501 {
			d := newApprovalTester()
			d.SetSize(size[0], size[1])
			q := d.question("write_report", "{}")
			q.Approval.Question, q.Approval.Pattern = "Write r.md?", "/r/*.md"
			q.Approval.Plan = []string{"no figures"}
			for i := range n {
				line := "+"
				if i%3 == 0 {
					line = fmt.Sprintf("+line %d", i)
				}
				q.Approval.Changes = append(q.Approval.Changes, line)
			}
			d.Ask(q)
			d.advance(widget.ApprovalQuietTime)
			rows := d.View()
			if len(rows) > size[1] {
				t.Fatalf("%d lines: %d rows of at most %d:\n%s", n, len(rows), size[1], d.view())
			}
			shown, more := 0, 0
			for _, row := range rows {
				if _, err := fmt.Sscanf(strings.TrimSpace(row), "+%d more lines, v to view all", &more); err == nil {
					continue
				}
				if strings.HasPrefix(row, "  + ") || row == "  +" || row == "  no figures" {
					shown++
				}
			}
			if shown+more != n+1 {
				t.Fatalf("%d lines: %d shown, %d announced:\n%s", n, shown, more, d.view())
			}
			d.press("y")
			if hidden := more > 0; len(d.answers) > 0 == hidden {
				t.Fatalf("%d lines, %d hidden: answers %v", n, more, d.answers)
			}
			for range 2 { // first to the end, then it counts
				d.advance(widget.ApprovalQuietTime)
				if d.Open() {
					d.View()
					d.press("y")
				}
			}
			if len(d.answers) != 1 || !d.answers[0].Allowed {
				t.Fatalf("%d lines: answers %+v after the end was shown", n, d.answers)
			}
		}
	}
}

func TestPrompt_TheSelectionStartsOnNo(t *testing.T) {
	for _, row := range []struct {
		keys []string
		want tool.Answer
	}{
		{[]string{"enter"}, tool.Answer{Person: true}},
		{[]string{"down", "enter"}, tool.Answer{Allowed: true, Person: true}},
		{[]string{"down", "down", "enter"}, tool.Answer{Allowed: true, Scope: tool.Session, Person: true}},
		{[]string{"down", "down", "down", "down", "enter"}, tool.Answer{Allowed: true, Scope: tool.Always, Person: true}},
		{[]string{"down", "up", "enter"}, tool.Answer{Person: true}},
	} {
		d := newApprovalTester()
		d.SetSize(98, 20)
		q := d.question("save", "{}")
		q.Approval.Pattern = "all"
		d.Ask(q)
		d.advance(widget.ApprovalQuietTime)
		d.press(row.keys...)
		if len(d.answers) != 1 || d.answers[0] != row.want {
			t.Errorf("%v: answers %+v, want %+v", row.keys, d.answers, row.want)
		}
	}
}

func TestPrompt_RefusesAllPendingApprovals(t *testing.T) {
	d := newApprovalTester()
	for _, name := range []string{"a", "b", "c"} {
		d.Ask(d.question(name, "{}"))
	}
	if d.press("N"); len(d.answers) != 3 || d.Open() || d.answers[2].Allowed {
		t.Errorf("answers %+v, want three refusals", d.answers)
	}
}
