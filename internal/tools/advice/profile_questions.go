package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxShownQuestions is the default number of questions, because a person answers one or two at a
// time.
const maxShownQuestions = 2

type questionsAnswer struct {
	Questions []investor.Question `json:"questions"`
	Left      int                 `json:"left"` // unanswered questions, including those below
	For       string              `json:"for,omitempty"`
	Next      string              `json:"next"`
	toolkit.Origin
}

// questionsResult returns the next questions to ask.
func (p *profileTool) questionsResult(ctx context.Context, in investorProfileInput) (tool.Result, error) {
	have, err := p.load(ctx)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	selected, err := p.selectQuestions(have, in)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	a := questionsAnswer{Questions: selected, Left: len(selected), For: in.For, Origin: p.profileOrigin(have)}
	count := in.Count
	if count == 0 {
		count = max(maxShownQuestions, len(in.IDs))
	}
	a.Questions = append([]investor.Question{}, selected[:min(count, len(selected))]...)
	a.Next = "ask these questions now, say why, and save the replies with action answer"
	if a.Left == 0 {
		a.Next = nothingLeft
	}
	return toolkit.Render(a), nil
}

// Headline implements [toolkit.Answer].
func (a questionsAnswer) Headline(lang string) string {
	switch {
	case lang == "zh":
		return fmt.Sprintf("还有 %d 个问题未回答。", a.Left)
	case a.Left == 0:
		return "Every question is answered."
	}
	return counted(a.Left, "question") + " unanswered. To answer them in an editor: nfa profile edit"
}

// Title implements [toolkit.Titled].
func (questionsAnswer) Title() string { return "profile questions" }

// selectQuestions returns the requested questions, in their order.
func (p *profileTool) selectQuestions(have loadedProfile, in investorProfileInput) ([]investor.Question, error) {
	interview := p.interview()
	if in.IDs != nil {
		var out []investor.Question
		for _, id := range in.IDs {
			q, ok := interview.Question(id)
			if !ok {
				return nil, unknownQuestion(interview, id)
			}
			out = append(out, q)
		}
		return out, nil
	}
	missing := interview.Missing(have.Profile)
	if in.For == "" {
		return missing, nil
	}
	needed := investor.RequiredQuestions(investor.SuggestionKind(in.For))
	return slices.DeleteFunc(missing, func(q investor.Question) bool { return !slices.Contains(needed, q.ID) }), nil
}

// unknownQuestion returns the interview's error, which names the nearest question.
func unknownQuestion(interview investor.Interview, id string) error {
	return toolkit.InvalidArgs(interview.Set(&investor.Profile{}, id, ""))
}

// Text implements [toolkit.Texter].
func (a questionsAnswer) Text() string {
	var b strings.Builder
	for _, q := range a.Questions {
		fmt.Fprintf(&b, "**%s** (`%s`)\n\n%s\n\n", q.Text, q.ID, q.Why)
		for _, c := range q.Choices {
			fmt.Fprintf(&b, "- `%s`: %s\n", c.Value, c.Text)
		}
		if q.Example != "" {
			fmt.Fprintf(&b, "For example: `%s`\n", q.Example)
		}
		b.WriteString("\n")
	}
	return b.String()
}
