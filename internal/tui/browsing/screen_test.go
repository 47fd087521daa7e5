package browsing_test

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
	"github.com/nfa-cli/nfa/internal/tui/browsing"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// desk is a screen whose commands are done as soon as they are there.
type desk struct {
	t *testing.T
	*browsing.Screen
	asked int // for the items
	deed  browsing.Deed
}

// open shows a shelf of two items with one action, "x".
func open(t *testing.T, run func(name string) (browsing.Outcome, error)) *desk {
	d := &desk{t: t}
	s := &browsing.Shelf{
		Title: "Things",
		Items: func() []browsing.Item {
			d.asked++
			return []browsing.Item{{Name: "one", About: "the first"}, {Name: "two"}}
		},
		Actions: []browsing.Action{{Key: "x", Name: "do", Run: run}},
	}
	d.Screen = browsing.Open(s, browsing.Means{
		Styles: draw.NewStyles(markdown.Plain()), Keys: keymap.Default(), FormKeys: func() form.Keys { return form.Keys{} }, Now: time.Now,
	}, "")
	d.do(d.Stock(), true)
	return d
}

// do does a command and what follows it; shown says whether the screen is still open.
func (d *desk) do(cmd tea.Cmd, shown bool) {
	d.t.Helper()
	for cmd != nil {
		msg, ok := cmd().(browsing.Msg)
		if !ok {
			d.t.Fatalf("a command brought %T", msg)
		}
		on := d.Screen
		if !shown {
			on = nil
		}
		var deed browsing.Deed
		if deed, cmd = msg.Take(on); deed != (browsing.Deed{}) {
			d.deed = deed
		}
	}
}

func (d *desk) press(key rune) (cmd tea.Cmd, closed bool) {
	return d.Press(tea.KeyPressMsg{Code: key, Text: string(key)})
}

func (d *desk) view() string {
	d.Layout(60, 12, nil, "")
	return ansi.Strip(strings.Join(d.View(nil), "\n"))
}

func says(o browsing.Outcome, err error) func(string) (browsing.Outcome, error) {
	return func(string) (browsing.Outcome, error) { return o, err }
}

func TestScreen_AnActionGetsTheItemAtTheCursorAndTheItemsAreAskedAnew(t *testing.T) {
	var got string
	d := open(t, func(name string) (browsing.Outcome, error) {
		got = name
		return browsing.Outcome{Said: "did it", Select: "two"}, nil
	})
	cmd, closed := d.press('x')
	if again, _ := d.press('x'); closed || again != nil || !strings.Contains(d.view(), "do is not done yet") {
		t.Errorf("a second action runs beside the first:\n%s", d.view())
	}
	d.do(cmd, true)
	if v := d.view(); got != "one" || d.asked != 2 || !strings.Contains(v, "did it") || !strings.Contains(v, "› two") {
		t.Errorf("the action got %q, the items were asked %d times:\n%s", got, d.asked, v)
	}
}

func TestScreen_WhatAnActionDoesToTheChatComesOutAsADeed(t *testing.T) {
	program := exec.Command("editor")
	resume := &browsing.Resume{}
	for name, row := range map[string]struct {
		outcome browsing.Outcome
		is      func(browsing.Deed) bool
	}{
		"text":         {browsing.Outcome{Compose: "/two "}, func(d browsing.Deed) bool { return d.Compose == "/two " }},
		"conversation": {browsing.Outcome{Resume: resume}, func(d browsing.Deed) bool { return d.Resume == resume }},
		"program":      {browsing.Outcome{Exec: &browsing.Exec{Cmd: program}}, func(d browsing.Deed) bool { return d.Loan != nil && d.Loan.Cmd == program }},
		"nothing":      {browsing.Outcome{Said: "done"}, func(d browsing.Deed) bool { return d == (browsing.Deed{Ended: true}) }},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, says(row.outcome, nil))
			cmd, _ := d.press('x')
			d.do(cmd, true)
			if !row.is(d.deed) || !d.deed.Ended {
				t.Errorf("the deed is %+v", d.deed)
			}
		})
	}
}

