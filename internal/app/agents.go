package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// ActiveAgent is the agent that answers, with its tools and model. It is immutable.
type ActiveAgent struct {
	Profile  agent.Profile
	Tools    *tool.Router
	Model    string // its name; "" if no model is open
	Endpoint catalog.Endpoint
	client   llm.Model
}

// Agents holds the available agents and the active one.
type Agents struct {
	settings Settings
	models   *Models // nil if no model is open
	tools    *tool.Router
	active   atomic.Pointer[ActiveAgent]
}

func (a *Agents) folder() string { return filepath.Join(a.settings.Home, "agents") }

// Profiles returns the agents, and the files that are not valid agents.
func (a *Agents) Profiles() *agent.Profiles { return agent.LoadProfiles(a.folder()) }

// Lookup returns the agent with a name.
func (a *Agents) Lookup(name string) (agent.Profile, bool) {
	return agent.FindProfile(a.folder(), name)
}

// Active returns the active agent, or nil before Switch or Restrict.
func (a *Agents) Active() *ActiveAgent { return a.active.Load() }

// ActiveTools returns the tools of the active agent, or all tools before Switch or Restrict.
func (a *Agents) ActiveTools() *tool.Router {
	if now := a.Active(); now != nil {
		return now.Tools
	}
	return a.tools
}

// Switch switches to an agent from the next turn on. On an error the current agent stays.
func (a *Agents) Switch(ctx context.Context, name string) error {
	profile, ok := a.Lookup(name)
	if !ok {
		return a.Unknown(name)
	}
	client, endpoint, err := a.models.Connect(ctx, profile.Model)
	if err != nil {
		return &ModelUnavailableError{profile, err}
	}
	a.active.Store(&ActiveAgent{profile, a.tools.Only(profile.Allows), endpoint.Name(), endpoint, client})
	return nil
}

// Restrict limits the tools to those of an agent, without opening a model.
func (a *Agents) Restrict(name string) error {
	profile, ok := a.Lookup(name)
	if !ok {
		return usage.Errorf("%w", a.Unknown(name))
	}
	a.active.Store(&ActiveAgent{Profile: profile, Tools: a.tools.Only(profile.Allows)})
	return nil
}

// Restore makes an earlier agent the active one again.
func (a *Agents) Restore(earlier *ActiveAgent) { a.active.Store(earlier) }

// Resume switches to the agent that answered last in a session, if one was recorded. Another agent
// must not answer in its name.
func (a *Agents) Resume(name string) error {
	if name == "" || name == a.Active().Profile.Name {
		return nil
	}
	return a.Switch(context.Background(), name)
}

// ModelUnavailableError means that an agent cannot answer, because its model is unavailable.
type ModelUnavailableError struct {
	Agent agent.Profile
	Err   error
}

func (e *ModelUnavailableError) Error() string {
	return fmt.Sprintf("agent %s: %v", e.Agent.Name, e.Err)
}

// Unwrap returns why the model is unavailable.
func (e *ModelUnavailableError) Unwrap() error { return e.Err }

// Warnings returns warnings about the active agent.
func (a *Agents) Warnings() []string {
	profile := a.Active().Profile
	var warnings []string
	for _, warning := range profile.Warnings {
		warnings = append(warnings, fmt.Sprintf("agent %s: %s", profile.Name, warning))
	}
	if warning := unknownToolsWarning(a.UnknownTools(profile)); warning != "" {
		warnings = append(warnings, "agent "+profile.Name+": "+warning)
	}
	return warnings
}

// unknownToolsWarning returns one warning for names of tools that nfa does not have, or "" for none.
func unknownToolsWarning(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "no tool " + names[0] + "; nfa tools lists them"
	}
	return "no tools " + strings.Join(names, ", ") + "; nfa tools lists them"
}

// AgentRow is an agent as a row of a list. An invalid file has a Reason instead of the fields that
// could not be read.
type AgentRow struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Source      string   `json:"source"`
	Path        string   `json:"path"`
	Tools       []string `json:"tools"` // null: every tool
	Model       string   `json:"model,omitempty"`
	Default     bool     `json:"default"`
	Warnings    []string `json:"warnings"`
	Reason      string   `json:"reason,omitempty"`
	Fix         string   `json:"mend,omitempty"`
}

// Rows returns the agents, then the invalid files.
func (a *Agents) Rows() []AgentRow {
	profiles := a.Profiles()
	var rows []AgentRow
	for _, p := range profiles.List() {
		rows = append(rows, a.Row(p))
	}
	for _, f := range profiles.Errors() {
		rows = append(rows, AgentRow{
			Name: strings.TrimSuffix(filepath.Base(f.Path), ".md"), Source: string(agent.ProfileUser), Path: f.Path,
			Warnings: []string{}, Reason: f.Err.Error(), Fix: f.Fix,
		})
	}
	return rows
}

// Row returns the row of one agent, with its warnings.
func (a *Agents) Row(p agent.Profile) AgentRow {
	row := AgentRow{
		Name: p.Name, Description: p.Description, Source: string(p.Source), Path: p.Path, Tools: p.Tools, Model: p.Model,
		Default: p.Name == a.settings.Agent, Warnings: append([]string{}, p.Warnings...),
	}
	if p.Overrides != "" {
		row.Warnings = append(row.Warnings, fmt.Sprintf("overrides the %s agent of the same name", p.Overrides))
	}
	if warning := unknownToolsWarning(a.UnknownTools(p)); warning != "" {
		row.Warnings = append(row.Warnings, warning)
	}
	return row
}

// Unknown returns an error for a name that is not an agent. It lists the agents, or says why the file of
// that name is invalid.
func (a *Agents) Unknown(name string) error {
	profiles := a.Profiles()
	for _, f := range profiles.Errors() {
		if strings.HasSuffix(f.Path, name+".md") {
			return fmt.Errorf("cannot use agent %s: %s: %w; %s", name, humanize.ShortPath(f.Path), f.Err, f.Fix)
		}
	}
	var names []string
	for _, p := range profiles.List() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("no agent %q; available: %s", name, strings.Join(names, ", "))
}

// UnknownTools returns the tools that an agent names but nfa does not have.
func (a *Agents) UnknownTools(p agent.Profile) []string {
	return slices.DeleteFunc(slices.Clone(p.Tools), func(name string) bool {
		_, ok := a.tools.Lookup(name)
		return ok || name == workflow.PythonTool
	})
}
