package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestList_OnATerminalARowIsALineThatFitsAndAPathWidensNothing(t *testing.T) {
	rows := []listed{
		{group: "markets", name: "get-price", kind: "builtin", about: "Looks up prices of what you name, today and before"},
		{group: "markets", name: "比べる", kind: "user", about: "short", notes: []string{"! a note that may well be longer than the line"}},
		{group: "other", name: "x", kind: "user", about: "evil \x1b[31mred"},
		{name: "/a/very/long/path/to/SKILL.md", kind: "user", fault: "no name. Give it one"},
	}
	var out bytes.Buffer
	if err := list(&out, 40, rows); err != nil {
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
	if err := list(&out, 0, []listed{{group: "markets", name: "get-price", kind: "builtin", about: about}}); err != nil {
		t.Fatal(err)
	}
	if want := "get-price  builtin  " + about + "\n"; out.String() != want {
		t.Errorf("list = %q, want %q", out.String(), want)
	}
}

func TestPrintSkills_AreOrderedAsTheyAreGrouped(t *testing.T) {
	rows := []skillJSON{{Name: "bad", Reason: "no name"}, {Name: "c"}, {Name: "b", Category: "Z"}, {Name: "a", Category: "M"}, {Name: "d", Category: "M"}}
	byCategory(rows)
	var got []string
	for _, r := range rows {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"a", "d", "b", "c", "bad"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestWrapped_BreaksAtBlanksAndNeverInsideAName(t *testing.T) {
	if got, want := wrapped("get-price, risk-xray, a-name-longer-than-the-line", 12, "\n  "), "get-price,\n  risk-xray,\n  a-name-longer-than-the-line"; got != want {
		t.Errorf("wrapped = %q, want %q", got, want)
	}
}

func TestCount_HasTheWordForOneAndForMany(t *testing.T) {
	for n, want := range map[int]string{0: "0 entries", 1: "1 entry", 2: "2 entries"} {
		if got := count(n, "entry"); got != want {
			t.Errorf("count(%d, entry) = %q, want %q", n, got, want)
		}
	}
	if got := count(3, "skill"); got != "3 skills" {
		t.Errorf("count(3, skill) = %q, want 3 skills", got)
	}
}
