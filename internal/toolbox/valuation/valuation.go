// Package valuation holds the tools that say what a business is worth, from
// assumptions that come with the call. A new one is a file of its own and a line in
// Tools; the mathematics are those of analytics/valuation.
package valuation

import "github.com/nfa-cli/nfa/internal/tool"

// Tools lists the tools of the room, one line each.
func Tools() []tool.Tool {
	return []tool.Tool{
		newDCF(),
		newComps(),
	}
}
