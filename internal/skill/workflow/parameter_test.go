package workflow_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestUsage_SaysWhatIsNeededAndWhatMayBeLeftOut(t *testing.T) {
	declared := []workflow.Parameter{
		{Name: "symbol", Type: "symbol", Required: true},
		{Name: "range", Type: "string"},
		{Name: "years", Type: "integer", Required: true, Default: 5},
	}
	if got, want := workflow.ArgumentHint(declared), "<symbol> [range] [years]"; got != want {
		t.Errorf("ArgumentHint = %q, want %q", got, want)
	}
	if got, want := workflow.ArgumentUsage(declared), "symbol=<symbol> [range=<string>] [years=<integer>]"; got != want {
		t.Errorf("ArgumentUsage = %q, want %q", got, want)
	}
	if workflow.ArgumentHint(nil) != "" || workflow.ArgumentUsage(nil) != "" {
		t.Error("without parameters there is something to type")
	}
}
