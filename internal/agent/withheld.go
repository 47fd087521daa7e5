package agent

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// withheldEntries are the entries that must not be sent as they stand: results of tools
// that keep the user's numbers to themselves now, recorded when they did not. With
// them go all that else came of the same call: a workflow's answer is made of what
// its steps gave, and one step's numbers go into the next.
func (c Config) withheldEntries(entries []session.Entry) map[int]bool {
	type call struct {
		message int // servers give the same ID again in another message
		id      string
	}
	open := map[call]bool{}
	eachResult(entries, func(_, message int, e session.Entry) {
		if c.hidesAmounts(e.Message.ToolName) && !DisplayOf(e).Private {
			open[call{message, tool.ParentCallID(e.Message.ToolCallID)}] = true
		}
	})
	withheld := map[int]bool{}
	eachResult(entries, func(i, message int, e session.Entry) {
		if open[call{message, tool.ParentCallID(e.Message.ToolCallID)}] {
			withheld[i] = true
		}
	})
	return withheld
}

// hidesAmounts reports whether a tool keeps the user's numbers from the model.
func (c Config) hidesAmounts(tool string) bool { return c.HidesAmounts != nil && c.HidesAmounts(tool) }

// eachResult goes through the results of calls, with the number of the message that
// made them.
func eachResult(entries []session.Entry, do func(i, message int, e session.Entry)) {
	message := 0
	for i, e := range entries {
		switch e.Kind {
		case session.KindAssistant:
			message++
		case session.KindTool:
			do(i, message, e)
		}
	}
}

// withheldNote stands for a result that is not sent again. It asks for no call of
// what writes: what was recorded would be recorded twice.
func withheldNote(m llm.Message) string {
	return fmt.Sprintf("[Result of %s removed: the user's amounts are now hidden from you, and it may contain some. Changes it made remain: do not repeat them. You may repeat calls that only read.]", m.ToolName)
}

// withholdEntries gives the entries as they may be sent, the results of out left out.
func withholdEntries(entries []session.Entry, withheld map[int]bool) []session.Entry {
	if len(withheld) == 0 {
		return entries
	}
	masked := slices.Clone(entries)
	for i := range withheld {
		masked[i].Message.Content = withheldNote(masked[i].Message)
	}
	return masked
}

// Withheld reports whether the session was resumed with results left out that named
// the user's amounts, which are hidden now. What the model said itself is sent as it
// was, and may name them.
func (c *Conversation) Withheld() bool { return c.withheld }
