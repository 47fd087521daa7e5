package main

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
)

// programOptions says which parts of the program a command needs.
type programOptions struct {
	approver    tool.Approver // nil refuses what needs approval
	maxSteps    string        // as given on the command line, or empty
	maxTime     string        // likewise
	maxCost     string        // likewise
	agent       string        // likewise
	sessions    bool          // open the store and the agent
	userInvoked bool          // the user named a file themself: it may be anywhere
	notice      func(string)  // receives what the user should know
}

// notifier returns the function that receives notices: that of the command, or else one that prints
// to stderr.
func (w programOptions) notifier(g *globals) func(string) {
	if w.notice != nil {
		return w.notice
	}
	return g.notice
}

// openProgram opens the parts of the program in order, each after the parts that it needs.
func openProgram(ctx context.Context, g *globals, w programOptions) (p *program, err error) {
	cfg, home, err := g.loadConfig(w)
	if err != nil {
		return nil, err
	}
	notify := w.notifier(g)
	if w.notice == nil {
		w.notice = func(string) {}
	}
	for _, warning := range cfg.Warnings {
		w.notice(warning)
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return nil, err
	}
	db, portfolio := app.NewDatabase(home, notify), app.NewPortfolioStore(home, clock, notify)
	open, bars := newOpenSessions(home), newBarStore(home, log)
	p = &program{
		home: home, cfg: cfg, log: log, asOf: g.asOf, market: newMarket(g, cfg, home, log, bars), db: db, skillStore: db.Skills(), openSessions: open, portfolio: portfolio, userInvoked: w.userInvoked,
	}
	p.closers = []func() error{logFile.Close, db.Close, portfolio.Close, open.close, bars.Close}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.state, err = skill.OpenState(ctx, home)
	if err != nil {
		w.notice(err.Error()) // usable all the same, with nothing decided
	}
	p.permissions = p.openPermissions(w.notice)
	p.skills = skill.Open(skill.Options{Roots: p.skillRoots(w.notice), Log: log})
	p.skillLibrary = p.newSkillLibrary()
	p.skillLibrary.Move(w.notice, notify)
	tools := tools.All(p.portfolioDeps(g, p.systemDeps(p.marketDeps(tools.Deps{
		Now: g.dataClock(), Skills: p.skills, SkillsLoaded: p.skillLibrary.Cache(), SkillDisabled: p.state.Disabled, Has: p.skillLibrary.HasTool,
	}))))
	p.router, err = tool.NewRouter(tools, tool.Options{Approver: w.approver, Rules: p.permissions, Hide: p.newRedactor(), HideAmounts: p.hidesAmounts, Log: log})
	if err != nil {
		return p, fmt.Errorf("wiring the tools: %w", err)
	}
	if p.python, err = newPython(home, cfg.Python); err != nil || !w.sessions {
		return p, err
	}
	p.profiles = agent.LoadProfiles(p.agentsFolder())
	if err := p.openModels(ctx, g); err != nil {
		return p, err
	}
	database, err := db.Open(ctx)
	if err != nil {
		return p, fmt.Errorf("opening the sessions in %s: %w; choose another home with --home or NFA_HOME", home, err)
	}
	p.sessions = database.Sessions()
	p.agent, err = agent.New(agent.Config{
		Setup: p.turnSetup, Store: p.sessions, Limits: turnLimits(cfg), SkillLoaded: p.skillLibrary.CountUse, HidesAmounts: p.hidesAmounts, Now: clock, Log: log,
	})
	return p, err
}
