package trace_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/trace"
)

// corpus is a file of answers with their figures and question; testdata/corpus/README.md describes its
// format.
type corpus struct {
	name     string
	known    []trace.KnownFigure
	question string
	answers  []answer
}

// answer is a text and the expected results for it.
type answer struct {
	line int
	text string
	want []marked
}

// marked is a figure of an answer: its position, its status, and the ID of its figure.
type marked struct {
	start, end int
	status     trace.Status
	id         string
}

var mark = regexp.MustCompile(`\{([^{}]+?)([=!])([^{}=!]+)\}`)

func readCorpus(t testing.TB) []corpus {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var out []corpus
	for _, path := range paths {
		out = append(out, readFile(t, path))
	}
	return out
}

func readFile(t testing.TB, path string) corpus {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := corpus{name: filepath.Base(path)}
	for i, line := range strings.Split(string(b), "\n") {
		head, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || head == "#":
		case head == "figure":
			c.known = append(c.known, knownOf(t, rest, len(c.known)))
		case head == "question":
			c.question = rest
		default:
			c.answers = append(c.answers, answerOf(t, c, i+1, strings.ReplaceAll(line, `\n`, "\n")))
		}
	}
	return c
}

func knownOf(t testing.TB, line string, index int) trace.KnownFigure {
	t.Helper()
	f := strings.Split(line, "|")
	if len(f) != 4 {
		t.Fatalf("figure %q has %d parts, want 4", line, len(f))
	}
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	return trace.KnownFigure{ID: f[0], Label: f[1], Value: decimal.RequireFromString(f[2]), Unit: f[3], Index: index}
}

func answerOf(t testing.TB, c corpus, line int, source string) answer {
	t.Helper()
	a := answer{line: line}
	var text strings.Builder
	at := 0
	for _, m := range mark.FindAllStringSubmatchIndex(source, -1) {
		text.WriteString(source[at:m[0]])
		start := text.Len()
		text.WriteString(source[m[2]:m[3]])
		w := marked{start, text.Len(), trace.Traced, source[m[6]:m[7]]}
		switch {
		case source[m[4]] == '!':
			w.status = trace.Contradicted
		case w.id == "?":
			w.status, w.id = trace.Untraced, ""
		}
		if w.id != "" && !slices.ContainsFunc(c.known, func(k trace.KnownFigure) bool { return k.ID == w.id }) {
			t.Fatalf("%s:%d: there is no figure %s", c.name, line, w.id)
		}
		a.want = append(a.want, w)
		at = m[1]
	}
	a.text = text.String() + source[at:]
	return a
}

// found returns the result of Match for an answer.
func (c corpus) found(a answer) []marked {
	var out []marked
	for _, m := range trace.Match(a.text, c.known, c.question).Numbers {
		f := marked{m.Start, m.End, m.Status, ""}
		if m.Status != trace.Untraced {
			f.id = c.known[m.Index].ID
		}
		out = append(out, f)
	}
	return out
}

func (a answer) show(list []marked) string {
	var out []string
	for _, m := range list {
		out = append(out, fmt.Sprintf("%q %s %s", a.text[m.start:m.end], m.status, m.id))
	}
	return strings.Join(out, ", ")
}

// leastOfCorpus is the precision and recall below which the check would do more harm than good, because each
// wrong mark teaches readers to ignore the right ones.
const leastOfCorpus = 0.97

func TestMatch_FindsTheFiguresOfTheCorpus(t *testing.T) {
	right, found, expected, answers := 0, 0, 0, 0
	of := map[trace.Status][3]int{} // right, found, expected
	for _, c := range readCorpus(t) {
		for _, a := range c.answers {
			got := c.found(a)
			answers++
			found, expected = found+len(got), expected+len(a.want)
			missed := false
			for _, m := range got {
				n := of[m.status]
				n[1]++
				if slices.Contains(a.want, m) {
					right++
					n[0]++
				}
				of[m.status] = n
				missed = missed || !slices.Contains(a.want, m)
			}
			for _, m := range a.want {
				n := of[m.status]
				n[2]++
				of[m.status] = n
				missed = missed || !slices.Contains(got, m)
			}
			if missed {
				t.Logf("%s:%d: %q\n  found %s\n  want  %s", c.name, a.line, a.text, a.show(got), a.show(a.want))
			}
		}
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(expected)
	t.Logf("%d answers, %d figures: precision %.4f, recall %.4f", answers, expected, precision, recall)
	for _, s := range slices.SortedFunc(maps.Keys(of), cmp.Compare) {
		n := of[s]
		t.Logf("  %-12s precision %d/%d, recall %d/%d", s, n[0], n[1], n[0], n[2])
	}
	if answers < 150 {
		t.Errorf("the corpus has %d answers, want at least 150", answers)
	}
	if precision < leastOfCorpus || recall < leastOfCorpus {
		t.Errorf("precision %.4f, recall %.4f; want at least %.2f of each", precision, recall, leastOfCorpus)
	}
}
