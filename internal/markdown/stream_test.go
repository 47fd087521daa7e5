package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// longBlock is a block and the texts that may follow it.
type longBlock struct {
	name, text string
	endings    map[string]string
}

// longBlocks returns single blocks that are long enough to be drawn piece by piece, each with something in
// the middle that affects all of it.
func longBlocks(r *rand.Rand) []longBlock {
	var table, list, code strings.Builder
	table.WriteString("before\n\n| Symbol | Price | Note |\n|---|---|--:|\n")
	list.WriteString("3) third\n")
	code.WriteString("before\n~~~~ go\n")
	for i := range 90 {
		price := fmt.Sprint(r.IntN(100000))
		if i == 70 {
			price = "suspended"
		}
		fmt.Fprintf(&table, "| S%d | %s | %s |\n", i, price, strings.Repeat("word ", r.IntN(4+i/8)))
		fmt.Fprintf(&list, "%s%d) item %s\n%s", []string{"", "\n"}[i/60], 1+r.IntN(3), strings.Repeat("word ", r.IntN(20)), []string{"", "   - below\n", "\n   apart\n"}[r.IntN(3)])
		fmt.Fprintf(&code, "\tline %d %s\n%s", i, strings.Repeat("x", r.IntN(120)), []string{"", "~~~\n"}[r.IntN(2)])
	}
	return []longBlock{
		{"table", table.String(), map[string]string{
			"then text": "\nafter", "then fence": "```\ncode\n```\n", "underlined": "---\n- a\n",
		}},
		{"list", list.String(), map[string]string{"then text": "\nafter\n===\n", "then list": "* another\n"}},
		{"fence", code.String(), map[string]string{"closed": "  ~~~~~  \n**after**", "open": "~~~"}},
	}
}

func TestStream_LongBlocksEqualRenderAtEveryCut(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for i, block := range longBlocks(r) {
		width := []int{30, 120}[i%2]
		o := markdown.Options{Width: width, Theme: markdown.DarkTheme()}
		from := 0
		for name, ending := range block.endings {
			t.Run(fmt.Sprintf("%s, %s at %d", block.name, name, width), func(t *testing.T) {
				equalAtCutsFrom(t, r, from, block.text+ending, o)
			})
			from = len(block.text) // the same text was compared with the first ending
		}
	}
}

func TestStream_ByteByByteShowsNoControl(t *testing.T) {
	src := ""
	for _, p := range payloads {
		src += p.in + "\n\n"
	}
	o := markdown.Options{Width: 30}
	s := markdown.NewStream(o)
	for i := range len(src) {
		s.Write(src[i : i+1])
		checkLines(t, s.Text(), o, s.Lines())
	}
	if diff := cmp.Diff(markdown.Render(src, o), s.Lines()); diff != "" {
		t.Errorf("Lines() after the last byte (-Render +Lines):\n%s", diff)
	}
}

// Final text is drawn only once: its strings stay the same.
func TestStream_ClosedBlocksStayAsTheyAre(t *testing.T) {
	s := markdown.NewStream(markdown.Options{Width: 40})
	s.Write("# Title\n\nfirst **paragraph**\n\n- a\n- b\n\nsec")
	before := slices.Clone(s.Lines())
	s.Write("ond **par")
	after := s.Lines()
	if want := []string{"# Title", "", "first paragraph", "", "• a", "• b", "", "second **par"}; !slices.Equal(after, want) {
		t.Fatalf("Lines() = %q, want %q", after, want)
	}
	if !slices.Equal(after[:7], before[:7]) {
		t.Errorf("Lines()[:7] = %q, want them to stay %q", after[:7], before[:7])
	}
	n := testing.AllocsPerRun(20, func() { s.Lines() })
	if n != 0 {
		t.Errorf("Lines() with nothing new allocates %v times, want 0", n)
	}
}

func TestStream_SetOptionsDrawsAgain(t *testing.T) {
	src := answer(300)
	s := markdown.NewStream(markdown.Options{Width: 100, Theme: markdown.DarkTheme()})
	s.Write(src[:700])
	s.Lines()
	narrow := markdown.Options{Width: 42, Theme: markdown.LightTheme(), Hyperlinks: true}
	s.SetOptions(narrow)
	if diff := cmp.Diff(markdown.Render(src[:700], narrow), s.Lines()); diff != "" {
		t.Errorf("Lines() after SetOptions (-Render +Lines):\n%s", diff)
	}
	s.Write(src[700:])
	if diff := cmp.Diff(markdown.Render(src, narrow), s.Lines()); diff != "" {
		t.Errorf("Lines() at the end (-Render +Lines):\n%s", diff)
	}
}

