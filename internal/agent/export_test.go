package agent

import (
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CheckFigures matches every number of an answer to the figures that tools returned, rounded as in the
// answer. Numbers that appear in said (the user's messages, the notes of tools), and numbers in names (S&P
// 500), need no source.
func CheckFigures(answer string, toolFigures []tool.Figure, statedText string) FiguresReport {
	var e sourceIndex
	e.addFigures(llm.ToolCall{}, toolFigures, "")
	e.AddText(statedText)
	return e.check(answer)
}
