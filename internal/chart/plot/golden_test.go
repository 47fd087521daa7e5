package plot_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/charttest"
	"github.com/nfa-cli/nfa/internal/chart/plot"
)

var update = flag.Bool("update", false, "write what is drawn to the golden files")

var charsets = []struct {
	name string
	set  plot.Charset
}{{"braille", plot.Braille}, {"block", plot.Block}, {"ascii", plot.ASCII}}

// TestRender_Golden draws each kind of chart at three sizes in all charsets.
func TestRender_Golden(t *testing.T) {
	for name, spec := range samples() {
		if err := spec.Validate(); err != nil {
			t.Errorf("%s: Validate() = %v, want a spec that can be drawn", name, err)
		}
		for _, size := range [][2]int{{40, 10}, {80, 20}, {200, 40}} {
			file := fmt.Sprintf("%s.%dx%d.golden", name, size[0], size[1])
			t.Run(file, func(t *testing.T) {
				var b strings.Builder
				for _, c := range charsets {
					fmt.Fprintf(&b, "== %s\n", c.name)
					for _, line := range plot.Render(spec, plot.Options{Width: size[0], Height: size[1], Charset: c.set}) {
						b.WriteString(line.String() + "\n")
					}
				}
				compare(t, filepath.Join("testdata", file), b.String())
			})
		}
	}
}

func TestDescribe_Golden(t *testing.T) {
	var b strings.Builder
	all := samples()
	for _, name := range []string{"line", "log", "gap", "intraday", "candles", "bars", "short", "histogram", "fan", "drawdown", "compare"} {
		fmt.Fprintf(&b, "%s\n  %s\n", name, chart.Describe(all[name]))
	}
	compare(t, filepath.Join("testdata", "describe.golden"), b.String())
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// What is drawn is that of all rooms of charts.
var (
	samples, every, weekdays  = charttest.Samples, charttest.Every, charttest.Weekdays
	walk, candles, drawdownOf = charttest.Walk, charttest.Candles, charttest.Drawdown
)
