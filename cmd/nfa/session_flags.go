package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

// sessionFlags select the session of chat and ask.
type sessionFlags struct {
	resume string
	latest bool
	fork   bool
	agent  string
}

func (f *sessionFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.latest, "continue", false, "open the latest session")
	cmd.Flags().StringVar(&f.agent, "agent", "", "`NAME` agent to use; nfa agents lists them (NFA_AGENT)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "`ID` open this session")
	cmd.Flags().BoolVar(&f.fork, "fork", false, "with --continue or --resume: continue in a copy")
}

// open opens the selected session and returns its entries.
func (f *sessionFlags) open(ctx context.Context, a *app.App) (*agent.Conversation, []session.Entry, error) {
	id, err := f.sessionID(ctx, a)
	switch {
	case err != nil:
		return nil, nil, err
	case id == "":
		return a.StartConversation(ctx), nil, nil
	case f.fork:
		copied, err := a.ForkSession(ctx, id, 0)
		if err != nil {
			return nil, nil, err
		}
		id = copied.ID
	}
	conversation, entries, err := a.ResumeConversation(ctx, id)
	switch {
	case errors.Is(err, session.ErrLocked):
		return nil, nil, fmt.Errorf("session %s is open in another nfa process; continue in a copy with --fork, or read it: nfa sessions show %s", id, id)
	case errors.Is(err, session.ErrNotFound):
		return nil, nil, fmt.Errorf("no session %s in %s; to open the latest: nfa --continue", id, a.Home)
	case err != nil:
		return nil, nil, err
	}
	if f.agent != "" {
		return conversation, entries, nil
	}
	if err := a.Agents.Resume(agent.LastProfile(entries)); err != nil {
		return nil, nil, usage.Errorf("open the session: %w; choose another model with --model, or another agent with --agent", err)
	}
	return conversation, entries, nil
}

// sessionID returns the selected session, or "" for a new one.
func (f *sessionFlags) sessionID(ctx context.Context, a *app.App) (string, error) {
	switch {
	case f.latest && f.resume != "":
		return "", usage.Errorf("--continue and --resume cannot be used together; choose one")
	case f.latest:
		newest, err := a.ListSessions(ctx, 1)
		if err != nil {
			return "", fmt.Errorf("find the latest session: %w", err)
		}
		if len(newest) == 0 {
			return "", errors.New("no saved sessions; start one with: nfa")
		}
		return newest[0].ID, nil
	case f.resume == "" && f.fork:
		return "", usage.Errorf("--fork needs --continue or --resume ID")
	case f.resume == "":
		return "", nil
	}
	return f.resume, app.CheckSessionID(f.resume)
}
