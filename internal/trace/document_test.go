package trace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/trace"
)

// masksOf are the stretches of a page that hold no figures, each with its cover.
func masksOf(p *trace.Document) []string {
	var out []string
	for i := 0; i < p.Len(); {
		cover, start := p.MaskAt(i), i
		for i < p.Len() && p.MaskAt(i) == cover {
			i++
		}
		if cover != "" {
			out = append(out, string(cover)+" "+p.Text(start, i))
		}
	}
	return out
}

func TestRead_CoversWhatHoldsDigitsAndNoFigures(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"prose", "It rose 5%.", nil},
		{"a heading", "## Top 10\n5%", []string{"heading ## Top 10"}},
		{"seven marks are no heading", "####### 10", nil},
		{"fenced code", "```\n12\n```\n5%", []string{"code ```", "code 12", "code ```"}},
		{"a fence of tildes holds backticks", "~~~\n```\n12\n~~~\n5", []string{"code ~~~", "code ```", "code 12", "code ~~~"}},
		{"code in a line", "run `nfa --limit 100` now", []string{"code `nfa --limit 100`"}},
		{"a number set as code", "at `-5.7 %`", nil},
		{"a list number", "1. First\n(2) Second\n3、第三", []string{"place 1.", "place (2)", "place 3、"}},
		{"an amount in brackets", "(5%) of it", nil},
		{"a footnote and its reference", "a[^1]\n[^1]: 5 %", []string{"place [^1]", "place [^1]: 5 %"}},
		{"an address", "see https://a.org/12, 5", []string{"address https://a.org/12,"}},
		{"a link", "[12](b/34)", []string{"address (b/34)"}},
		{"a comment", "<!-- 12 --> 5", []string{"code <!-- 12 --"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, masksOf(trace.ParseDocument(row.text))); diff != "" {
				t.Errorf("covers of %q (-want +got):\n%s", row.text, diff)
			}
		})
	}
}

func TestParseQuoted_CodeAndHeadingsCount(t *testing.T) {
	const text = "# Top 10\n`nfa --limit 100` 1[^2]"
	if diff := cmp.Diff([]string{"place [^2]"}, masksOf(trace.ParseQuoted(text))); diff != "" {
		t.Errorf("covers of %q (-want +got):\n%s", text, diff)
	}
}

func TestDocument_FoldsWhatIsWrittenWideAndKeepsTheSource(t *testing.T) {
	p := trace.ParseDocument("a －１２．５％（Ｘ）")
	if got, want := p.Text(2, p.Len()), "-12.5%(X)"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	got, start, end := p.Source(2, 8)
	if got != "－１２．５％" || start != 2 || end != 2+len("－１２．５％") {
		t.Errorf("Source(2, 8) = %q from %d to %d, want what was written, from 2", got, start, end)
	}
	if p.Rune(-1) != '\n' || p.Rune(p.Len()) != '\n' || p.Text(-3, 1) != "a" {
		t.Errorf("outside of the text stands %q, %q", p.Rune(-1), p.Rune(p.Len()))
	}
}

func TestDocument_TellsADecimalCommaByWhatCanBeNothingElse(t *testing.T) {
	for text, want := range map[string]bool{
		"1.234,56": true, "1 234,56": true, "3,5 %": true, "142,18 €": true,
		"1,234.56": false, "1,234": false, "3,5": false, "1,2,3": false, "1,234 %": false,
	} {
		if got := trace.ParseDocument("It is " + text + " in all").Comma(); got != want {
			t.Errorf("Comma of %q = %t, want %t", text, got, want)
		}
	}
}

func TestDocument_ACellKnowsItsRowAndColumn(t *testing.T) {
	text := "| Fund | Return (%) |\n|---|---|\n| VTI | 5.7 |\n\n5.7"
	p := trace.ParseDocument(text)
	at := strings.Index(text, "5.7")
	cell, ok := p.CellOf(at)
	if !ok || strings.TrimSpace(cell.Row) != "VTI" || strings.TrimSpace(cell.Head) != "Return (%)" {
		t.Errorf("the cell of 5.7 = %+v, %t; want the row VTI under Return (%%)", cell, ok)
	}
	first, _ := p.CellOf(strings.Index(text, "VTI"))
	if first.TableColumn == cell.TableColumn {
		t.Error("two columns are one")
	}
	if _, ok := p.CellOf(len(text) - 1); ok {
		t.Error("what follows the table is in a cell of it")
	}
}

func FuzzParseDocument(f *testing.F) {
	f.Add("# 1\n| a | b |\n|-|-|\n| `1` | 2 |\n1) x [^1] https://a/1 <!-- 2 --> ```")
	f.Add("|\n|-\n|1|(|\n```\n1\n~~~ [^ ](<!-- １，２ ")
	f.Fuzz(func(t *testing.T, text string) {
		p, quoted := trace.ParseDocument(text), trace.ParseQuoted(text)
		if p.Len() != len([]rune(text)) {
			t.Fatalf("Read(%q) has %d runes", text, p.Len())
		}
		if got, start, end := p.Source(0, p.Len()); got != text || start != 0 || end != len(text) {
			t.Fatalf("the source of %q = %q", text, got)
		}
		for i := range p.Len() {
			if c := quoted.MaskAt(i); c == trace.MaskCode || c == trace.MaskHeading {
				t.Fatalf("ReadQuoted(%q) covers rune %d as %s", text, i, c)
			}
			if cell, ok := p.CellOf(i); ok && cell.TableColumn == nil {
				t.Fatalf("rune %d of %q is in a cell of no column", i, text)
			}
		}
	})
}
