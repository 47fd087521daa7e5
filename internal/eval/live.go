package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/skill"
)

// skillTool is the only tool that runs for a live model. It only reads.
const skillTool = "Skill"

// LiveModel asks a real model the prompts of a suite.
type LiveModel struct {
	// Setup is the configuration under test: the model with its prompt and tools.
	Setup agent.Setup
	// WithheldReason returns why a skill is not offered to the model, or "".
	WithheldReason func(skill.Skill) string
}

// runPrompt checks one prompt using only the model's first answer, because that is where it loads a
// skill or does not.
func (r *Runner) runPrompt(ctx context.Context, s skill.Skill, kind Kind, p Prompt) (Result, error) {
	result := Result{Kind: kind, Line: p.Line, Text: p.Text, Verdict: NotRun, Reasons: []string{needsModel}}
	if r.Live == nil {
		return result, nil
	}
	if reason := r.Live.WithheldReason(s); reason != "" {
		result.Reasons = []string{"not offered to the model: " + reason}
		return result, nil
	}
	first, err := r.Live.ask(ctx, p.Text)
	if err != nil {
		return result, fmt.Errorf("asking %s %q: %w", r.Live.Setup.ModelName, p.Text, err)
	}
	loaded, err := r.Live.load(ctx, first.calls)
	if err != nil {
		return result, err
	}
	result.Model, result.Usage = r.Live.Setup.ModelName, &first.usage
	result.Reasons = []string{loaded.String()}
	result.Verdict = Fail
	if slices.Contains(loaded.loaded, s.Name) == (kind == KindSelect) {
		result.Verdict = Pass
	}
	return result, nil
}

// modelAnswer is one answer of a model.
type modelAnswer struct {
	text   strings.Builder
	calls  []llm.ToolCall
	finish llm.FinishReason
	usage  llm.Usage
}

func (l *LiveModel) ask(ctx context.Context, prompt string) (*modelAnswer, error) {
	request := llm.Request{Tools: agent.FirstTools(l.Setup), Messages: []llm.Message{
		{Role: llm.RoleSystem, Content: l.Setup.Prompt}, {Role: llm.RoleUser, Content: prompt},
	}}
	s := &modelAnswer{}
	for chunk, err := range l.Setup.Model.Stream(ctx, request) {
		if err != nil {
			return nil, err
		}
		s.text.WriteString(chunk.Text)
		if chunk.ToolCall != nil {
			s.calls = append(s.calls, *chunk.ToolCall)
		}
		if chunk.Finish != "" {
			s.finish = chunk.Finish
		}
		if chunk.Usage != nil {
			s.usage = s.usage.Add(*chunk.Usage)
		}
	}
	// An incomplete answer proves nothing, least of all that a skill was rightly not used.
	switch {
	case s.finish == llm.FinishLength:
		return nil, &llm.Error{Kind: llm.KindTruncated, Message: "the model reached its token limit"}
	case s.finish == llm.FinishContentFilter:
		return nil, &llm.Error{Kind: llm.KindRefused, Message: "the provider's content filter cut off the answer"}
	case len(s.calls) == 0 && strings.TrimSpace(s.text.String()) == "":
		return nil, &llm.Error{Kind: llm.KindServer, Message: "the model sent an empty answer"}
	}
	return s, nil
}

// toolChoice holds the first calls of a model: the skills it loaded, and other tools.
type toolChoice struct{ loaded, failed, called []string }

// load calls only the tools that load skills.
func (l *LiveModel) load(ctx context.Context, calls []llm.ToolCall) (toolChoice, error) {
	var c toolChoice
	for _, call := range calls {
		if call.Name != skillTool {
			c.called = append(c.called, call.Name)
			continue
		}
		o, err := l.Setup.Router.Call(ctx, call)
		switch {
		case err != nil:
			return c, err
		case o.Result.IsError:
			c.failed = append(c.failed, o.Result.ErrorText())
		default:
			c.loaded = append(c.loaded, o.Result.Skill)
		}
	}
	return c, nil
}

// String returns one line: "loaded no skill; called quote".
func (c toolChoice) String() string {
	text := "loaded no skill"
	if len(c.loaded) > 0 {
		text = "loaded " + strings.Join(c.loaded, ", ")
	}
	return text + appendList("; called ", c.called) + appendList("; refused: ", c.failed)
}
