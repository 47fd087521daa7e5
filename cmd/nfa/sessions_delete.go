package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSessionsDelete(g *globals) *cobra.Command {
	var yes bool
	var age string
	cmd := &cobra.Command{
		Use: "delete ID...", Short: "Delete sessions, or those not used for some time",
		Long: `delete removes sessions, and overwrites what they held in the file. One that is open in a
program that runs stays.`,
		Example: `  nfa sessions delete 20261121-150405-7k3qab
  nfa sessions delete --older-than 90d`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			match, err := sessionFilter(ids, age, clock())
			if err != nil {
				return err
			}
			return g.withSessions(func(cmd *cobra.Command, p *program, _ []string) error {
				chosen, err := p.selectSessions(cmd.Context(), match, ids)
				if err != nil || len(chosen) == 0 {
					return errors.Join(err, g.printLine("nothing was deleted"))
				}
				if !yes {
					if yes, err = g.confirm(cmd.Context(), deletionQuestion(chosen)); err != nil {
						return err
					}
					if !yes {
						return declined("deleted")
					}
				}
				return g.deleteSessions(cmd.Context(), p, chosen)
			})(cmd, ids)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().StringVar(&age, "older-than", "", "those not used for this `TIME`, such as 90d or 12w")
	return cmd
}

// sessionFilter tells the sessions that are meant: those named, or those of an age.
func sessionFilter(ids []string, age string, now time.Time) (func(session.Session) bool, error) {
	switch {
	case len(ids) == 0 && age == "":
		return nil, usage.Errorf("which? say nfa sessions delete ID..., or --older-than 90d")
	case len(ids) > 0 && age != "":
		return nil, usage.Errorf("IDs and --older-than cannot go together; choose one")
	case age == "":
		for _, id := range ids {
			if err := checkSessionID(id); err != nil {
				return nil, err
			}
		}
		return func(s session.Session) bool { return slices.Contains(ids, s.ID) }, nil
	}
	days, ok := parseDays(age)
	if !ok {
		return nil, usage.Errorf("--older-than %q: must be days or weeks, such as 90d or 12w", age)
	}
	since := now.AddDate(0, 0, -days)
	return func(s session.Session) bool { return s.UpdatedAt.Before(since) }, nil
}

// parseDays reads "90d" or "12w".
func parseDays(age string) (days int, ok bool) {
	m := regexp.MustCompile(`^(\d{1,5})([dw])$`).FindStringSubmatch(age)
	if m == nil {
		return 0, false
	}
	days, err := strconv.Atoi(m[1])
	if m[2] == "w" {
		days *= 7
	}
	return days, err == nil
}

// selectSessions gives the sessions that are meant; each that was named has to be there.
func (p *program) selectSessions(ctx context.Context, match func(session.Session) bool, named []string) ([]session.Session, error) {
	all, err := p.sessions.List(ctx, 0)
	if err != nil {
		return nil, err
	}
	for _, id := range named {
		if !slices.ContainsFunc(all, func(s session.Session) bool { return s.ID == id }) {
			return nil, sessionNotFound(id, p.home)
		}
	}
	return slices.DeleteFunc(all, func(s session.Session) bool { return !match(s) }), nil
}

func deletionQuestion(chosen []session.Session) string {
	if len(chosen) == 1 {
		return fmt.Sprintf("Delete %s, %q? This cannot be undone.", chosen[0].ID, chosen[0].Title)
	}
	return fmt.Sprintf("Delete %d sessions, last used %s to %s? This cannot be undone.", len(chosen),
		chosen[len(chosen)-1].UpdatedAt.Local().Format(time.DateOnly), chosen[0].UpdatedAt.Local().Format(time.DateOnly))
}

// deleteSessions deletes what can be deleted, and says what could not.
func (g *globals) deleteSessions(ctx context.Context, p *program, chosen []session.Session) error {
	var failed error
	for _, s := range chosen {
		if err := p.deleteSession(ctx, s.ID); err != nil {
			failed = errors.Join(failed, err)
		} else if err := g.printLine("deleted " + s.ID + ": " + s.Title); err != nil {
			return err
		}
	}
	return failed
}

// deleteSession deletes a session that nobody writes: whoever does would find its
// conversation gone in the middle of a turn.
func (p *program) deleteSession(ctx context.Context, id string) error {
	if p.openSessions.owns(id) {
		return fmt.Errorf("session %s is the one you are in; /clear begins another", id)
	}
	switch err := p.openSessions.acquire(ctx, id); {
	case errors.Is(err, session.ErrLocked):
		return fmt.Errorf("session %s is open in another nfa; leave it there first", id)
	case err != nil:
		return err
	}
	defer p.openSessions.releaseOne(id)
	p.skillLibrary.Cache().Clear(id)
	return p.sessions.Delete(ctx, id)
}

// printLine prints a line.
func (g *globals) printLine(text string) error {
	_, err := fmt.Fprintln(g.out, markdown.SanitizeLine(text))
	return err
}
