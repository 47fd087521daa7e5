package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/tool"
)

// speaker is who answers: an agent with the tools and the model it has here. It
// is replaced, never changed.
type speaker struct {
	profile   roster.Profile
	router    *tool.Router
	model     llm.Model
	modelName string
	endpoint  endpoint
}

// letSpeak finds out which models can be had, and lets the agent of the settings
// answer.
func (h *house) letSpeak(ctx context.Context, g *globals) (err error) {
	if h.connections, err = newConnections(g, h.cfg, h.home, h.log); err != nil {
		return err
	}
	if err := h.speakAs(ctx, h.cfg.Agent); err != nil {
		return usagef("%w", err)
	}
	return nil
}

// speakAs lets an agent answer from the next turn on. What is wrong leaves the
// one that answers in its place.
func (h *house) speakAs(ctx context.Context, name string) error {
	profile, ok := h.roster.Lookup(name)
	if !ok {
		return h.noSuchAgent(name)
	}
	model, chosen, err := h.connections.connect(ctx, profile.Model)
	if err != nil {
		return fmt.Errorf("the agent %s: %w", profile.Name, err)
	}
	h.speaking.Store(&speaker{profile, h.router.Only(profile.May), model, chosen.name(), chosen})
	return nil
}

func (h *house) noSuchAgent(name string) error {
	for _, f := range h.roster.Faults() {
		if strings.HasSuffix(f.Path, name+".md") {
			return fmt.Errorf("the agent %s cannot be used: %s: %w; %s", name, shortPath(f.Path), f.Err, f.Mend)
		}
	}
	var names []string
	for _, p := range h.roster.List() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no agent %q; there are: %s", name, strings.Join(names, ", "))
}

// goOnWith lets the agent of a resumed session answer, unless another was asked
// for on the command line. One that is gone since is an error: another would
// answer in its name.
func (h *house) goOnWith(name string, chosen bool) error {
	if chosen || name == "" || name == h.speaking.Load().profile.Name {
		return nil
	}
	if err := h.speakAs(context.Background(), name); err != nil {
		return fmt.Errorf("going on with the session: %w; choose another with --agent", err)
	}
	return nil
}

// setup is what answers the next turn.
func (h *house) setup() (agent.Setup, error) {
	s := h.speaking.Load()
	return agent.Setup{
		Model: s.model, ModelName: s.modelName, Profile: s.profile.Name, Router: h.withWorkflows(s.router),
		Prompt: h.prompt(s.profile.Instructions), Window: s.endpoint.window(), ByRule: s.modelName == offlineName, Cost: s.endpoint.cost(),
	}, nil
}

// showAgents lists the agents, or lets the one that is named answer.
func (h *house) showAgents(words string) (string, error) {
	if name := strings.TrimSpace(words); name != "" {
		if err := h.speakAs(context.Background(), name); err != nil {
			return "", err
		}
		s := h.speaking.Load()
		return fmt.Sprintf("**%s** answers from now on, with %s.\n", s.profile.Name, s.modelName), nil
	}
	var b strings.Builder
	now := h.speaking.Load().profile.Name
	for _, p := range h.roster.List() {
		mark := ""
		if p.Name == now {
			mark = ", answering now"
		}
		fmt.Fprintf(&b, "- **%s** (%s%s): %s\n", p.Name, p.Source, mark, p.Description)
	}
	for _, f := range h.roster.Faults() {
		fmt.Fprintf(&b, "- ! %s: %s. %s\n", code(shortPath(f.Path)), f.Err, f.Mend)
	}
	fmt.Fprintf(&b, "\nChoose with `/agent name`. An agent of your own is a file in %s.\n", code(shortPath(h.home)+"/agents"))
	return b.String(), nil
}

// unknownTools are those that an agent names and this program has not.
func (h *house) unknownTools(p roster.Profile) []string {
	return slices.DeleteFunc(slices.Clone(p.Tools), func(name string) bool {
		_, ok := h.router.Lookup(name)
		return ok
	})
}
