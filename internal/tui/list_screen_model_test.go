package tui_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// listScreenTester drives a list screen and runs its commands at once.
type listScreenTester struct {
	t *testing.T
	*tui.ListScreenModel
	itemLoads int // how often items were loaded
	effect    tui.ListScreenEffect
}

// openTester opens a list screen of two items with one action, "x".
func openTester(t *testing.T, run func(name string) (tui.ActionResult, error)) *listScreenTester {
	d := &listScreenTester{t: t}
	s := &tui.ListScreen{
		Title: "Things",
		Items: func() []tui.ListItem {
			d.itemLoads++
			return []tui.ListItem{{Name: "one", About: "the first"}, {Name: "two"}}
		},
		Actions: []tui.ListAction{{Key: "x", Name: "do", Run: run}},
	}
	d.ListScreenModel = tui.OpenListScreen(s, tui.ListScreenDeps{
		Styles: widget.NewStyles(markdown.PlainTheme()), Keys: widget.DefaultKeyMap(), FormKeys: func() widget.FormKeys { return widget.FormKeys{} }, Now: time.Now,
	}, "")
	d.do(d.LoadItems(), true)
	return d
}

// do runs a command and what follows it; shown says whether the screen is still open.
func (d *listScreenTester) do(cmd tea.Cmd, shown bool) {
	d.t.Helper()
	for cmd != nil {
		msg, ok := cmd().(tui.ListScreenMsg)
		if !ok {
			d.t.Fatalf("a command brought %T", msg)
		}
		model := d.ListScreenModel
		if !shown {
			model = nil
		}
		var effect tui.ListScreenEffect
		if effect, cmd = msg.Handle(model); effect != (tui.ListScreenEffect{}) {
			d.effect = effect
		}
	}
}

func (d *listScreenTester) press(key rune) (cmd tea.Cmd, closed bool) {
	return d.Press(tea.KeyPressMsg{Code: key, Text: string(key)})
}

func (d *listScreenTester) view() string {
	d.Layout(60, 12, nil, "")
	return ansi.Strip(strings.Join(d.View(nil), "\n"))
}

func actionReturning(o tui.ActionResult, err error) func(string) (tui.ActionResult, error) {
	return func(string) (tui.ActionResult, error) { return o, err }
}

func TestListScreen_AnActionGetsTheItemAtTheCursorAndItemsAreReloaded(t *testing.T) {
	var got string
	d := openTester(t, func(name string) (tui.ActionResult, error) {
		got = name
		return tui.ActionResult{Message: "did it", Select: "two"}, nil
	})
	cmd, closed := d.press('x')
	if again, _ := d.press('x'); closed || again != nil || !strings.Contains(d.view(), "do is not done yet") {
		t.Errorf("a second action runs beside the first:\n%s", d.view())
	}
	d.do(cmd, true)
	if v := d.view(); got != "one" || d.itemLoads != 2 || !strings.Contains(v, "did it") || !strings.Contains(v, "› two") {
		t.Errorf("the action got %q, the items were asked %d times:\n%s", got, d.itemLoads, v)
	}
}

func TestListScreen_AnActionReturnsItsEffectOnTheChat(t *testing.T) {
	program := exec.Command("editor")
	resume := &tui.ResumeRequest{}
	for name, row := range map[string]struct {
		outcome tui.ActionResult
		is      func(tui.ListScreenEffect) bool
	}{
		"text":         {tui.ActionResult{Compose: "/two "}, func(d tui.ListScreenEffect) bool { return d.Compose == "/two " }},
		"conversation": {tui.ActionResult{Resume: resume}, func(d tui.ListScreenEffect) bool { return d.Resume == resume }},
		"program":      {tui.ActionResult{Exec: &tui.ExecRequest{Cmd: program}}, func(d tui.ListScreenEffect) bool { return d.TerminalRequest != nil && d.TerminalRequest.Cmd == program }},
		"nothing":      {tui.ActionResult{Message: "done"}, func(d tui.ListScreenEffect) bool { return d == (tui.ListScreenEffect{ProgramEnded: true}) }},
	} {
		t.Run(name, func(t *testing.T) {
			d := openTester(t, actionReturning(row.outcome, nil))
			cmd, _ := d.press('x')
			d.do(cmd, true)
			if !row.is(d.effect) || !d.effect.ProgramEnded {
				t.Errorf("the effect is %+v", d.effect)
			}
		})
	}
}

