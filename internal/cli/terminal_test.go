package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/cli"
)

func TestList_OnATerminalARowIsALineThatFitsAndAPathWidensNothing(t *testing.T) {
	rows := []cli.ListRow{
		{Group: "markets", Name: "get-price", Kind: "builtin", About: "Looks up prices of what you name, today and before"},
		{Group: "markets", Name: "比べる", Kind: "user", About: "short", Notes: []string{"! a note that may well be longer than the line"}},
		{Group: "other", Name: "x", Kind: "user", About: "evil \x1b[31mred"},
		{Name: "/a/very/long/path/to/SKILL.md", Kind: "user", Problem: "no name. Give it one"},
	}
	var out bytes.Buffer
	if err := cli.WriteList(&out, 40, rows); err != nil {
		t.Fatal(err)
	}
	want := `markets
get-price  builtin  Looks up prices of …
比べる     user     short
    ! a note that may well be longer than the line
other
x          user     evil red
! /a/very/long/path/to/SKILL.md  skipped: no name. Give it one
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	for line := range strings.Lines(out.String()) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "get-price") && ansi.StringWidth(name) > 40 {
			t.Errorf("%q is wider than the terminal", name)
		}
	}
}

func TestList_InAPipeEveryRowIsWholeAndUngrouped(t *testing.T) {
	var out bytes.Buffer
	about := strings.Repeat("long ", 50) + "end"
	if err := cli.WriteList(&out, 0, []cli.ListRow{{Group: "markets", Name: "get-price", Kind: "builtin", About: about}}); err != nil {
		t.Fatal(err)
	}
	if want := "get-price  builtin  " + about + "\n"; out.String() != want {
		t.Errorf("list = %q, want %q", out.String(), want)
	}
}

func TestWrap_BreaksAtBlanksAndNeverInsideAName(t *testing.T) {
	if got, want := cli.Wrap("get-price, risk-xray, a-name-longer-than-the-line", 12, "\n  "), "get-price,\n  risk-xray,\n  a-name-longer-than-the-line"; got != want {
		t.Errorf("wrapped = %q, want %q", got, want)
	}
}

func TestCountNoun_HasTheWordForOneAndForMany(t *testing.T) {
	for n, want := range map[int]string{0: "0 entries", 1: "1 entry", 2: "2 entries"} {
		if got := cli.CountNoun(n, "entry"); got != want {
			t.Errorf("Count(%d, entry) = %q, want %q", n, got, want)
		}
	}
	if got := cli.CountNoun(3, "skill"); got != "3 skills" {
		t.Errorf("Count(3, skill) = %q, want 3 skills", got)
	}
}
