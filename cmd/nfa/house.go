package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// house is the wired program; which parts stand depends on the wiring.
type house struct {
	home      string
	cfg       *config.Config
	log       zerolog.Logger
	skills    *skill.Registry
	market    *sample.Source
	router    *tool.Router
	modelName string
	store     session.Store
	agent     *agent.Agent
	closers   []func() error
}

// close gives everything back, the last opened first.
func (h *house) close() {
	for i := len(h.closers) - 1; i >= 0; i-- {
		if err := h.closers[i](); err != nil {
			h.log.Warn().Err(err).Msg("closing")
		}
	}
}

// settings reads the configuration of this start; maxSteps is that flag's text,
// which only some verbs have.
func (g *globals) settings(maxSteps string) (*config.Config, string, error) {
	home, err := config.Home(g.home, g.env, os.UserHomeDir)
	if err != nil {
		return nil, "", usagef("%w", err)
	}
	flags := map[string]string{}
	for key, value := range map[string]string{"model": g.model, "log_level": g.logLevel, "max_steps": maxSteps} {
		if value != "" {
			flags[key] = value
		}
	}
	if g.offline {
		flags["offline"] = "true"
	}
	if g.noColor {
		flags["color"] = "never"
	}
	project, err := os.Getwd()
	if err != nil {
		return nil, "", fmt.Errorf("finding the working directory: %w", err)
	}
	cfg, err := config.Load(config.Options{
		Home: home, ProjectDir: project, File: g.file, Env: g.env, Flags: flags,
	})
	if err != nil {
		return nil, "", usagef("%w", err)
	}
	return cfg, home, nil
}

// skillRoots lists where skills live; a later folder wins over an earlier one.
func skillRoots(home string, extra []string) []skill.Root {
	roots := []skill.Root{skill.Builtin()}
	if user, err := os.UserHomeDir(); err == nil {
		roots = append(roots, skill.Root{Dir: filepath.Join(user, ".agents", "skills"), Source: skill.SourceShared})
	}
	for _, dir := range extra {
		roots = append(roots, skill.Root{Dir: dir, Source: skill.SourceUser})
	}
	return append(roots, skill.Root{Dir: filepath.Join(home, "skills"), Source: skill.SourceUser, Create: true})
}

// prompt is the system prompt of the next turn.
func (h *house) prompt() string {
	return agent.Prompt(agent.PromptParts{
		Today:     clock(),
		Data:      "Market data in this program is embedded historical SAMPLE data (" + sample.Coverage + "); it is not today's market, and every figure from it must be called sample data with its date.",
		Catalogue: skill.Catalogue(h.skills.List()),
	})
}

// input makes what the user typed into what is sent: "/name words" activates
// that skill, anything else is sent as it stands.
func (h *house) input(text string) (agent.Input, error) {
	name, words, ok := slashWords(text)
	if !ok {
		return agent.Input{Text: text}, nil
	}
	if _, found := h.skills.Lookup(name); !found {
		return agent.Input{Text: text}, nil
	}
	return h.activate(name, words)
}

// activate is the input that hands a skill to the model without asking it first.
func (h *house) activate(name, words string) (agent.Input, error) {
	s, ok := h.skills.Lookup(name)
	if !ok {
		return agent.Input{}, fmt.Errorf("no skill %q", name)
	}
	content, err := h.skills.Load(s.Name)
	if err != nil {
		return agent.Input{}, err
	}
	typed := "/" + s.Name
	if words != "" {
		typed += " " + words
	}
	return agent.Input{Text: typed, ForModel: skill.Activation(s, content.Text, words), Skill: s.Name}, nil
}

// slashWords splits "/name words"; the words may go on over several lines. A
// path such as /etc/hosts is no command.
func slashWords(text string) (name, words string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name = rest
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		name, words = rest[:cut], strings.TrimSpace(rest[cut:])
	}
	name = strings.TrimPrefix(name, "skill:")
	return name, words, name != "" && !strings.Contains(name, "/")
}
