package shelves

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// Agent is one of them as lists tell of it. A file that is no agent has a
// reason instead of what could not be read.
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
	Mend        string   `json:"mend,omitempty"`
}

// Rows are the agents, then the files that are none.
func (s Agents) Rows() []Agent {
	var rows []Agent
	for _, p := range s.Roster.List() {
		rows = append(rows, s.Row(p))
	}
	for _, f := range s.Roster.Faults() {
		rows = append(rows, Agent{
			Name: strings.TrimSuffix(filepath.Base(f.Path), ".md"), Source: string(roster.SourceUser), Path: f.Path,
			Warnings: []string{}, Reason: f.Err.Error(), Mend: f.Mend,
		})
	}
	return rows
}

// Row is one agent, with what is odd about it.
func (s Agents) Row(p roster.Profile) Agent {
	row := Agent{
		Name: p.Name, Description: p.Description, Source: string(p.Source), Path: p.Path, Tools: p.Tools, Model: p.Model,
		Default: p.Name == s.Default, Warnings: append([]string{}, p.Warnings...),
	}
	if p.Hides != "" {
		row.Warnings = append(row.Warnings, fmt.Sprintf("it hides the %s agent of that name", p.Hides))
	}
	for _, name := range s.Unknown(p) {
		row.Warnings = append(row.Warnings, fmt.Sprintf("there is no tool %s; nfa tools list shows them", name))
	}
	return row
}

// NoSuch says who there is in place of an agent that is not there, or why its file is
// none.
func (s Agents) NoSuch(name string) error {
	for _, f := range s.Roster.Faults() {
		if strings.HasSuffix(f.Path, name+".md") {
			return fmt.Errorf("the agent %s cannot be used: %s: %w; %s", name, console.Path(f.Path), f.Err, f.Mend)
		}
	}
	var names []string
	for _, p := range s.Roster.List() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no agent %q; there are: %s", name, strings.Join(names, ", "))
}

// Unknown are those that an agent names and this program has not.
func (s Agents) Unknown(p roster.Profile) []string {
	return slices.DeleteFunc(slices.Clone(p.Tools), func(name string) bool {
		_, ok := s.Router.Lookup(name)
		return ok || name == workflow.PythonTool
	})
}

// Show lists the agents, or lets the one that is named answer.
func (s Agents) Show(words string) (string, error) {
	if name := strings.TrimSpace(words); name != "" {
		if err := s.Use(name); err != nil {
			return "", err
		}
		said := []string{fmt.Sprintf("**%s** answers from now on, with %s.", s.agent(), s.model())}
		return strings.Join(append(said, s.Odd()...), "\n\n! ") + "\n", nil
	}
	var b strings.Builder
	now := s.agent()
	for _, p := range s.Roster.List() {
		mark := ""
		if p.Name == now {
			mark = ", answering now"
		}
		fmt.Fprintf(&b, "- **%s** (%s%s): %s\n", p.Name, p.Source, mark, p.Description)
	}
	for _, f := range s.Roster.Faults() {
		fmt.Fprintf(&b, "- ! %s: %s. %s\n", markdown.Code(console.Path(f.Path)), f.Err, f.Mend)
	}
	fmt.Fprintf(&b, "\nChoose with `/agent name`. An agent of your own is a file in %s.\n", markdown.Code(console.Path(s.Home)+"/agents"))
	return b.String(), nil
}
