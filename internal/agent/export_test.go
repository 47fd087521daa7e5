package agent

import (
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CheckFigures matches every number of an answer to the figures that tools gave,
// in the rounding the answer shows. Numbers that stand in said (the words of the
// user, the notes of the tools), and numbers in the names of things (S&P 500),
// need no source.
func CheckFigures(answer string, toolFigures []tool.Figure, statedText string) FiguresReport {
	var e sourceIndex
	e.addFigures(llm.ToolCall{}, toolFigures, "")
	e.AddText(statedText)
	return e.check(answer)
}