func TestScreen_AfterAProgramTheActionGoesOn(t *testing.T) {
	then := func(err error) (browsing.Outcome, error) { return browsing.Outcome{Said: "ended: " + err.Error()}, nil }
	d := open(t, says(browsing.Outcome{Exec: &browsing.Exec{Cmd: exec.Command("editor"), Then: then}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	loan := d.deed.Loan
	if v := d.view(); !strings.Contains(v, "do …") {
		t.Errorf("nothing says that the action is at it:\n%s", v)
	}
	d.do(func() tea.Msg { return loan.Ended(errors.New("exit status 1")) }, true)
	if v := d.view(); !strings.Contains(v, "ended: exit status 1") || !d.deed.Ended {
		t.Errorf("the deed is %+v:\n%s", d.deed, v)
	}
}

func TestScreen_WhatComesAfterItWasClosedIsLateAndGoesNowhere(t *testing.T) {
	entered := map[bool]int{}
	resume := &browsing.Resume{Done: func(in bool) { entered[in]++ }}
	for name, row := range map[string]struct {
		outcome browsing.Outcome
		err     error
		want    browsing.Late
	}{
		"an error":       {browsing.Outcome{}, errors.New("disk full"), browsing.Late{Err: "do: disk full"}},
		"words":          {browsing.Outcome{Said: "did it"}, nil, browsing.Late{Said: "did it"}},
		"a conversation": {browsing.Outcome{Resume: resume}, nil, browsing.Late{}},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, says(row.outcome, row.err))
			cmd, _ := d.press('x')
			d.do(cmd, false)
			if d.deed.Late == nil {
				t.Fatalf("the deed is %+v", d.deed)
			}
			if diff := cmp.Diff(row.want, *d.deed.Late); diff != "" || d.deed.Resume != nil {
				t.Errorf("late, resuming %v (-want +got):\n%s", d.deed.Resume, diff)
			}
		})
	}
	if diff := cmp.Diff(map[bool]int{false: 1}, entered); diff != "" {
		t.Errorf("the conversation was told (-want +got):\n%s", diff)
	}
}

func TestScreen_ACancelledFormFillsNothing(t *testing.T) {
	filled := 0
	fill := func(map[string]string) (browsing.Outcome, error) {
		filled++
		return browsing.Outcome{Said: "filled"}, nil
	}
	d := open(t, says(browsing.Outcome{Ask: &browsing.Form{Title: "name", Fields: []form.Field{{Name: "name"}}, Fill: fill}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	if !d.Asks() || !strings.Contains(d.view(), "name") {
		t.Fatalf("nothing is asked:\n%s", d.view())
	}
	cmd, _ = d.Press(tea.KeyPressMsg{Code: tea.KeyEnter})
	d.Cancel()
	d.do(cmd, true)
	if v := d.view(); d.Asks() || filled != 1 || strings.Contains(v, "filled") {
		t.Errorf("looked at %d times, and it went on:\n%s", filled, v)
	}
}

func TestScreen_WhatTheChatAsksComesBeforeWhatIsAskedHere(t *testing.T) {
	d := open(t, says(browsing.Outcome{Confirm: &browsing.Confirm{Question: "delete it?", Yes: func() (browsing.Outcome, error) { return browsing.Outcome{}, nil }}}, nil))
	cmd, _ := d.press('x')
	d.do(cmd, true)
	over := []string{"! a tool asks"}
	d.Layout(60, 12, over, "")
	rows := d.View(over)
	if v := strings.Join(rows, "\n"); len(rows) != 12 || rows[11] != over[0] || strings.Contains(v, "delete it?") {
		t.Errorf("with a question of the chat, %d rows:\n%s", len(rows), v)
	}
	if v := d.view(); !strings.Contains(v, "delete it?") {
		t.Errorf("without one:\n%s", v)
	}
}