func TestStream_HugeParagraphShowsItsNewestTextAndSettles(t *testing.T) {
	o := markdown.Options{Width: 60}
	s := markdown.NewStream(o)
	rough := false
	for i := range 4000 {
		s.Write(fmt.Sprintf("and **word** number %d\n", i))
		if i%10 != 9 {
			continue
		}
		lines := s.Lines()
		if newest := fmt.Sprintf("number %d", i); !strings.HasSuffix(strings.Join(lines, " "), newest) {
			t.Fatalf("Lines() ends in %q, want %q in it", lines[len(lines)-1], newest)
		}
		rough = rough || strings.Contains(lines[len(lines)-1], "**")
	}
	if !rough {
		t.Error("80 KiB in one paragraph were parsed again each time")
	}
	s.Lines()
	if diff := cmp.Diff(markdown.Render(s.Text(), o), s.Lines()); diff != "" {
		t.Errorf("Lines() with nothing new (-Render +Lines):\n%s", diff)
	}
}

// A line of code or a row that never ends is drawn again only occasionally.
func TestStream_HugeLinesShowTheirNewestTextAndSettle(t *testing.T) {
	for name, head := range map[string]string{"code": "```json\n", "row": years(9) + strings.Repeat("|VTI|1|2\n", 120) + "|"} {
		t.Run(name, func(t *testing.T) {
			o := markdown.Options{Width: 60, Theme: markdown.Theme{CodeLiteral: "7", Code: "7"}}
			s := markdown.NewStream(o)
			s.Write(head)
			rough := false
			for i := range 4000 {
				s.Write(fmt.Sprintf("\"k\": `%05d`, ", i))
				if i%20 != 0 {
					continue
				}
				lines := s.Lines()
				last := lines[len(lines)-1]
				if !strings.Contains(ansi.Strip(strings.Join(lines[max(len(lines)-2, 0):], "")), fmt.Sprintf("%05d", i)[1:]) {
					t.Fatalf("Lines() ends in %q, want %05d in it", last, i)
				}
				rough = rough || !strings.HasPrefix(last, "  ")
			}
			if !rough {
				t.Error("64 KiB in one line were drawn again each time")
			}
			s.Lines()
			if diff := cmp.Diff(markdown.Render(s.Text(), o), s.Lines()); diff != "" {
				t.Errorf("Lines() with nothing new (-Render +Lines):\n%s", diff)
			}
		})
	}
}

// Twice the text takes at most twice the time, for any Markdown.
func TestStream_WorkGrowsWithTheText(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			work := func(tokens int) float64 {
				src := shape.text(tokens)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				stream(src, 480)
				runtime.ReadMemStats(&after)
				return float64(after.Mallocs - before.Mallocs)
			}
			work(10) // what is made at the first use
			if once, twice := work(4_000), work(8_000); twice > 2.2*once {
				t.Errorf("8,000 tokens take %.0f allocations, 4,000 take %.0f: %.1f times, want 2.2 at most", twice, once, twice/once)
			}
		})
	}
}

func TestRender_QuotesAndListsNestToABound(t *testing.T) {
	for _, mark := range []string{"> ", ">", "* ", "1. "} {
		src := strings.Repeat(mark, 30_000) + "x\n" + strings.Repeat("> \n", 1000)
		o := markdown.Options{Width: 80}
		lines := markdown.Render(src, o)
		checkLines(t, src, o, lines)
		if text := strings.Join(lines, " "); strings.Count(text, "│") > 30*len(lines) {
			t.Errorf("Render of 30,000 %q draws more than 24 bars a line", mark)
		}
	}
}

func TestStream_ReferencesFindTheDefinitionsAboveThem(t *testing.T) {
	s := markdown.NewStream(markdown.Options{Width: 60})
	s.Write("[1]: https://example.com/x\n\nintro\n\nsee [this][1]\n\n")
	s.Lines()
	s.Write("and [that][1]")
	want := []string{"intro", "", "see this (https://example.com/x)", "", "and that (https://example.com/x)"}
	if diff := cmp.Diff(want, s.Lines()); diff != "" {
		t.Errorf("Lines() (-want +got):\n%s", diff)
	}
}

func TestStream_TextIsSanitized(t *testing.T) {
	s := markdown.NewStream(markdown.Options{})
	s.Write("a\x1b]0;ti")
	s.Write("tle\x07b\r")
	s.Write("\nc")
	if got, want := s.Text(), "ab\nc"; got != want {
		t.Errorf("Text() = %q, want %q", got, want)
	}
}
