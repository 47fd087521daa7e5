package planning

import "github.com/nfa-cli/nfa/internal/tool"

// CalculatorTools returns the tools that calculate with given numbers.
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
