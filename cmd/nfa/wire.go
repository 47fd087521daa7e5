package main

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cabinet"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/state"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// wiring says how much of the house a verb needs.
type wiring struct {
	approver tool.Approver // nil refuses what needs approval
	maxSteps string        // as given on the command line, or empty
	maxTime  string        // likewise
	maxCost  string        // likewise
	agent    string        // likewise
	sessions bool          // open the store and the agent
	byHand   bool          // the user named a file themself: it may be anywhere
	notice   func(string)  // told what the user should know
}

// told is who hears of what the program did unasked: the verb, else stderr.
func (w wiring) told(g *globals) func(string) {
	if w.notice != nil {
		return w.notice
	}
	return g.notice
}

// wire builds the house from the ground floor up.
func wire(ctx context.Context, g *globals, w wiring) (h *house, err error) {
	cfg, home, err := g.settings(w)
	if err != nil {
		return nil, err
	}
	told := w.told(g)
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
	db, own := cabinet.NewDatabase(home, told), cabinet.NewBook(home, clock, told)
	open := newOpenSessions(home)
	h = &house{
		home: home, cfg: cfg, log: log, asOf: g.asOf, market: marketOf(g, cfg, home, log, true), db: db, stored: db.Skills(), open: open, book: own, byHand: w.byHand,
	}
	h.closers = []func() error{logFile.Close, db.Close, own.Close, open.close, h.market.Close}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	h.state, err = state.Open(ctx, home)
	if err != nil {
		w.notice(err.Error()) // usable all the same, with nothing decided
	}
	h.rules = h.approvals(w.notice)
	h.skills = skill.Open(skill.Options{Roots: h.skillRoots(w.notice), Log: log})
	h.set = h.skillset()
	h.set.Move(w.notice, told)
	tools := toolbox.All(h.withBook(g, h.inWorld(h.inMarket(toolbox.Deps{
		Now: g.clockOfData(), Skills: h.skills, SkillsLoaded: h.set.Loaded(), SkillDisabled: h.state.Disabled, Has: h.set.HasTool,
	}))))
	h.router, err = tool.NewRouter(tools, tool.Options{Approver: w.approver, Rules: h.rules, Hide: h.withoutKeys(), Log: log})
	if err != nil {
		return h, fmt.Errorf("wiring the tools: %w", err)
	}
	if h.python, err = newPython(home, cfg.Python); err != nil || !w.sessions {
		return h, err
	}
	h.roster = roster.Open(h.agentsFolder())
	if err := h.letSpeak(ctx, g); err != nil {
		return h, err
	}
	kept, err := db.Open(ctx)
	if err != nil {
		return h, fmt.Errorf("opening the sessions in %s: %w; choose another home with --home or NFA_HOME", home, err)
	}
	h.store = kept.Sessions()
	h.agent, err = agent.New(agent.Config{
		Setup: h.setup, Store: h.store, Limits: limitsOf(cfg), SkillLoaded: h.set.CountUse, Hidden: h.hides, Now: clock, Log: log,
	})
	return h, err
}