func TestListScreen_AnActionContinuesAfterItsProgram(t *testing.T) {
	then := func(err error) (tui.ActionResult, error) {
		return tui.ActionResult{Message: "ended: " + err.Error()}, nil
	}
	d := openTester(t, actionReturning(tui.ActionResult{Exec: &tui.ExecRequest{Cmd: exec.Command("editor"), Then: then}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	loan := d.effect.TerminalRequest
	if v := d.view(); !strings.Contains(v, "do …") {
		t.Errorf("nothing says that the action is at it:\n%s", v)
	}
	d.do(func() tea.Msg { return loan.OnExit(errors.New("exit status 1")) }, true)
	if v := d.view(); !strings.Contains(v, "ended: exit status 1") || !d.effect.ProgramEnded {
		t.Errorf("the deed is %+v:\n%s", d.effect, v)
	}
}

func TestListScreen_AResultAfterItWasClosedIsLate(t *testing.T) {
	entered := map[bool]int{}
	resume := &tui.ResumeRequest{Done: func(in bool) { entered[in]++ }}
	for name, row := range map[string]struct {
		outcome tui.ActionResult
		err     error
		want    tui.LateResult
	}{
		"an error":       {tui.ActionResult{}, errors.New("disk full"), tui.LateResult{Err: "do: disk full"}},
		"words":          {tui.ActionResult{Message: "did it"}, nil, tui.LateResult{Message: "did it"}},
		"a conversation": {tui.ActionResult{Resume: resume}, nil, tui.LateResult{}},
	} {
		t.Run(name, func(t *testing.T) {
			d := openTester(t, actionReturning(row.outcome, row.err))
			cmd, _ := d.press('x')
			d.do(cmd, false)
			if d.effect.Late == nil {
				t.Fatalf("the effect is %+v", d.effect)
			}
			if diff := cmp.Diff(row.want, *d.effect.Late); diff != "" || d.effect.Resume != nil {
				t.Errorf("late, resuming %v (-want +got):\n%s", d.effect.Resume, diff)
			}
		})
	}
	if diff := cmp.Diff(map[bool]int{false: 1}, entered); diff != "" {
		t.Errorf("Done received (-want +got):\n%s", diff)
	}
}

func TestListScreen_ACanceledFormFillsNothing(t *testing.T) {
	filled := 0
	fill := func(map[string]string) (tui.ActionResult, error) {
		filled++
		return tui.ActionResult{Message: "filled"}, nil
	}
	d := openTester(t, actionReturning(tui.ActionResult{Ask: &tui.ActionForm{Title: "name", Fields: []widget.FormField{{Name: "name"}}, Fill: fill}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	if !d.HasDialog() || !strings.Contains(d.view(), "name") {
		t.Fatalf("nothing is asked:\n%s", d.view())
	}
	cmd, _ = d.Press(tea.KeyPressMsg{Code: tea.KeyEnter})
	d.CancelDialog()
	d.do(cmd, true)
	if v := d.view(); d.HasDialog() || filled != 1 || strings.Contains(v, "filled") {
		t.Errorf("looked at %d times, and it went on:\n%s", filled, v)
	}
}

func TestListScreen_ApprovalsComeBeforeItsOwnDialogs(t *testing.T) {
	d := openTester(t, actionReturning(tui.ActionResult{Confirm: &tui.ConfirmRequest{Question: "delete it?", Yes: func() (tui.ActionResult, error) { return tui.ActionResult{}, nil }}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	approval := []string{"! a tool asks"}
	d.Layout(60, 12, approval, "")
	rows := d.View(approval)
	if v := strings.Join(rows, "\n"); len(rows) != 12 || rows[11] != approval[0] || strings.Contains(v, "delete it?") {
		t.Errorf("with a question of the chat, %d rows:\n%s", len(rows), v)
	}
	if v := d.view(); !strings.Contains(v, "delete it?") {
		t.Errorf("without one:\n%s", v)
	}
}
