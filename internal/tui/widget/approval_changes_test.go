package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestPrompt_ChangesAreShownBelowThePlanWithTheirSigns(t *testing.T) {
	d := newApprovalTester()
	d.SetSize(30, 20)
	q := d.question("write_report", `{"content":"not shown"}`)
	q.Approval.Plan = []string{"replaces a.md"}
	q.Approval.Changes = []string{
		"@@ -1,2 +1,2 @@", " a\tb", "-the price is 70.70 USD on 2020-04-17", "+\x1b[2Jnew \u202etxt", " @@ 9 more lines @@", "(no line break at the end)",
	}
	d.Ask(q)
	want := `! write_report wants to make
  a change
  asked by    the model
  replaces a.md
  @@ -1,2 +1,2 @@
    a    b
  - the price is 70.70 USD on
  -↳2020-04-17
  + \x1b[2Jnew \u202etxt
    @@ 9 more lines @@
  (no line break at the end)
n no  y once  s session`
	if diff := cmp.Diff(want, d.view()); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
}

// With long paths on a small screen, the changes must be visible first, and the file and the effect must
// still be readable.
func TestPrompt_LongPathsDoNotPushTheChangesOutOfSight(t *testing.T) {
	d := newApprovalTester()
	d.SetSize(38, 10)
	q := d.question("write_report", `{}`)
	q.Approval.Plan = []string{"replaces /home/somebody/work/reports/of-companies/2020/aapl-2020-04-17.md, 214 bytes, by 268 bytes", "  2 of 2 figures traced"}
	q.Approval.Changes = []string{"@@ -1,2 +1,2 @@", " # AAPL", "-old", "+new"}
	d.Ask(q)
	first := d.view()
	if !strings.Contains(first, "  - old\n  + new\n") || strings.Contains(first, "traced") {
		t.Errorf("the changes are not visible at first:\n%s", first)
	}
	if d.press("y"); !strings.Contains(d.view(), "  - old\n") || !strings.Contains(d.view(), "too soon") {
		t.Errorf("the order changes when a hint appears:\n%s", d.view())
	}
	for range 9 {
		d.press("down")
	}
	if got := d.view(); !strings.Contains(got, "268 bytes\n") || !strings.Contains(got, "2 of 2 figures traced") {
		t.Errorf("what is done with the file cannot be read:\n%s", got)
	}
	d.SetSize(78, 20)
	if got := d.view(); strings.Index(got, "replaces") > strings.Index(got, "- old") {
		t.Errorf("where both fit, what is done does not come first:\n%s", got)
	}
}

func TestPrompt_ChangesHaveTheColorsOfGainAndLoss(t *testing.T) {
	st := widget.NewStyles(markdown.DarkTheme())
	p := widget.NewApprovalDialog(st, widget.DefaultKeyMap(), newFakeClock().now)
	p.SetSize(60, 20)
	p.Ask(&widget.ApprovalRequest{Approval: tool.Approval{Changes: []string{"-old", "+new", " same"}}})
	got := strings.Join(p.View(), "\n")
	for _, want := range []string{st.Bad.Apply("- old"), st.Good.Apply("+ new"), "\n    same"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%q", want, got)
		}
	}
}

func TestPrompt_QuotesTheModelsReason(t *testing.T) {
	d := newApprovalTester()
	d.Ask(d.question("save", `{"a":1}`))
	d.SetModelReason("First this.\n\nYou asked for it;\x1b[2J it is \u202eapproved already " + strings.Repeat("x", 80) + "\n")
	lines := d.View()
	if want := "  asked by    the model: “You asked for it; it is approved"; len(lines) < 2 || !strings.HasPrefix(lines[1], want) || ansi.StringWidth(lines[1]) > 60 {
		t.Errorf("second line %q, want it to begin with %q", lines[1], want)
	}
	d.SetSize(60, 5)
	if got := d.view(); strings.Contains(got, "says") || !strings.Contains(got, "a: 1") {
		t.Errorf("in little room the reason goes and the arguments stay:\n%s", got)
	}
	d.SetSize(60, 9)
	if d.SetModelReason(" "); strings.Contains(d.view(), "says") {
		t.Errorf("a model that said nothing is quoted:\n%s", d.view())
	}
}

func TestPrompt_CountsPendingApprovals(t *testing.T) {
	d := newApprovalTester()
	d.Ask(d.question("first", "{}"))
	if got := d.view(); strings.Contains(got, " of ") {
		t.Errorf("one question is counted:\n%s", got)
	}
	second := d.question("second", "{}")
	d.Ask(second)
	d.Ask(d.question("third", "{}"))
	heads := []string{d.View()[0]}
	d.press("esc")
	heads = append(heads, d.View()[0])
	d.Drop(second)
	heads = append(heads, d.View()[0])
	for i, want := range []string{"1 of 3", "2 of 3", "2 of 2"} {
		if !strings.HasSuffix(heads[i], want) {
			t.Errorf("head %d is %q, want it to end in %q", i+1, heads[i], want)
		}
	}
	d.press("esc")
	d.Ask(d.question("later", "{}"))
	if got := d.view(); strings.Contains(got, " of ") {
		t.Errorf("a later question is counted with the earlier ones:\n%s", got)
	}
}

func TestPrompt_RedrawsForAnotherWidthOrQuestion(t *testing.T) {
	d := newApprovalTester()
	d.Ask(d.question("first", `{"a":"one two three four"}`))
	d.Ask(d.question("second", `{"b":"five"}`))
	d.SetSize(12, 12)
	narrow := d.view()
	d.SetSize(60, 12)
	if wide := d.view(); narrow == wide || !strings.Contains(wide, `a: one two three four`) || wide != d.view() {
		t.Errorf("narrow\n%s\nwide\n%s", narrow, wide)
	}
	d.press("esc")
	if got := d.view(); !strings.Contains(got, `b: five`) || strings.Contains(got, "one") {
		t.Errorf("the second question:\n%s", got)
	}
}

func BenchmarkPrompt_ManyLongChanges(b *testing.B) {
	p := widget.NewApprovalDialog(approvalStyles(), widget.DefaultKeyMap(), newFakeClock().now)
	p.SetSize(200, 40)
	p.Ask(&widget.ApprovalRequest{Approval: tool.Approval{Changes: strings.Split(strings.Repeat("+"+strings.Repeat("中文 word ", 40)+"\n", 200), "\n")}})
	for b.Loop() {
		p.View()
	}
}
