package tui

import (
	"encoding/json"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestSpread_GivesUpTheLeftThenTheRight(t *testing.T) {
	for _, tt := range []struct {
		name, left, right string
		width             int
		want              string
	}{
		{"both fit", "left", "right", 16, "left       right"},
		{"left is cut", "a long left side", "right", 16, "a long l…  right"},
		{"right goes", "a long left", "right side", 14, "a long left"},
		{"nothing right", "left", "", 10, "left"},
		{"wide characters", "中文", "右", 16, "中文          右"},
		{"no room", "left", "right", 0, ""},
	} {
		if got := spread(tt.left, tt.right, tt.width); got != tt.want {
			t.Errorf("%s: spread(%q, %q, %d) = %q, want %q", tt.name, tt.left, tt.right, tt.width, got, tt.want)
		}
	}
}

func TestWrap_KeepsLinesAndNeverExceedsTheWidth(t *testing.T) {
	got := wrap("one two three\n\tfour\n中文中文", 7)
	want := []string{"one two", "three", "", "four", "中文中", "文"} // a tab is four columns
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrap (-want +got):\n%s", diff)
	}
	for _, row := range wrap("👩‍👩‍👧 中", 1) {
		if ansi.StringWidth(row) > 1 {
			t.Errorf("row %q is wider than one column", row)
		}
	}
}

func TestTook_ReadsAsPeopleSay(t *testing.T) {
	for d, want := range map[time.Duration]string{
		900 * time.Microsecond: "0 ms", 12 * time.Millisecond: "12 ms", 3400 * time.Millisecond: "3.4 s",
		5 * time.Second: "5 s", 125 * time.Second: "2 min 5 s",
	} {
		if got := took(d); got != want {
			t.Errorf("took(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestBrief_ReadsArgumentsInTheOrderTheyWereWritten(t *testing.T) {
	for raw, want := range map[string]string{
		`{"symbol":"^GSPC","range":"5y","n":3}`: "^GSPC · 5y · 3",
		`{}`:                                    "",
		`{"list":["a","b"],"deep":{"x":1}}`:     `["a","b"] · {"x":1}`,
		`not json`:                              "not json",
		`{"a":1} trailing`:                      `{"a":1} trailing`,
	} {
		if got := brief(raw); got != want {
			t.Errorf("brief(%s) = %q, want %q", raw, got, want)
		}
	}
}

func TestParseSlash_TellsNamesFromArguments(t *testing.T) {
	for text, want := range map[string][3]string{
		"/help":            {"help", "", "true"},
		"/get-price  AAPL": {"get-price", "AAPL", "true"},
		"/plan\nline two":  {"plan", "line two", "true"},
		"/etc/hosts":       {"etc/hosts", "", "true"},
		"no /slash":        {"", "", "false"},
		"/":                {"", "", "true"},
	} {
		name, args, ok := parseSlash(text)
		if got := [3]string{name, args, map[bool]string{true: "true", false: "false"}[ok]}; got != want {
			t.Errorf("parseSlash(%q) = %v, want %v", text, got, want)
		}
	}
}

// Whatever the model writes as arguments, the approval shows all of it, and
// nothing in it can act or hide.
func FuzzExactArguments(f *testing.F) {
	f.Add(`{"path":"a.md","path":"b"}`)
	f.Add(`{"a":"\u202e\n\u001b[2J"}`)
	f.Add(`{"a":[1,{"b":null}]} `)
	f.Add("{\x1b")
	f.Fuzz(func(t *testing.T, raw string) {
		for _, row := range exactArguments(raw, 40) {
			if ansi.StringWidth(row) > 40 {
				t.Fatalf("row %q of %q is too wide", row, raw)
			}
			for _, r := range row {
				if !unicode.IsPrint(r) && r != ' ' {
					t.Fatalf("row %q of %q holds %U", row, raw, r)
				}
			}
		}
		fields, ok := objectFields(raw)
		var members map[string]json.RawMessage
		if valid := json.Unmarshal([]byte(raw), &members) == nil && members != nil; ok != valid {
			t.Fatalf("objectFields(%q) ok = %t, a JSON object: %t", raw, ok, valid)
		}
		if len(fields) < len(members) {
			t.Fatalf("objectFields(%q) shows %d of %d members", raw, len(fields), len(members))
		}
	})
}
