package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// program holds the parts of the running program. Which parts are set depends on programOptions.
type program struct {
	home         string
	cfg          *config.Config
	log          zerolog.Logger
	skills       *skill.Registry
	skillStore   skill.Store       // of skills, while their folder cannot be written
	skillLibrary *library.Library  // the skills as they can be used here and now
	state        *skill.State      // what the user decided about skills
	seenData     feed.StateTracker // what sources have answered
	market       *feed.Market
	asOf         string            // the day that the tools look from, or "" for now
	router       *tool.Router      // of all tools but those that run skills
	permissions  *tool.Permissions // what was allowed for always
	python       *python.Runner
	profiles     *agent.Profiles
	connections  *connections                // to models; nil where no agent is wired
	active       atomic.Pointer[activeAgent] // nil where no agent is wired
	db           *app.Database
	portfolio    *app.PortfolioStore
	userInvoked  bool // a portfolio command runs: no model sees the result, and files may be anywhere
	sessions     session.Store
	openSessions *openSessions
	agent        *agent.Agent
	conversation atomic.Pointer[agent.Conversation] // of the chat
	closers      []func() error
}

// close closes the parts, the last opened first.
func (p *program) close() {
	for i := len(p.closers) - 1; i >= 0; i-- {
		if err := p.closers[i](); err != nil {
			p.log.Warn().Err(err).Msg("closing")
		}
	}
}

// withProgram opens a program, runs a command in it and closes it.
func (g *globals) withProgram(w programOptions, run func(cmd *cobra.Command, p *program, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, err := openProgram(cmd.Context(), g, w)
		if err != nil {
			return err
		}
		defer p.close()
		return run(cmd, p, args)
	}
}

// loadConfig reads the settings for this start, including flags that only some commands have.
func (g *globals) loadConfig(w programOptions) (*config.Config, string, error) {
	home, err := config.Home(g.home, g.env, os.UserHomeDir)
	if err != nil {
		return nil, "", usage.Errorf("%w", err)
	}
	if err := g.validateAsOf(); err != nil {
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
		return nil, "", usage.Errorf("%w", err)
	}
	return cfg, home, nil
}

// skillRoots returns the folders of skills; a later folder takes precedence over an earlier one.
func (p *program) skillRoots(notice func(string)) []skill.Root {
	roots := []skill.Root{skill.Builtin()}
	if user, err := os.UserHomeDir(); err == nil {
		roots = append(roots, skill.Root{Dir: filepath.Join(user, ".agents", "skills"), Source: skill.SourceShared})
	}
	for _, dir := range p.cfg.SkillPaths {
		roots = append(roots, skill.Root{Dir: dir, Source: skill.SourceUser})
	}
	userSkills := filepath.Join(p.home, "skills")
	roots = append(roots, skill.Root{Dir: userSkills, Source: skill.SourceUser, Create: true}, skill.StoreRoot(p.skillStore))
	return append(roots, p.projectSkillRoots(userSkills, notice)...)
}

// projectSkillRoots returns ./.nfa/skills if the user trusts its contents. A cloned folder must not
// instruct the assistant unless the user agreed, and neither must a folder that changes while the
// program runs.
func (p *program) projectSkillRoots(userSkills string, notice func(string)) []skill.Root {
	dir := filepath.Join(".nfa", "skills")
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	if home, err := os.Stat(userSkills); err == nil && os.SameFile(info, home) {
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
	if !slices.Contains(p.state.TrustedFolders(), folder) {
		// Not even read: whoever wrote them was asked nothing yet.
		notice("This folder has skills of its own, which are not used; to look at them and use them: nfa skills trust")
		return nil
	}
	trusted := func() error {
		listing, err := skill.ListFolder(folder)
		if err != nil {
			return err
		}
		if p.state.FolderTrust(listing) != skill.Trusted {
			return skill.ErrNotTrusted
		}
		return nil
	}
	if trusted() != nil {
		notice("The skills of this folder have changed since you trusted them and are not used; look at them, then: nfa skills trust")
		return nil
	}
	return []skill.Root{{Dir: folder, Source: skill.SourceProject, CheckTrust: trusted}}
}

// systemPrompt returns the system prompt of a session that began on day: the rules, the
// instructions of the agent's role, and the skills.
func (p *program) systemPrompt(day time.Time, role string, request agent.RequestProfile, catalogue string) string {
	if !request.Role {
		role = ""
	}
	if !request.Skills {
		catalogue = ""
	}
	return agent.Prompt(agent.PromptParts{
		Today: day, Data: p.marketView().PromptNote(), Role: role, Catalogue: catalogue, Short: request.ShortRules,
	})
}

// agentTools returns the tools of the active agent, or all tools if no agent is active.
func (p *program) agentTools() *tool.Router {
	if s := p.active.Load(); s != nil {
		return s.router
	}
	return p.router
}
