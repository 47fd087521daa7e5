package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cabinet"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/consent"
	"github.com/nfa-cli/nfa/internal/marketplace"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/state"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tool"
)

// house is the wired program; which parts stand depends on the wiring.
type house struct {
	home        string
	cfg         *config.Config
	log         zerolog.Logger
	skills      *skill.Registry
	stored      skill.Store      // of skills, while their folder cannot be written
	set         *skillset.Set    // the skills as they can be used here and now
	state       *state.State     // what the user decided about skills
	data        marketplace.Seen // what sources have answered
	market      *marketplace.Market
	asOf        string         // the day that the tools look from, or "" for now
	router      *tool.Router   // of all tools but those that run skills
	rules       *consent.Rules // what was allowed for always
	python      *python.Runner
	roster      *roster.Roster
	connections *connections            // to models; nil where no agent is wired
	speaking    atomic.Pointer[speaker] // nil where no agent is wired
	db          *cabinet.Database
	book        *cabinet.Book
	byHand      bool // a verb of the book runs: no model looks on, and its files may be anywhere
	store       session.Store
	open        *openSessions
	agent       *agent.Agent
	talk        atomic.Pointer[agent.Conversation] // of the chat
	closers     []func() error
}

// close gives everything back, the last opened first.
func (h *house) close() {
	for i := len(h.closers) - 1; i >= 0; i-- {
		if err := h.closers[i](); err != nil {
			h.log.Warn().Err(err).Msg("closing")
		}
	}
}

// inHouse is a verb's run in a house that is wired for it and closed after it.
func (g *globals) inHouse(w wiring, run func(cmd *cobra.Command, h *house, words []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, words []string) error {
		h, err := wire(cmd.Context(), g, w)
		if err != nil {
			return err
		}
		defer h.close()
		return run(cmd, h, words)
	}
}

// settings reads the configuration of this start, with the flags that only some
// verbs have.
func (g *globals) settings(w wiring) (*config.Config, string, error) {
	home, err := config.Home(g.home, g.env, os.UserHomeDir)
	if err != nil {
		return nil, "", misuse.Errorf("%w", err)
	}
	if err := g.checkAsOf(); err != nil {
		return nil, "", err
	}
	flags := map[string]string{}
	for key, value := range map[string]string{"model": g.model, "log_level": g.logLevel, "max_steps": w.maxSteps, "agent": w.agent, "max_time": w.maxTime, "max_cost": w.maxCost} {
		if value != "" {
			flags[key] = value
		}
	}
	if g.offline {
		flags["offline"] = "true"
	}
	if g.plain {
		flags["plain"] = "true"
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
		return nil, "", misuse.Errorf("%w", err)
	}
	return cfg, home, nil
}

// skillRoots lists where skills live; a later folder wins over an earlier one.
func (h *house) skillRoots(notice func(string)) []skill.Root {
	roots := []skill.Root{skill.Builtin()}
	if user, err := os.UserHomeDir(); err == nil {
		roots = append(roots, skill.Root{Dir: filepath.Join(user, ".agents", "skills"), Source: skill.SourceShared})
	}
	for _, dir := range h.cfg.SkillPaths {
		roots = append(roots, skill.Root{Dir: dir, Source: skill.SourceUser})
	}
	own := filepath.Join(h.home, "skills")
	roots = append(roots, skill.Root{Dir: own, Source: skill.SourceUser, Create: true}, skill.StoreRoot(h.stored))
	return append(roots, h.projectRoot(own, notice)...)
}

// projectRoot is ./.nfa/skills as long as the user trusts what it holds: a folder
// that was cloned must not instruct the assistant unasked, nor one that is changed
// while the program runs.
func (h *house) projectRoot(own string, notice func(string)) []skill.Root {
	dir := filepath.Join(".nfa", "skills")
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	if home, err := os.Stat(own); err == nil && os.SameFile(info, home) {
		return nil
	}
	folder, err := filepath.Abs(dir)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		notice(fmt.Sprintf("the skills of this folder are not used: %v", err))
		return nil
	}
	if !slices.Contains(h.state.TrustedFolders(), folder) {
		// Not even read: whoever wrote them was asked nothing yet.
		notice("This folder has skills of its own, which are not used; to look at them and use them: nfa skills trust")
		return nil
	}
	trusted := func() error {
		found, err := skill.ListFolder(folder)
		if err != nil {
			return err
		}
		if h.state.Trusts(found) != state.Trusted {
			return skill.ErrNotTrusted
		}
		return nil
	}
	if trusted() != nil {
		notice("The skills of this folder have changed since you trusted them and are not used; look at them, then: nfa skills trust")
		return nil
	}
	return []skill.Root{{Dir: folder, Source: skill.SourceProject, Allowed: trusted}}
}

// prompt is the system prompt of the next turn, with what the agent is told of
// its part, for a model of that context window.
func (h *house) prompt(role string, window int) string {
	return agent.Prompt(agent.PromptParts{
		Today:     clock(),
		Data:      h.view().Note(),
		Role:      role,
		Catalogue: h.set.Catalogue(window),
	})
}

// tools are those of the agent that answers; before one does, all.
func (h *house) tools() *tool.Router {
	if s := h.speaking.Load(); s != nil {
		return s.router
	}
	return h.router
}
