package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/skill/library"
)

// subsessions runs skills in separate sessions.
type subsessions struct{ app *App }

func (s subsessions) Available() bool {
	now := s.app.Agents.Active()
	return s.app.agent != nil && now != nil && now.Model != catalog.Offline
}

// RunSkill runs a skill with the tools that both its agent and the active one may use, so that a skill
// never gets more than the user gave the session.
func (s subsessions) RunSkill(ctx context.Context, r library.SubsessionRequest) (library.SubsessionAnswer, error) {
	active := s.app.Agents.Active()
	own := *active
	var notes []string
	if r.Agent != "" && r.Agent != active.Profile.Name {
		if profile, ok := s.app.Agents.Lookup(r.Agent); ok {
			own.Profile, own.Tools = profile, active.Tools.Only(profile.Allows)
		} else {
			notes = append(notes, fmt.Sprintf("the skill requests the agent %s, which does not exist; %s was used instead", r.Agent, active.Profile.Name))
		}
	}
	wanted := r.Model
	if wanted == "" && own.Profile.Name != active.Profile.Name {
		wanted = own.Profile.Model
	}
	if note := s.connect(ctx, &own, wanted, r.ByOthers); note != "" {
		notes = append(notes, note)
	}
	answer, err := s.app.agent.RunSubsession(ctx, s.app.setupOf(&own), r.Input)
	return library.SubsessionAnswer{Subsession: answer, Agent: own.Profile.Name, Model: own.Model, Notes: notes}, err
}

// inheritModel is a model name in skills written for other programs. It means the model of the session.
const inheritModel = "inherit"

// connect sets the model that a skill or its agent requests. If it cannot, it returns why the session's model
// is used instead. A skill by somebody else must not choose the provider, which would receive the user's
// data.
func (s subsessions) connect(ctx context.Context, own *ActiveAgent, wanted string, byOthers bool) (note string) {
	if wanted == "" || wanted == inheritModel {
		return ""
	}
	unavailable := func(why string) string {
		return fmt.Sprintf("the skill requests the model %s: %s; %s was used instead", wanted, why, own.Model)
	}
	name := wanted
	if !strings.Contains(name, "/") {
		if _, known := own.Endpoint.Provider.Model(name); !known {
			return unavailable(own.Endpoint.Provider.Name + " has no such model")
		}
		name = own.Endpoint.Provider.Name + "/" + name
	}
	endpoint, err := s.app.Models.EndpointFor(ctx, name)
	switch {
	case err != nil:
		return unavailable(err.Error())
	case endpoint.BuiltIn():
		return unavailable("it is not a language model")
	case byOthers && endpoint.Provider.Name != own.Endpoint.Provider.Name:
		return unavailable("it is from another provider, and you did not write the skill")
	}
	client, err := s.app.Models.Open(endpoint)
	if err != nil {
		return unavailable(err.Error())
	}
	own.Model, own.Endpoint, own.client = endpoint.Name(), endpoint, client
	return ""
}
