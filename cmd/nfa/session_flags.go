package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

// sessionFlags say which conversation chat and ask are about.
type sessionFlags struct {
	resume string
	latest bool
	fork   bool
	agent  string
}

func (f *sessionFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.latest, "continue", false, "go on with the newest session")
	cmd.Flags().StringVar(&f.agent, "agent", "", "let this `NAME` answer; nfa agents list shows who there is (NFA_AGENT)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the session of this `ID`")
	cmd.Flags().BoolVar(&f.fork, "fork", false, "with --continue or --resume: go on in a copy, the session stays as it is")
}

// open gives the conversation that the flags name, with its entries so far.
func (f *sessionFlags) open(ctx context.Context, p *program) (*agent.Conversation, []session.Entry, error) {
	id, err := f.sessionID(ctx, p)
	switch {
	case err != nil:
		return nil, nil, err
	case id == "":
		return p.startConversation(ctx), nil, nil
	case f.fork:
		copied, err := p.forkSession(ctx, id, 0)
		if err != nil {
			return nil, nil, err
		}
		id = copied.ID
	}
	conversation, entries, err := p.resumeSession(ctx, id)
	switch {
	case errors.Is(err, session.ErrLocked):
		return nil, nil, fmt.Errorf("session %s is open in another nfa; go on in a copy of it with --fork, or read it with: nfa sessions show %s", id, id)
	case errors.Is(err, session.ErrNotFound):
		return nil, nil, fmt.Errorf("no session %s in %s; nfa --continue takes the newest", id, p.home)
	case err != nil:
		return nil, nil, err
	}
	return conversation, entries, p.resumeAgent(agent.LastProfile(entries), f.agent != "")
}

// sessionID is the session that the flags name, or "" for a new one.
func (f *sessionFlags) sessionID(ctx context.Context, p *program) (string, error) {
	switch {
	case f.latest && f.resume != "":
		return "", usage.Errorf("--continue and --resume cannot go together; choose one")
	case f.latest:
		newest, err := p.sessions.List(ctx, 1)
		if err != nil {
			return "", fmt.Errorf("looking for the newest session: %w", err)
		}
		if len(newest) == 0 {
			return "", errors.New("there is no session to continue yet; start one with: nfa")
		}
		return newest[0].ID, nil
	case f.resume == "" && f.fork:
		return "", usage.Errorf("--fork copies a session: say which with --continue or --resume ID")
	case f.resume == "":
		return "", nil
	}
	return f.resume, checkSessionID(f.resume)
}

// checkSessionID keeps what is no session ID from a store.
func checkSessionID(id string) error {
	if session.ValidID(id) {
		return nil
	}
	return usage.Errorf("%q is not a session ID; they look like 20261121-150405-7k3qab. nfa sessions list shows them", id)
}
