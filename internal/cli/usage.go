package cli

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
)

// FormatUsage returns a short text such as "4.2k tokens, $0.02". The built-in assistant uses no
// tokens.
func FormatUsage(u agent.Usage) string {
	tokens := u.Tokens.InputTokens + u.Tokens.OutputTokens
	if tokens == 0 {
		return ""
	}
	text := formatTokens(tokens) + " tokens"
	if !u.Unpriced || !u.CostUSD.IsZero() {
		text += ", " + formatCost(u)
	}
	return text
}

// formatCost returns the known part of a cost, marked if it is incomplete.
func formatCost(u agent.Usage) string {
	text := "$" + u.CostUSD.StringFixed(2)
	if small := decimal.New(10, -2); u.CostUSD.IsPositive() && u.CostUSD.LessThan(small) {
		// Rounded to the cent it would be zero or nearly so.
		text = "$" + u.CostUSD.RoundUp(4).String()
	}
	if u.Uncounted || u.Unpriced {
		return "at least " + text
	}
	return text
}

// ContextUsage returns how much of the context window is used, if known.
func ContextUsage(a agent.UsageSummary) string {
	if a.Window <= 0 || a.Context <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%% of %s", (a.Context*100+a.Window-1)/a.Window, formatTokens(a.Window))
}

// formatTokens formats a count for people: 940, 4.2k, 128k, 1.1M.
func formatTokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 10_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n/100)/10), ".0") + "k"
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n/100_000)/10), ".0") + "M"
}

// UsageReport returns the usage of the last turn and of the session as Markdown.
func UsageReport(a agent.UsageSummary) string {
	if a.Session.Answers == 0 {
		return "No model has answered in this session yet.\n"
	}
	var b strings.Builder
	b.WriteString("| | responses | input tokens | cached | output tokens | cost |\n|---|---:|---:|---:|---:|---:|\n")
	for _, row := range []struct {
		name string
		used agent.Usage
	}{{"last turn", a.Turn}, {"conversation", a.Session}} {
		cost := formatCost(row.used)
		if row.used.Unpriced && row.used.CostUSD.IsZero() {
			cost = "n/a"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %s |\n", row.name, row.used.Answers,
			row.used.Tokens.InputTokens, row.used.Tokens.CachedTokens, row.used.Tokens.OutputTokens, cost)
	}
	if a.Session.Uncounted {
		b.WriteString("\nSome responses, such as stopped ones, were not counted by the server, so the totals are too low.\n")
	}
	if a.Session.Unpriced {
		b.WriteString("\nThe price of some responses is unknown; set prices under `providers` in the settings.\n")
	}
	if full := ContextUsage(a); full != "" {
		fmt.Fprintf(&b, "\nThe next question sends about %d tokens, %s; /compact reduces that.\n", a.Context, full)
	}
	return b.String()
}
