package plain

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// nobody is the reason of a refusal where nobody was there to answer.
const nobody = "nobody is there to answer"

// question asks for an approval until there is an answer. It reports whether the
// user would rather have the turn stopped.
func (c *chat) question(q tui.Asked) (stop bool, err error) {
	c.put(q)
	shown := c.cfg.Now()
	for {
		text, how := c.wait(labelAnswer, q.Gone)
		switch how {
		case endCame:
			q.Answer(tool.Answer{Reason: nobody})
			return false, nil
		case goneCame:
			c.out.say(labelNotice, "the question is not asked any more")
			return false, nil
		case interruptCame:
			q.Answer(tool.Answer{Person: true})
			c.out.say(labelNotice, "refused, and stopping; press Ctrl+C again to leave")
			return true, nil
		}
		answer, known := read(text, q.Approval.Pattern != "")
		// A line that was under way when the question came is no yes to it.
		if c.cfg.Interactive && answer.Allowed && c.cfg.Now().Sub(shown) < ask.Quiet {
			c.out.say(labelNotice, "that came too soon after the question; again, please")
			continue
		}
		if known {
			q.Answer(answer)
			return false, nil
		}
		c.out.say(labelNotice, "that is no answer. "+answers(q.Approval.Pattern))
	}
}

// put says what is wanted, exactly, and which answers there are.
func (c *chat) put(q tui.Asked) {
	request := q.Approval
	exactly := draw.ExactArguments(request.Call.Arguments, unbroken)
	if len(request.Plan) > 0 {
		exactly = nil
		for _, line := range request.Plan {
			exactly = append(exactly, draw.Visible(strings.TrimSpace(line)))
		}
	}
	for _, line := range request.Changes {
		exactly = append(exactly, draw.Visible(line))
	}
	head := draw.Visible(request.Call.Name) + " " + ask.Wants(request.Effect) + "."
	c.out.lines(labelApproval, slices.Concat([]string{head}, exactly, []string{answers(request.Pattern)}))
}

func answers(pattern string) string {
	text := "Answer n (no, and why if you like), y (once), s (session)"
	if pattern != "" {
		text += ", a (always for " + draw.Visible(pattern) + ")"
	}
	return text + ":"
}

// read takes a line as an answer: a letter or its word alone, or a no with the
// reason behind it.
func read(text string, always bool) (answer tool.Answer, known bool) {
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
