package chart_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/charttest"
	"github.com/nfa-cli/nfa/internal/golden"
)

var update = flag.Bool("update", false, "write what is drawn to the golden files")

var charsets = []struct {
	name string
	set  chart.Charset
}{{"braille", chart.CharsetBraille}, {"block", chart.CharsetBlock}, {"ascii", chart.CharsetASCII}}

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
					for _, line := range chart.Render(spec, chart.RenderOptions{Width: size[0], Height: size[1], Charset: c.set}) {
						b.WriteString(line.String() + "\n")
					}
				}
				golden.CheckFile(t, filepath.Join("testdata", file), b.String(), *update)
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
	golden.CheckFile(t, filepath.Join("testdata", "describe.golden"), b.String(), *update)
}

// samples are charts of all kinds.
var (
	samples, every, weekdays  = charttest.FixtureSpecs, charttest.FixtureTimes, charttest.FixtureWeekdays
	walk, candles, drawdownOf = charttest.FixtureWalk, charttest.FixtureCandles, charttest.FixtureDrawdown
)
