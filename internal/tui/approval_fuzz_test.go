package tui

import (
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

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
	})
}
