package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/session"
)

// conversationFlags say which conversation chat and ask are about.
type conversationFlags struct {
	resume string
	last   bool
	fork   bool
	agent  string
}

func (f *conversationFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.last, "continue", false, "go on with the newest session")
	cmd.Flags().StringVar(&f.agent, "agent", "", "let this `NAME` answer; nfa agents list shows who there is (NFA_AGENT)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the session of this `ID`")
	cmd.Flags().BoolVar(&f.fork, "fork", false, "with --continue or --resume: go on in a copy, the session stays as it is")
}

// open gives the conversation that the flags name, with its entries so far.
func (f *conversationFlags) open(ctx context.Context, h *house) (*agent.Conversation, []session.Entry, error) {
	id, err := f.named(ctx, h)
	switch {
	case err != nil:
		return nil, nil, err
	case id == "":
		return h.begin(ctx), nil, nil
	case f.fork:
		copied, err := h.fork(ctx, id, 0)
		if err != nil {
			return nil, nil, err
		}
		id = copied.ID
	}
	conversation, entries, err := h.resume(ctx, id)
	switch {
	case errors.Is(err, session.ErrHeld):
		return nil, nil, fmt.Errorf("session %s is open in another nfa; go on in a copy of it with --fork, or read it with: nfa sessions show %s", id, id)
	case errors.Is(err, session.ErrNotFound):
		return nil, nil, fmt.Errorf("no session %s in %s; nfa --continue takes the newest", id, h.home)
	case err != nil:
		return nil, nil, err
	}
	return conversation, entries, h.goOnWith(agent.LastProfile(entries), f.agent != "")
}

// named is the session that the flags name, or "" for a new one.
func (f *conversationFlags) named(ctx context.Context, h *house) (string, error) {
	switch {
	case f.last && f.resume != "":
		return "", misuse.Errorf("--continue and --resume cannot go together; choose one")
	case f.last:
		newest, err := h.store.List(ctx, 1)
		if err != nil {
			return "", fmt.Errorf("looking for the newest session: %w", err)
		}
		if len(newest) == 0 {
			return "", errors.New("there is no session to continue yet; start one with: nfa")
		}
		return newest[0].ID, nil
	case f.resume == "" && f.fork:
		return "", misuse.Errorf("--fork copies a session: say which with --continue or --resume ID")
	case f.resume == "":
		return "", nil
	}
	return f.resume, checkID(f.resume)
}

// checkID keeps what is no session ID from a store.
func checkID(id string) error {
	if session.ValidID(id) {
		return nil
	}
	return misuse.Errorf("%q is not a session ID; they look like 20261121-150405-7k3qab. nfa sessions list shows them", id)
}
