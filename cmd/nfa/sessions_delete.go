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
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/session"
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
			choose, err := choosing(ids, age, clock())
			if err != nil {
				return err
			}
			return g.inArchive(func(cmd *cobra.Command, h *house, _ []string) error {
				chosen, err := h.choose(cmd.Context(), choose, ids)
				if err != nil || len(chosen) == 0 {
					return errors.Join(err, g.say("nothing was deleted"))
				}
				if !yes {
					if yes, err = g.confirm(cmd.Context(), deletion(chosen)); err != nil {
						return err
					}
					if !yes {
						return declined("deleted")
					}
				}
				return g.deleteSessions(cmd.Context(), h, chosen)
			})(cmd, ids)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().StringVar(&age, "older-than", "", "those not used for this `TIME`, such as 90d or 12w")
	return cmd
}

// choosing tells the sessions that are meant: those named, or those of an age.
func choosing(ids []string, age string, now time.Time) (func(session.Session) bool, error) {
	switch {
	case len(ids) == 0 && age == "":
		return nil, misuse.Errorf("which? say nfa sessions delete ID..., or --older-than 90d")
	case len(ids) > 0 && age != "":
		return nil, misuse.Errorf("IDs and --older-than cannot go together; choose one")
	case age == "":
		for _, id := range ids {
			if err := checkID(id); err != nil {
				return nil, err
			}
		}
		return func(s session.Session) bool { return slices.Contains(ids, s.ID) }, nil
	}
	days, ok := parseDays(age)
	if !ok {
		return nil, misuse.Errorf("--older-than %q: must be days or weeks, such as 90d or 12w", age)
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

// choose gives the sessions that are meant; each that was named has to be there.
func (h *house) choose(ctx context.Context, meant func(session.Session) bool, named []string) ([]session.Session, error) {
	all, err := h.store.List(ctx, 0)
	if err != nil {
		return nil, err
	}
	for _, id := range named {
		if !slices.ContainsFunc(all, func(s session.Session) bool { return s.ID == id }) {
			return nil, noSession(id, h.home)
		}
	}
	return slices.DeleteFunc(all, func(s session.Session) bool { return !meant(s) }), nil
}

func deletion(chosen []session.Session) string {
	if len(chosen) == 1 {
		return fmt.Sprintf("Delete %s, %q? This cannot be undone.", chosen[0].ID, chosen[0].Title)
	}
	return fmt.Sprintf("Delete %d sessions, last used %s to %s? This cannot be undone.", len(chosen),
		chosen[len(chosen)-1].UpdatedAt.Local().Format(time.DateOnly), chosen[0].UpdatedAt.Local().Format(time.DateOnly))
}

// deleteSessions deletes what can be deleted, and says what could not.
func (g *globals) deleteSessions(ctx context.Context, h *house, chosen []session.Session) error {
	var kept error
	for _, s := range chosen {
		if err := h.deleteSession(ctx, s.ID); err != nil {
			kept = errors.Join(kept, err)
		} else if err := g.say("deleted " + s.ID + ": " + s.Title); err != nil {
			return err
		}
	}
	return kept
}

// deleteSession deletes a session that nobody writes: whoever does would find its
// conversation gone in the middle of a turn.
func (h *house) deleteSession(ctx context.Context, id string) error {
	if h.open.has(id) {
		return fmt.Errorf("session %s is the one you are in; /clear begins another", id)
	}
	switch err := h.open.take(ctx, id); {
	case errors.Is(err, session.ErrHeld):
		return fmt.Errorf("session %s is open in another nfa; leave it there first", id)
	case err != nil:
		return err
	}
	defer h.open.letGo(id)
	h.set.Loaded().Clear(id)
	return h.store.Delete(ctx, id)
}

// say prints a line.
func (g *globals) say(text string) error {
	_, err := fmt.Fprintln(g.out, markdown.SanitizeLine(text))
	return err
}
