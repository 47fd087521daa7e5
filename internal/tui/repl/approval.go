package repl

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// noAnswerReason is the reason of a refusal if the input ended before an answer.
const noAnswerReason = "nobody is there to answer"

// askApproval asks for an approval until there is an answer. It reports whether the
// user would rather have the turn stopped.
func (c *chat) askApproval(q tui.ApprovalRequest) (stop bool, err error) {
	c.printApproval(q)
	askedAt := c.Now()
	for {
		text, event := c.readNext(labelAnswer, q.Canceled)
		switch event {
		case readEnd:
			q.Answer(tool.Answer{Reason: noAnswerReason})
			return false, nil
		case readCanceled:
			c.out.say(labelNotice, "the question is not asked any more")
			return false, nil
		case readInterrupt:
			q.Answer(tool.Answer{Person: true})
			c.out.say(labelNotice, "refused, and stopping; press Ctrl+C again to leave")
			return true, nil
		}
		answer, understood := parseAnswer(text, q.Approval.Pattern != "")
		// A line that was sent before the question appeared is no yes to it.
		if c.cfg.Interactive && answer.Allowed && c.Now().Sub(askedAt) < widget.ApprovalQuietTime {
			c.out.say(labelNotice, "that came too soon after the question; again, please")
			continue
		}
		if understood {
			q.Answer(answer)
			return false, nil
		}
		c.out.say(labelNotice, "that is no answer. "+answerHint(q.Approval.Pattern))
	}
}

// printApproval says what is wanted, exactly, and which answers there are.
func (c *chat) printApproval(q tui.ApprovalRequest) {
	request := q.Approval
	exactly := widget.FormatExactArguments(request.Call.Arguments, noWrapWidth)
	if len(request.Plan) > 0 {
		exactly = nil
		for _, line := range request.Plan {
			exactly = append(exactly, widget.EscapeInvisible(strings.TrimSpace(line)))
		}
	}
	for _, line := range request.Changes {
		exactly = append(exactly, widget.EscapeInvisible(line))
	}
	head := widget.EscapeInvisible(request.Call.Name) + " " + widget.DescribeEffect(request.Effect) + "."
	c.out.lines(labelApproval, slices.Concat([]string{head}, exactly, []string{answerHint(request.Pattern)}))
}

func answerHint(pattern string) string {
	text := "Answer n (no, and why if you like), y (once), s (session)"
	if pattern != "" {
		text += ", a (always for " + widget.EscapeInvisible(pattern) + ")"
	}
	return text + ":"
}

// parseAnswer takes a line as an answer: a letter or its word alone, or a no with the
// reason behind it.
func parseAnswer(text string, always bool) (answer tool.Answer, understood bool) {
	word, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	reason = strings.TrimSpace(reason)
	yes := tool.Answer{Allowed: true, Person: true}
	switch word = strings.ToLower(strings.TrimRight(word, ",:")); {
	case word == "n" || word == "no":
		return tool.Answer{Reason: reason, Person: true}, true
	case reason != "":
		return tool.Answer{}, false
	case word == "y" || word == "yes" || word == "once":
		yes.Scope = tool.Once
	case word == "s" || word == "session":
		yes.Scope = tool.Session
	case always && (word == "a" || word == "always"):
		yes.Scope = tool.Always
	default:
		return tool.Answer{}, false
	}
	return yes, true
}
