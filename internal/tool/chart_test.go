package tool_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// plotting returns a tool whose chart is a line of n values.
func plotting(n int) tool.Tool {
	return named("plot", tool.Reads, func(context.Context) (tool.Result, error) {
		line := chart.Series{Name: "a line of its own"}
		for i := range n {
			line.Times = append(line.Times, time.Date(2010, time.January, 1+i, 0, 0, 0, 0, time.UTC))
			line.Values = append(line.Values, 100+math.Sin(float64(i)))
		}
		spec := &chart.Spec{Kind: chart.KindLine, Title: "Waves", Series: []chart.Series{line}}
		return tool.Result{Value: map[string]int{"points": n}, Chart: spec}, nil
	})
}

func TestRouter_DownsamplesCharts(t *testing.T) {
	res := call(t, newRouter(t, tool.Options{}, plotting(3000)), "plot", "")
	if res.Chart == nil || len(res.Chart.Series) != 1 {
		t.Fatalf("chart = %+v, want the line", res.Chart)
	}
	if n := len(res.Chart.Series[0].Values); n > 600 || n < 300 {
		t.Errorf("%d points of 3,000 are kept, want some 400", n)
	}
}

func TestRouter_AModelDoesNotReceiveCharts(t *testing.T) {
	res := call(t, newRouter(t, tool.Options{}, plotting(30)), "plot", "")
	for _, text := range []string{res.ModelText(), res.ForModel} {
		if strings.Contains(text, "Waves") || strings.Contains(text, "a line of its own") || text != `{"points":30}` {
			t.Errorf("the model reads %q, want only the value", text)
		}
	}
}
