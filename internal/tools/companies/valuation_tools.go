package companies

import "github.com/nfa-cli/nfa/internal/tool"

// ValuationTools returns the tools that value a company from given numbers.
func ValuationTools() []tool.Tool {
	return []tool.Tool{
		newDCF(),
		newComps(),
	}
}
