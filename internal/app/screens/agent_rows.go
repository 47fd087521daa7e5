package screens

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// Agent is an agent as a row of a list. An invalid file has a Reason instead of the fields that
// could not be read.
type Agent struct {
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
func (s Agents) Rows() []Agent {
	var rows []Agent
	for _, p := range s.Profiles.List() {
		rows = append(rows, s.AgentRow(p))
	}
	for _, f := range s.Profiles.Errors() {
		rows = append(rows, Agent{
			Name: strings.TrimSuffix(filepath.Base(f.Path), ".md"), Source: string(agent.ProfileUser), Path: f.Path,
			Warnings: []string{}, Reason: f.Err.Error(), Fix: f.Fix,
		})
	}
	return rows
}

// AgentRow returns the row of one agent, with its warnings.
func (s Agents) AgentRow(p agent.Profile) Agent {
	row := Agent{
		Name: p.Name, Description: p.Description, Source: string(p.Source), Path: p.Path, Tools: p.Tools, Model: p.Model,
		Default: p.Name == s.Default, Warnings: append([]string{}, p.Warnings...),
	}
	if p.Overrides != "" {
		row.Warnings = append(row.Warnings, fmt.Sprintf("it hides the %s agent of that name", p.Overrides))
	}
	for _, name := range s.UnknownTools(p) {
		row.Warnings = append(row.Warnings, fmt.Sprintf("there is no tool %s; nfa tools list shows them", name))
	}
	return row
}

// UnknownAgent returns an error for a name that is no agent. It lists the agents, or says why the
// file of that name is invalid.
func (s Agents) UnknownAgent(name string) error {
	for _, f := range s.Profiles.Errors() {
		if strings.HasSuffix(f.Path, name+".md") {
			return fmt.Errorf("the agent %s cannot be used: %s: %w; %s", name, cli.ShortPath(f.Path), f.Err, f.Fix)
		}
	}
	var names []string
	for _, p := range s.Profiles.List() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no agent %q; there are: %s", name, strings.Join(names, ", "))
}

// UnknownTools returns the tools that an agent names and this program does not have.
func (s Agents) UnknownTools(p agent.Profile) []string {
	return slices.DeleteFunc(slices.Clone(p.Tools), func(name string) bool {
		_, ok := s.Router.Lookup(name)
		return ok || name == workflow.PythonTool
	})
}

// Command lists the agents, or switches to the named one.
func (s Agents) Command(input string) (string, error) {
	if name := strings.TrimSpace(input); name != "" {
		if err := s.Use(name); err != nil {
			return "", err
		}
		lines := []string{fmt.Sprintf("**%s** answers from now on, with %s.", s.agent(), s.model())}
		return strings.Join(append(lines, s.ActiveWarnings()...), "\n\n! ") + "\n", nil
	}
	var b strings.Builder
	active := s.agent()
	for _, p := range s.Profiles.List() {
		mark := ""
		if p.Name == active {
			mark = ", answering now"
		}
		fmt.Fprintf(&b, "- **%s** (%s%s): %s\n", p.Name, p.Source, mark, p.Description)
	}
	for _, f := range s.Profiles.Errors() {
		fmt.Fprintf(&b, "- ! %s: %s. %s\n", markdown.QuoteCode(cli.ShortPath(f.Path)), f.Err, f.Fix)
	}
	fmt.Fprintf(&b, "\nChoose with `/agent name`. An agent of your own is a file in %s.\n", markdown.QuoteCode(cli.ShortPath(s.Home)+"/agents"))
	return b.String(), nil
}
