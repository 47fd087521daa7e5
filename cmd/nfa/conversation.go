package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
)

// conversationFlags say which conversation chat and ask are about.
type conversationFlags struct {
	resume string
	last   bool
	agent  string
}

func (f *conversationFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.last, "continue", false, "go on with the newest session")
	cmd.Flags().StringVar(&f.agent, "agent", "", "let this `NAME` answer; nfa agents list shows who there is (NFA_AGENT)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the session of this `ID`")
}

// open gives the conversation that the flags name, with its entries so far.
func (f *conversationFlags) open(ctx context.Context, h *house) (*agent.Conversation, []session.Entry, error) {
	id := f.resume
	switch {
	case f.last && id != "":
		return nil, nil, usagef("--continue and --resume cannot go together; choose one")
	case f.last:
		newest, err := h.store.List(ctx, 1)
		if err != nil {
			return nil, nil, fmt.Errorf("looking for the newest session: %w", err)
		}
		if len(newest) == 0 {
			return nil, nil, errors.New("there is no session to continue yet; start one with: nfa")
		}
		id = newest[0].ID
	case id == "":
		return h.agent.Start(), nil, nil
	case !session.ValidID(id):
		return nil, nil, usagef("%q is not a session ID; they look like 20261121-150405-7k3qab. nfa --continue takes the newest", id)
	}
	conversation, entries, err := h.agent.Resume(ctx, id)
	switch {
	case errors.Is(err, session.ErrNotFound):
		return nil, nil, fmt.Errorf("no session %s in %s; nfa --continue takes the newest", id, h.home)
	case err != nil:
		return nil, nil, err
	}
	return conversation, entries, h.goOnWith(agent.LastProfile(entries), f.agent != "")
}
