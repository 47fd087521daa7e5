package planning

import "github.com/nfa-cli/nfa/internal/tool"

// CalculatorTools lists the tools of the room, one line each.
func CalculatorTools() []tool.Tool {
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
