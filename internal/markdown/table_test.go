package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// A column is right-aligned exactly if it contains numbers: the short
// cell is then drawn at the end of its column.
func TestRender_WhatCountsAsANumber(t *testing.T) {
	tests := []struct {
		cell    string
		numeric bool
	}{
		{"184.25", true}, {"1,402.10", true}, {"1'402.10", true}, {".5", true},
		{"+0.69%", true}, {"−12.5%", true}, {"(1,200)", true}, {"~3", true}, {">=10", true},
		{"$184.25", true}, {"€12", true}, {"184.25 USD", true}, {"308.80 GBp", true},
		{"12.3x", true}, {"1.2bn", true}, {"25 bps", true}, {"98.6%¹", true}, {"**98.6%**", true}, {"`7`", true},
		{"$ 1 234 567.89", true}, {"1\u202f234,50 €", true}, {"3\u00a0100", true}, {"12 34", false}, {"2020 20211", false},
		{"0700.HK", false}, {"7203.T", false}, {"184.25 U", true}, {"$", false},
		{"2020-04-17", false}, {"10:30", false}, {"3 sessions", false}, {"Q1 2020", false},
		{"AAPL", false}, {"10-K", false}, {"5y to 10y", false}, {"%", false}, {"v1", false},
	}
	for _, tt := range tests {
		src := "label|a wide header\n-|-\nx|" + tt.cell + "\n"
		lines := markdown.Render(src, markdown.Options{Width: 60})
		row, rule := lines[2], lines[1]
		if right := ansi.StringWidth(row) == ansi.StringWidth(rule); right != tt.numeric {
			t.Errorf("cell %q drawn at the right = %v, want %v: %q", tt.cell, right, tt.numeric, row)
		}
	}
}

func TestRender_WideColumnsGiveWayBeforeNarrowOnes(t *testing.T) {
	src := "Sym|Price|Comment\n-|-|-\nAAPL|184.25|" + strings.Repeat("words and ", 12) + "\n"
	want := []string{
		"Sym    Price  Comment",
		"────  ──────  ────────────────────────────────────",
		"AAPL  184.25  words and words and words and words",
		"              and words and words and words and",
		"              words and words and words and words",
		"              and words and",
	}
	if got := markdown.Render(src, markdown.Options{Width: 50}); !slices.Equal(got, want) {
		t.Errorf("Render at 50 =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRender_ATableThatCannotFitBecomesLabeledLines(t *testing.T) {
	columns := 12
	row := strings.Repeat("|1,234,567.89", columns) + "|\n"
	src := strings.Repeat("|Revenue", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + row
	lines := markdown.Render(src, markdown.Options{Width: 80})
	if three := strings.TrimSpace(strings.Repeat("Revenue: 1,234,567.89  ", 3)); len(lines) != columns/3 || lines[0] != three || lines[3] != "  "+three {
		t.Errorf("Render of 12 wide numbers at 80 = %q, want lines of three labeled numbers", lines)
	}
	if lines := markdown.Render(src, markdown.Options{Width: 200}); len(lines) != 3 {
		t.Errorf("Render of 12 wide numbers at 200 = %q, want header, rule and row", lines)
	}
}

func TestRender_CellsKeepTheirStyle(t *testing.T) {
	theme := markdown.Theme{TableHeader: "1", Strong: "7", TableRule: "2"}
	got := markdown.Render("a|b\n-|-\n**x**|y", markdown.Options{Width: 50, Theme: theme})
	want := []string{"\x1b[1ma\x1b[m  \x1b[1mb\x1b[m", "\x1b[2m─\x1b[m  \x1b[2m─\x1b[m", "\x1b[7mx\x1b[m  y"}
	if !slices.Equal(got, want) {
		t.Errorf("Render = %q, want %q", got, want)
	}
}

// Chat, section 10: on a narrow screen a table of more than four columns is "label: value" lines.
func TestRender_ManyColumnsAreLines(t *testing.T) {
	src := "| symbol | price | change | since | as of |\n|---|---:|---:|---|---|\n| AAPL | 137.44 | -7.52% | 2022-05-31 | 2022-06-28 |\n"
	want := []string{"symbol: AAPL  price: 137.44  change: -7.52%", "  since: 2022-05-31  as of: 2022-06-28"}
	if diff := cmp.Diff(want, markdown.Render(src, markdown.Options{Width: 60, MaxColumns: 4})); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got := markdown.Render(src, markdown.Options{Width: 60, MaxColumns: 5}); len(got) != 3 {
		t.Errorf("with five columns it is\n%s", strings.Join(got, "\n"))
	}
}
