package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/shelves"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
)

// skillList are the skills as the chat lists them.
func (h *house) skillList(g *globals) shelves.Skills {
	return shelves.Skills{
		Set: h.set, Registry: h.skills, State: h.state, Editor: g.editor,
		IsCommand: func(name string) bool {
			return slices.ContainsFunc(h.plainCommands(g), func(c tui.Command) bool { return c.Name == name })
		},
	}
}

// toolList are the tools, as the agent that answers may use them.
func (h *house) toolList() shelves.Tools {
	return shelves.Tools{
		Base: h.router, With: h.set.WithWorkflows,
		May: func(name string) bool { return h.speaking.Load().profile.May(name) },
	}
}

// modelList are the models that could answer.
func (h *house) modelList(g *globals) shelves.Models {
	answers := func() string { return h.speaking.Load().modelName }
	return shelves.Models{
		Board: h.connections.Board, Offline: h.cfg.Offline, Answers: answers, Use: h.pickModel,
		Write: func() (string, error) {
			where, err := g.writeModel(h.connections, answers())
			if err != nil {
				return "", err
			}
			said := answers() + " answers from now on: " + where
			if stronger := strongerThanUser(h.cfg, g.settingsFile(h.connections)); stronger != "" {
				said += "; but " + stronger + " outranks your settings at the next start"
			}
			return said, nil
		},
	}
}

// agents are who could answer.
func (h *house) agents() shelves.Agents {
	return shelves.Agents{
		Roster: h.roster, Home: h.home, Default: h.cfg.Agent, Router: h.router, Skills: h.skills, State: h.state,
		Answering: func() (agent, model string) {
			s := h.speaking.Load()
			if s == nil {
				return "", ""
			}
			return s.profile.Name, s.modelName
		},
		Use: func(name string) error { return inChat(h.speakAs(context.Background(), name)) },
		Odd: h.speakerWarnings,
	}
}

// symbols are the instruments that are known here.
func (h *house) symbols() shelves.Symbols {
	s := shelves.Symbols{Known: symbology.New(), Own: h.ownSymbols, Market: h.market, Sample: h.onSample()}
	if h.onSample() {
		s.Known = sample.New()
	}
	if day, err := time.Parse(time.DateOnly, h.asOf); err == nil {
		s.Until = day
	}
	return s
}

// sessionList are the conversations that are kept.
func (h *house) sessionList() shelves.Sessions {
	return shelves.Sessions{
		List: func(ctx context.Context) ([]shelves.Session, error) { return h.sessionRows(ctx, 0) },
		Here: h.open.has, Load: h.loadSession, Resume: h.resumeHere, Delete: h.deleteSession, Now: clock,
		Fork: func(ctx context.Context, id string) (session.Session, error) { return h.fork(ctx, id, 0) },
		Export: func(ctx context.Context, id, file string, replace bool) error {
			form, err := exportForm("", file)
			if err != nil {
				return err
			}
			return h.exportTo(ctx, id, file, replace, form)
		},
	}
}

// resumeHere opens a session for the chat, with the agent that answered in it.
func (h *house) resumeHere(ctx context.Context, id string) (*tui.Resume, error) {
	c, entries, err := h.resume(ctx, id)
	if err != nil {
		return nil, err
	}
	before := h.speaking.Load()
	if err := h.answerAgain(agent.LastProfile(entries)); err != nil {
		h.open.letGo(id)
		return nil, inChat(err)
	}
	return &tui.Resume{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			h.enter(c)
			return
		}
		h.speaking.Store(before)
		h.open.letGo(id)
	}}, nil
}

// pickModel lets a model answer from the next turn on, whatever agent does. What
// is wrong leaves the one that answers in its place.
func (h *house) pickModel(name string) error {
	if h.cfg.Offline && name != switchboard.Offline {
		return errors.New("offline is set for this start; leave the chat and start it without")
	}
	undo := h.connections.Pick(name)
	now := h.speaking.Load()
	if err := h.speakAs(context.Background(), now.profile.Name); err != nil {
		undo()
		return err
	}
	return nil
}

// switchModel is /model with words behind it.
func (h *house) switchModel(words string) (string, error) {
	if err := h.pickModel(strings.TrimSpace(words)); err != nil {
		return "", err
	}
	e := h.speaking.Load().endpoint
	return fmt.Sprintf("**%s** answers from the next turn on (%s).\n", e.Name(), e.Why), nil
}
