package workflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// A year of daily prices, of which a step uses one.
func BenchmarkRun_OneFigureOf250Bars(b *testing.B) {
	steps, declared := parseSkill(b, fmt.Sprintf(twoSteps, `"{{steps.a.bars[249].close}}"`))
	bar := `{"date": "2020-01-02", "open": 1.5, "high": 1.5, "low": 1.5, "close": 1.50, "volume": 1000000}`
	c := &fakeCaller{results: map[string]string{"a": `{"bars": [` + strings.Repeat(bar+",", 249) + bar + `]}`}}
	b.ReportAllocs()
	for b.Loop() {
		c.made = c.made[:0]
		p := workflow.NewPlan(steps, declared, workflow.Arguments{}, workflow.Environment{})
		if _, err := workflow.Run(context.Background(), p, c); err != nil {
			b.Fatal(err)
		}
	}
}
