package cli_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
)

func TestFormatUsage_SaysNoMoreThanIsKnown(t *testing.T) {
	used := func(tokens int, usd string) agent.Usage {
		return agent.Usage{Tokens: llm.Usage{InputTokens: tokens}, CostUSD: decimal.RequireFromString(usd), Answers: 1}
	}
	with := func(u agent.Usage, change func(*agent.Usage)) agent.Usage {
		change(&u)
		return u
	}
	tests := []struct {
		name string
		used agent.Usage
		want string
	}{
		{"nothing", agent.Usage{}, ""},
		{"the embedded assistant", agent.Usage{Answers: 3, Unpriced: true, Uncounted: true}, ""},
		{"a little", used(940, "0.00021"), "940 tokens, $0.0003"},
		{"more", used(4250, "0.5"), "4.2k tokens, $0.50"},
		{"free", used(12_999, "0"), "12k tokens, $0.00"},
		{"without a price", with(used(128_000, "0"), func(u *agent.Usage) { u.Unpriced = true }), "128k tokens"},
		{"partly without a price", with(used(1_150_000, "2"), func(u *agent.Usage) { u.Unpriced = true }), "1.1M tokens, at least $2.00"},
		{"partly uncounted", with(used(1000, "0.1"), func(u *agent.Usage) { u.Uncounted = true }), "1k tokens, at least $0.10"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cli.FormatUsage(tt.used); got != tt.want {
				t.Errorf("spent(%+v) = %q, want %q", tt.used, got, tt.want)
			}
		})
	}
}

func TestContextUsage_IsRoundedUpAndAbsentWhereNothingIsKnown(t *testing.T) {
	for want, a := range map[string]agent.UsageSummary{
		"":             {Context: 100},
		"1% of 128k":   {Context: 100, Window: 128_000},
		"100% of 8k":   {Context: 7999, Window: 8000},
		"13% of 1M":    {Context: 120_001, Window: 1_000_000},
		"110% of 1.5k": {Context: 1650, Window: 1500},
	} {
		if got := cli.ContextUsage(a); got != want {
			t.Errorf("fullness(%+v) = %q, want %q", a, got, want)
		}
	}
}
