package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/trace"
)

// answers returns the figures of a file of tool answers; testdata/README.md describes its format.
func answers(t testing.TB, name string) *trace.Sources {
	t.Helper()
	return answersAt(t, filepath.Join("testdata/answers", name))
}

func answersAt(t testing.TB, name string) *trace.Sources {
	t.Helper()
	sources := &trace.Sources{Names: testNames(t)}
	arguments, index := "", 0
	for _, line := range linesOf(t, name) {
		if rest, ok := strings.CutPrefix(line, "call "); ok {
			_, arguments, _ = strings.Cut(rest, " ")
			continue
		}
		f := strings.Split(strings.TrimPrefix(line, "figure "), "|")
		if len(f) != 6 {
			t.Fatalf("%s: %q has %d parts, want 6", name, line, len(f))
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		k := trace.KnownFigure{ID: f[0], Label: f[1], Value: decimal.RequireFromString(f[2]), Unit: f[3], Symbols: trace.SymbolsOf(arguments), Index: index}
		if f[4] != "" {
			asOf, err := time.Parse(time.DateOnly, f[4])
			if err != nil {
				t.Fatal(err)
			}
			k.AsOf = asOf
		}
		for input := range strings.SplitSeq(f[5], ";") {
			if input = strings.TrimSpace(input); input != "" {
				k.Inputs = append(k.Inputs, input)
			}
		}
		sources.Add(k)
		sources.AddText(k.Label)
		index++
	}
	return sources
}

// answersFor returns the file of answers that a file of sentences is about: "compare.txt" for
// "compare.by-hand.txt".
func answersFor(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name + ".txt"
}

// instrumentNames holds the names of instruments by symbol.
type instrumentNames map[string][]string

func (n instrumentNames) HasSymbol(symbol string) bool { return n[symbol] != nil }

func (n instrumentNames) Named(string) map[string][]string { return n }

func testNames(t testing.TB) *trace.Directory {
	names := instrumentNames{}
	for _, line := range linesOf(t, "testdata/names.txt") {
		f := strings.Split(line, " | ")
		names[f[0]] = f[1:]
	}
	return trace.NewDirectory(names)
}

func linesOf(t testing.TB, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}

// sentences calls check with each sentence of a folder, compared with the figures of its file.
func sentences(t *testing.T, folder string, check func(file, line string, r trace.Report)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/" + folder + "/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sentences: %v", err)
	}
	for _, path := range paths {
		sources := answers(t, answersFor(path))
		for _, line := range linesOf(t, path) {
			text := line
			if _, rest, ok := strings.Cut(line, "\t"); ok {
				text = rest
			}
			check(filepath.Base(path), line, sources.Match(strings.ReplaceAll(text, `\n`, "\n")))
		}
	}
}

// C42: a corpus of true sentences gives no false alarm.
func TestMatch_TrueSentencesPass(t *testing.T) {
	count := 0
	sentences(t, "true", func(file, line string, r trace.Report) {
		count++
		if r.Traced != r.Total || r.Total == 0 {
			t.Errorf("%s: %q: %v, want all traced", file, line, statuses(r))
		}
	})
	if t.Logf("%d true sentences", count); count < 2000 {
		t.Errorf("%d true sentences, want at least 2000", count)
	}
}

// C42: at least 95% of a corpus of false sentences are caught.
func TestMatch_FalseSentencesAreCaught(t *testing.T) {
	count, caught := 0, 0
	kinds := map[string][2]int{}
	sentences(t, "false", func(file, line string, r trace.Report) {
		count++
		kind, _, _ := strings.Cut(line, "\t")
		n := kinds[kind]
		n[1]++
		if r.Traced < r.Total {
			caught++
			n[0]++
		} else {
			t.Logf("%s: %q passed", file, line)
		}
		kinds[kind] = n
	})
	t.Logf("%d of %d false sentences caught (%.1f%%): %v", caught, count, 100*float64(caught)/float64(count), kinds)
	if count < 500 || caught*100 < count*95 {
		t.Errorf("%d of %d false sentences caught, want at least 95%% of 500 or more", caught, count)
	}
}
