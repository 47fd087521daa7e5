package companies

import "github.com/nfa-cli/nfa/internal/tool"

// ValuationTools lists the tools of the room, one line each.
func ValuationTools() []tool.Tool {
	return []tool.Tool{
		newDCF(),
		newComps(),
	}
}
