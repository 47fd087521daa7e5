package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// took returns a row of n, 2n and 4n with the given times in seconds.
func took(grows growth, seconds ...float64) figures {
	f := figures{row: row{name: "scan", unit: "skills", sizes: []int{500, 1_000, 2_000}[:len(seconds)], grows: grows}}
	for _, s := range seconds {
		f.results = append(f.results, result{seconds: s, bytes: 1_536_000, allocs: 12_345})
	}
	return f
}

func TestOvergrown_ToleratesHalfAgainTheExpectedGrowth(t *testing.T) {
	for _, c := range []struct {
		name string
		f    figures
		want string
	}{
		{"in proportion", took(linear(), 1, 2, 4), ""},
		{"with what caches cost", took(linear(), 1, 2.9, 8.6), ""},
		{"with the square", took(linear(), 1, 2, 8.2), "scan: 2,000 skills take 4.1 times as long as 1,000; expected growth: as n"},
		{"early on", took(flat(), 1, 2, 2), "scan: 1,000 skills take 2.0 times as long as 500; expected growth: constant"},
		{"the square where it may", took(quadratic(), 1, 4, 16), ""},
		{"one size", took(growth{}, 5), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := (report{sections: []table{{rows: []figures{c.f}}}}).overgrown(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("overgrown = %q, want %q", got, c.want)
			}
		})
	}
}

func TestPage_HasMethodMachineAndRows(t *testing.T) {
	r := report{
		machine:   machine{2, "go1.26.8 linux/amd64"},
		rounds:    3,
		starts:    []start{{Name: "an empty Go program", Millis: 2, CPU: 1, Base: true}, {Name: "`nfa version`", Millis: 9, CPU: 8, MiB: 21.21}},
		sections:  []table{{"Skills", []figures{took(linear(), 0.01, 0.02, 0.05), took(growth{}, 0.001)}}},
		yardstick: spread{0.08, 0.0812},
	}
	got := r.page()
	for _, want := range []string{
		"# Benchmarks\n", "This run: 3 rounds on 2 processors, go1.26.8 linux/amd64. The yardstick took 80.0 ms to 81.2 ms in this run.\n",
		"| an empty Go program | 2.00 ms | 1.00 | 1.00 ms |  |\n", "| `nfa version` | 9.00 ms | 4.50 | 8.00 ms | 21.2 MiB |\n",
		"| scan | 2,000 skills | 50.0 ms | 0.625 | 1.54 MB | 12,345 | 2.00 | 2.50 | as n |\n",
		"| scan | 500 skills | 1.00 ms | 0.0125 | 1.54 MB | 12,345 |  |  |  |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("page lacks %q:\n%s", want, got)
		}
	}
	r.yardstick.most = 0.2
	if got := r.page(); !strings.Contains(got, "to 200 ms in this run: the machine was busy.\n") {
		t.Errorf("the page does not report a busy machine:\n%s", got)
	}
}

func TestPage_ReportsMissingStarts(t *testing.T) {
	const want = "\n## Start\n\nNot measured on this system.\n\n## First request"
	r := report{sections: []table{{"Skills", []figures{took(growth{}, 0.001)}}}, yardstick: spread{0.08, 0.08}}
	if got := r.page(); !strings.Contains(got, want) {
		t.Errorf("page lacks %q:\n%s", want, got)
	}
	if got := r.tables(); strings.Contains(got, "start") {
		t.Errorf("unexpected table of starts:\n%s", got)
	}
}

func TestWrite_WritesThePageBeforeItReportsProblems(t *testing.T) {
	for _, c := range []struct {
		name      string
		yardstick spread
		seconds   float64 // for twice the size; the first size takes 1
		want      []string
	}{
		{"a quiet machine", spread{1, 1.25}, 2, nil},
		{"a busy one", spread{1, 1.26}, 2, []string{"the machine was busy: the yardstick took 1.00 s to 1.26 s", "(PAGE was written)"}},
		{"one that grew", spread{1, 1}, 4, []string{"scan: 1,000 skills take 4.0 times as long as 500; expected growth: as n", "(PAGE was written)"}},
		{"both", spread{1, 2}, 4, []string{"the machine was busy: the yardstick took 1.00 s to 2.00 s",
			"scan: 1,000 skills take 4.0 times as long as 500; expected growth: as n", "(PAGE was written)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "page.md")
			r := report{sections: []table{{"Skills", []figures{took(linear(), 1, c.seconds)}}}, yardstick: c.yardstick}
			var got []string
			if err := r.write(path); err != nil {
				got = strings.Split(strings.ReplaceAll(err.Error(), path, "PAGE"), "\n")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("write error (-want +got):\n%s", diff)
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != r.page() {
				t.Errorf("the page: %v\n%s", err, text)
			}
		})
	}
}

func TestFormat_ThreeDigitsAndUnit(t *testing.T) {
	for seconds, want := range map[float64]string{
		1.5: "1.50 s", 75: "75.0 s", 0.0999: "99.9 ms", 0.001: "1.00 ms", 12.34e-6: "12.3 µs", 450e-9: "450 ns", 0: "0 ns",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %q, want %q", seconds, got, want)
		}
	}
	for v, want := range map[float64]string{0.000347: "0.000347", 0.5: "0.500", 9.999: "10.00", 54.44: "54.4", 1234.5: "1,234", 0: "0"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
	for bytes, want := range map[float64]string{5: "5.00 B", 999: "999 B", 1_000: "1.00 kB", 40_018_368: "40.0 MB"} {
		if got := size(bytes); got != want {
			t.Errorf("size(%v) = %q, want %q", bytes, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 999: "999", 1_000: "1,000", 1_172_262: "1,172,262"} {
		if got := thousands(v); got != want {
			t.Errorf("thousands(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestReplace_WritesTheWholePageOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	for _, text := range []string{"first", "second"} {
		if err := replace(path, text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("replace: %q, %v, want %q", got, err, text)
		}
	}
	if err := replace(filepath.Join(path, "below a file"), "x"); err == nil {
		t.Error("replace below a file = nil, want an error")
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v, want only the page", len(entries), err)
	}
}

func TestLeast_TakesTheBetterOfEach(t *testing.T) {
	got := result{2, 100, 5}.least(result{3, 90, 5})
	if diff := cmp.Diff(result{2, 90, 5}, got, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("least (-want +got):\n%s", diff)
	}
}
