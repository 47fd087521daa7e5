// Package calculator holds the tools that compute from their arguments alone: no
// price is fetched, and the same question has the same answer tomorrow. A new one
// is a file of its own and a line in Tools; the mathematics are those of the rooms
// of package analytics.
package calculator

import "github.com/nfa-cli/nfa/internal/tool"

// Tools lists the tools of the room, one line each.
func Tools() []tool.Tool {
	return []tool.Tool{
		newCalculate(),
		newXIRR(),
		newTimeValue(),
		newLoanPayment(),
		newBondPrice(),
		newOptionPrice(),
		newPositionSize(),
	}
}
