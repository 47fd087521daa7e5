package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// skillScreen returns the screen /skills.
func (p *program) skillScreen(g *globals) screens.Skills {
	return screens.Skills{
		Set: p.skillLibrary, Registry: p.skills, State: p.state, Editor: g.editor,
		IsCommand: func(name string) bool {
			return slices.ContainsFunc(p.builtinCommands(g), func(c tui.Command) bool { return c.Name == name })
		},
	}
}

// toolScreen returns the screen /tools, with the tools of the active agent.
func (p *program) toolScreen() screens.Tools {
	return screens.Tools{
		Base: p.router, WithSkills: p.skillLibrary.WithWorkflows,
		Allowed: func(name string) bool { return p.active.Load().profile.Allows(name) },
	}
}

// modelScreen returns the screen /model.
func (p *program) modelScreen(g *globals) screens.Models {
	answers := func() string { return p.active.Load().modelName }
	return screens.Models{
		Selector: p.connections.Selector, Offline: p.cfg.Offline, Active: answers, Use: p.useModel,
		Save: func() (string, error) {
			location, err := g.saveModel(p.connections, answers())
			if err != nil {
				return "", err
			}
			message := answers() + " answers from now on: " + location
			if override := modelOverride(p.cfg, g.modelConfigFile(p.connections)); override != "" {
				message += "; but " + override + " outranks your settings at the next start"
			}
			return message, nil
		},
	}
}

// agentScreen returns the screen /agent.
func (p *program) agentScreen() screens.Agents {
	return screens.Agents{
		Profiles: p.profiles, Home: p.home, Default: p.cfg.Agent, Router: p.router, Skills: p.skills, State: p.state,
		Active: func() (agent, model string) {
			s := p.active.Load()
			if s == nil {
				return "", ""
			}
			return s.profile.Name, s.modelName
		},
		Use:            func(name string) error { return adviseInChat(p.switchAgent(context.Background(), name)) },
		ActiveWarnings: p.agentWarnings,
	}
}

// symbolScreen returns the screen /symbols.
func (p *program) symbolScreen() screens.Symbols {
	s := screens.Symbols{Known: reference.NewSymbolTable(), UserSymbols: p.userSymbols, Market: p.market, Sample: p.sampleOnly()}
	if p.sampleOnly() {
		s.Known = feed.NewSampleSource()
	}
	if day, err := time.Parse(time.DateOnly, p.asOf); err == nil {
		s.Until = day
	}
	return s
}

// sessionScreen returns the screen /sessions.
func (p *program) sessionScreen() screens.Sessions {
	return screens.Sessions{
		List:      func(ctx context.Context) ([]screens.Session, error) { return p.sessionRows(ctx, 0) },
		IsCurrent: p.openSessions.owns, Load: p.loadSession, Resume: p.resumeInChat, Delete: p.deleteSession, Now: clock,
		Fork: func(ctx context.Context, id string) (session.Session, error) { return p.forkSession(ctx, id, 0) },
		Export: func(ctx context.Context, id, file string, replace bool) error {
			format, err := exportFormat("", file)
			if err != nil {
				return err
			}
			return p.exportTo(ctx, id, file, replace, format)
		},
	}
}

// resumeInChat opens a session for the chat, with the agent that answered in it.
func (p *program) resumeInChat(ctx context.Context, id string) (*tui.ResumeRequest, error) {
	c, entries, err := p.resumeSession(ctx, id)
	if err != nil {
		return nil, err
	}
	previous := p.active.Load()
	if err := p.restoreAgent(agent.LastProfile(entries)); err != nil {
		p.openSessions.releaseOne(id)
		return nil, adviseInChat(err)
	}
	return &tui.ResumeRequest{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			p.setConversation(c)
			return
		}
		p.active.Store(previous)
		p.openSessions.releaseOne(id)
	}}, nil
}

// useModel switches to a model from the next turn on, for any agent. On an error the current model
// stays.
func (p *program) useModel(name string) error {
	if p.cfg.Offline && name != catalog.Offline {
		return errors.New("offline is set for this start; leave the chat and start it without")
	}
	undo := p.connections.Pick(name)
	current := p.active.Load()
	if err := p.switchAgent(context.Background(), current.profile.Name); err != nil {
		undo()
		return err
	}
	return nil
}

// switchModel runs /model with arguments.
func (p *program) switchModel(name string) (string, error) {
	if err := p.useModel(strings.TrimSpace(name)); err != nil {
		return "", err
	}
	e := p.active.Load().endpoint
	return fmt.Sprintf("**%s** answers from the next turn on (%s).\n", e.Name(), e.Reason), nil
}
