package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// activeAgent is the agent that answers, with its tools and its model. It is replaced, never
// changed.
type activeAgent struct {
	profile   agent.Profile
	router    *tool.Router
	model     llm.Model
	modelName string
	endpoint  catalog.Endpoint
}

// openModels finds the available models and switches to the agent in the settings.
func (p *program) openModels(ctx context.Context, g *globals) (err error) {
	if p.connections, err = newConnections(g, p.cfg, p.home, p.log); err != nil {
		return err
	}
	if err := p.switchAgent(ctx, p.cfg.Agent); err != nil {
		return usage.Errorf("%w", err)
	}
	return nil
}

// switchAgent switches to an agent from the next turn on. On an error the current agent stays.
func (p *program) switchAgent(ctx context.Context, name string) error {
	profile, ok := p.profiles.Lookup(name)
	if !ok {
		return p.agentScreen().UnknownAgent(name)
	}
	model, chosen, err := p.connections.Connect(ctx, profile.Model)
	if err != nil {
		return &modelUnavailableError{profile, err}
	}
	p.active.Store(&activeAgent{profile, p.router.Only(profile.Allows), model, chosen.Name(), chosen})
	return nil
}

// modelUnavailableError means that an agent cannot answer, because its model cannot be had.
type modelUnavailableError struct {
	agent agent.Profile
	err   error
}

func (e *modelUnavailableError) Error() string {
	return fmt.Sprintf("the agent %s: %v", e.agent.Name, e.err)
}
func (e *modelUnavailableError) Unwrap() error { return e.err }

// adviseInChat adds to the error what the user can do without leaving the chat.
func adviseInChat(err error) error {
	var unavailable *modelUnavailableError
	if !errors.As(err, &unavailable) {
		return err
	}
	model := "the model that is set"
	if unavailable.agent.Model != "" {
		model = unavailable.agent.Model
	}
	return fmt.Errorf("the agent %s answers with %s, which cannot be had: store its key with nfa auth set PROVIDER in another terminal, or choose a model for this chat with /model; then /agent %[1]s", unavailable.agent.Name, model)
}

// resumeAgent switches to the agent of a resumed session, unless the command line names another. If
// that agent no longer exists, or its model is unavailable, the result is a usage error, because
// another agent must not answer in its name. A model that was named on an earlier command line
// applied only to that start.
func (p *program) resumeAgent(name string, chosen bool) error {
	if chosen {
		return nil
	}
	if err := p.restoreAgent(name); err != nil {
		return usage.Errorf("going on with the session: %w; choose another model with --model, or another agent with --agent", err)
	}
	return nil
}

// restoreAgent switches to the agent that answered last in a session, if one was recorded.
func (p *program) restoreAgent(name string) error {
	if name == "" || name == p.active.Load().profile.Name {
		return nil
	}
	return p.switchAgent(context.Background(), name)
}

// agentWarnings returns warnings about the active agent.
func (p *program) agentWarnings() []string {
	profile := p.active.Load().profile
	var warnings []string
	for _, warning := range profile.Warnings {
		warnings = append(warnings, fmt.Sprintf("the agent %s: %s", profile.Name, warning))
	}
	for _, name := range p.agentScreen().UnknownTools(profile) {
		warnings = append(warnings, fmt.Sprintf("the agent %s: there is no tool %s; nfa tools list shows them", profile.Name, name))
	}
	return warnings
}

// turnSetup returns the agent, tools and model for the turn that begins now.
func (p *program) turnSetup() (agent.Setup, error) {
	p.seenData.BeginTurn()
	s := p.active.Load()
	window, origin := s.endpoint.ResolveWindow(context.Background())
	request := agent.RequestProfileFor(p.cfg.RequestProfile, window)
	catalogue := p.skillLibrary.Catalog(request, "")
	prompt := func(day time.Time) string {
		return p.systemPrompt(day, s.profile.Instructions, request, catalogue)
	}
	return agent.Setup{
		Model: s.model, ModelName: s.modelName, Profile: s.profile.Name, Router: p.skillLibrary.WithWorkflows(s.router),
		Request: request, Core: s.profile.Core, Finder: p.toolFinder(),
		Prompt: prompt(clock()), PromptOn: prompt, Catalogue: catalogue, Window: window, WindowOrigin: origin, RuleBased: s.modelName == catalog.Offline, Cost: s.endpoint.Cost(),
	}, nil
}
