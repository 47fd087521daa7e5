package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tool"
)

// speaker is who answers: an agent with the tools and the model it has here. It
// is replaced, never changed.
type speaker struct {
	profile   roster.Profile
	router    *tool.Router
	model     llm.Model
	modelName string
	endpoint  switchboard.Endpoint
}

// letSpeak finds out which models can be had, and lets the agent of the settings
// answer.
func (h *house) letSpeak(ctx context.Context, g *globals) (err error) {
	if h.connections, err = newConnections(g, h.cfg, h.home, h.log); err != nil {
		return err
	}
	if err := h.speakAs(ctx, h.cfg.Agent); err != nil {
		return misuse.Errorf("%w", err)
	}
	return nil
}

// speakAs lets an agent answer from the next turn on. What is wrong leaves the
// one that answers in its place.
func (h *house) speakAs(ctx context.Context, name string) error {
	profile, ok := h.roster.Lookup(name)
	if !ok {
		return h.agents().NoSuch(name)
	}
	model, chosen, err := h.connections.Connect(ctx, profile.Model)
	if err != nil {
		return &muteError{profile, err}
	}
	h.speaking.Store(&speaker{profile, h.router.Only(profile.May), model, chosen.Name(), chosen})
	return nil
}

// muteError means that an agent cannot answer, because its model cannot be had.
type muteError struct {
	agent roster.Profile
	err   error
}

func (e *muteError) Error() string { return fmt.Sprintf("the agent %s: %v", e.agent.Name, e.err) }
func (e *muteError) Unwrap() error { return e.err }

// inChat says what can be done about an agent that cannot answer without leaving
// the chat.
func inChat(err error) error {
	var mute *muteError
	if !errors.As(err, &mute) {
		return err
	}
	model := "the model that is set"
	if mute.agent.Model != "" {
		model = mute.agent.Model
	}
	return fmt.Errorf("the agent %s answers with %s, which cannot be had: store its key with nfa auth set PROVIDER in another terminal, or choose a model for this chat with /model; then /agent %[1]s", mute.agent.Name, model)
}

// goOnWith lets the agent of a resumed session answer, unless another was asked
// for on the command line. One that is gone since, or whose model cannot be had,
// is a usage error: another would answer in its name. A model that was named for
// the start before is not remembered: it was for that start.
func (h *house) goOnWith(name string, chosen bool) error {
	if chosen {
		return nil
	}
	if err := h.answerAgain(name); err != nil {
		return misuse.Errorf("going on with the session: %w; choose another model with --model, or another agent with --agent", err)
	}
	return nil
}

// answerAgain lets the agent that answered last in a session answer, where that
// was recorded.
func (h *house) answerAgain(name string) error {
	if name == "" || name == h.speaking.Load().profile.Name {
		return nil
	}
	return h.speakAs(context.Background(), name)
}

// speakerWarnings are what is odd about the agent that answers.
func (h *house) speakerWarnings() []string {
	p := h.speaking.Load().profile
	var said []string
	for _, warning := range p.Warnings {
		said = append(said, fmt.Sprintf("the agent %s: %s", p.Name, warning))
	}
	for _, name := range h.agents().Unknown(p) {
		said = append(said, fmt.Sprintf("the agent %s: there is no tool %s; nfa tools list shows them", p.Name, name))
	}
	return said
}

// setup is what answers the next turn, which begins with it.
func (h *house) setup() (agent.Setup, error) {
	h.data.Turn()
	s := h.speaking.Load()
	window := s.endpoint.Window()
	return agent.Setup{
		Model: s.model, ModelName: s.modelName, Profile: s.profile.Name, Router: h.set.WithWorkflows(s.router),
		Prompt: h.prompt(s.profile.Instructions, window), Window: window, ByRule: s.modelName == switchboard.Offline, Cost: s.endpoint.Cost(),
	}, nil
}
