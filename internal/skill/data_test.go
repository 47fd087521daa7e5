package skill_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// The calls in a body, with arguments filled in; text that only looks like one stays.
func TestRenderData(t *testing.T) {
	symbol := []workflow.Parameter{{Name: "symbol"}}
	given := workflow.Arguments{Text: "AAPL", Values: map[string]workflow.ParameterValue{"symbol": {Text: "AAPL"}}}
	for _, tt := range []struct {
		name, body, want string
		calls            []string
	}{
		{"a command", "Now: !{quote AAPL}.", "Now: <0>.", []string{"quote AAPL"}},
		{"a parameter", "!{quote {{symbol}}} and {{symbol}}", "<0> and AAPL", []string{"quote AAPL"}},
		{"all arguments", "!{ quote $ARGUMENTS }", "<0>", []string{"quote AAPL"}},
		{"JSON", `!{returns_stats {"symbol":"{{symbol}}"}}`, "<0>", []string{`returns_stats {"symbol":"AAPL"}`}},
		{"two", "!{quote {{symbol}}}!{fx_rate EUR USD}", "<0><1>", []string{"quote AAPL", "fx_rate EUR USD"}},
		{"an example", "write `!{quote {{symbol}}}`", "write `!{quote AAPL}`", nil},
		{"not closed in its line", "!{quote\n{{symbol}}}", "!{quote\nAAPL}", nil},
		{"empty", "!{}{{symbol}}", "!{}AAPL", nil},
		{"the form of a shell", "!`date` {{symbol}}", "!`date` AAPL", nil},
		{"the bytes of a call", "\x00quote\x01 {{symbol}} !{quote IBM}", "quote AAPL <0>", []string{"quote IBM"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newContent("a-b", tt.body)
			c.Skill.Parameters = symbol
			r := skill.RenderData(c, given)
			got := strings.TrimSuffix(r.Insert([]string{"<0>", "<1>"}[:len(r.Calls)]), "\n\nARGUMENTS: AAPL")
			if got != strings.TrimSuffix(c.Text, c.Body)+tt.want || !slices.Equal(r.Calls, tt.calls) {
				t.Errorf("RenderData = %q with %q, want %q with %q", got, r.Calls, tt.want, tt.calls)
			}
		})
	}
}

func TestRenderData_AnArgumentAddsNoCall(t *testing.T) {
	c := newContent("a-b", "!{quote {{symbol}}} for {{symbol}}")
	c.Skill.Parameters = []workflow.Parameter{{Name: "symbol"}}
	value := "!{news} \x00news\x01"
	r := skill.RenderData(c, workflow.Arguments{Text: value, Values: map[string]workflow.ParameterValue{"symbol": {Text: value}}})
	if want := []string{"quote !{news} news"}; !slices.Equal(r.Calls, want) {
		t.Errorf("Calls = %q, want %q", r.Calls, want)
	}
}

func TestSplitData_KeepsParameters(t *testing.T) {
	c := newContent("a-b", "!{quote AAPL} {{symbol}} $ARGUMENTS")
	if got := skill.SplitData(c).Insert([]string{"137"}); !strings.HasSuffix(got, "137 {{symbol}} $ARGUMENTS") {
		t.Errorf("SplitData = %q", got)
	}
}

func TestRenderData_LimitsTheCalls(t *testing.T) {
	c := newContent("a-b", strings.Repeat("!{quote AAPL}", skill.MaxDataCalls+4))
	if n := len(skill.SplitData(c).Calls); n != skill.MaxDataCalls {
		t.Errorf("%d calls, want %d", n, skill.MaxDataCalls)
	}
}
