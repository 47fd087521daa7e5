package cli_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

func TestWhy_SaysWhatIsTracedInventedAndContradicted(t *testing.T) {
	figure := tool.Figure{
		Label: "AAPL annual return", Value: decimal.RequireFromString("5.74"), Unit: "%", AsOf: time.Date(2020, 4, 17, 0, 0, 0, 0, time.UTC),
		Source: "sample *data*", Formula: "(last / first) ^ (1 / years) - 1", Inputs: []string{"first 1447.16", "last 2874.56"},
	}
	note := agent.Note{Number: 1, Figure: figure, Call: agent.NotedCall{Name: "returns_stats", Arguments: `{"symbol":"AAPL"}`}}
	chain := "- Formula: `(last / first) ^ (1 / years) - 1`\n- From: first 1447.16; last 2874.56\n" +
		"- Call: `returns_stats {\"symbol\":\"AAPL\"}`\n- Source: sample \\*data\\*\n- As of: 2020-04-17\n\n"
	for _, row := range []struct {
		name string
		r    agent.FiguresReport
		want string
	}{
		{
			"traced", agent.FiguresReport{Total: 1, Notes: []agent.Note{note}, Numbers: []trace.MatchedNumber{{Text: "5.7%", Status: trace.Traced, Note: 1}}},
			"`5.7%` states AAPL annual return **5.74%**\n\n" + chain,
		},
		{
			"contradicted", agent.FiguresReport{Total: 1, Notes: []agent.Note{note}, Numbers: []trace.MatchedNumber{{Text: "7.5%", Status: trace.Contradicted, Note: 1}}},
			"`7.5%` contradicts the tool: AAPL annual return **5.74%**\n\n" + chain,
		},
		{
			"invented", agent.FiguresReport{Total: 1, Numbers: []trace.MatchedNumber{{Text: "7.5%", Status: trace.Untraced}}},
			"No tool returned `7.5%`. The model wrote it.\n\n",
		},
	} {
		if diff := cmp.Diff(row.want, cli.Why(row.r, "1")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}
