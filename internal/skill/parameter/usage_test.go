package parameter_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

func TestUsage_SaysWhatIsNeededAndWhatMayBeLeftOut(t *testing.T) {
	declared := []parameter.Parameter{
		{Name: "symbol", Type: "symbol", Required: true},
		{Name: "range", Type: "string"},
		{Name: "years", Type: "integer", Required: true, Default: 5},
	}
	if got, want := parameter.Hint(declared), "<symbol> [range] [years]"; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	if got, want := parameter.Usage(declared), "symbol=<symbol> [range=<string>] [years=<integer>]"; got != want {
		t.Errorf("Usage = %q, want %q", got, want)
	}
	if parameter.Hint(nil) != "" || parameter.Usage(nil) != "" {
		t.Error("without parameters there is something to type")
	}
}
