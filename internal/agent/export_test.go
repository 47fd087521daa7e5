package agent

import (
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CheckFigures matches every number of an answer to the figures that tools gave,
// in the rounding the answer shows. Numbers that stand in said (the words of the
// user, the notes of the tools), and numbers in the names of things (S&P 500),
// need no source.
func CheckFigures(answer string, given []tool.Figure, said string) FiguresReport {
	var e evidence
	e.learn(llm.ToolCall{}, given, "")
	e.Said(said)
	return e.check(answer)
}
