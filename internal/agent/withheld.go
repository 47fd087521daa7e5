package agent

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// withheldEntries returns the entries whose results must no longer be sent: results of tools that hide
// amounts now and did not when they were recorded. All results of the same workflow are included, because
// they contain the numbers of its steps.
func (c Config) withheldEntries(entries []session.Entry) map[int]bool {
	type call struct {
		message int // servers may reuse an ID in another message
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

// eachResult calls do with each result of a call and the number of the message that requested it.
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

// withheldNote returns the text that replaces a withheld result. It warns against repeating a call that
// writes.
func withheldNote(m llm.Message) string {
	return fmt.Sprintf("[Result of %s removed: the user's amounts are now hidden from you, and it may contain some. Changes it made remain: do not repeat them. You may repeat calls that only read.]", m.ToolName)
}

// withholdEntries returns the entries with the withheld results replaced by notes.
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

// Withheld reports whether results were withheld when the session was resumed, because they contain amounts
// that are hidden now. The model's own messages are sent unchanged and may contain amounts.
func (c *Conversation) Withheld() bool { return c.withheld }
