package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

// errNoSessions is returned if the database does not exist, because opening it would create it.
var errNoSessions = errors.New("no saved sessions; start one with: nfa")

// withSessions wraps a command that reads saved sessions.
func (g *globals) withSessions(run func(cmd *cobra.Command, a *app.App, args []string) error) func(*cobra.Command, []string) error {
	return g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, args []string) error {
		if !a.Stores.Exists() {
			return errNoSessions
		}
		return run(cmd, a, args)
	})
}

func newSessionsList(g *globals) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usage.Errorf("--limit %d: use 0 (all) or more", limit)
			}
			rows := []app.SessionRow{}
			err := g.withSessions(func(cmd *cobra.Command, a *app.App, _ []string) (err error) {
				rows, err = a.ListSessions(cmd.Context(), limit)
				return err
			})(cmd, args)
			switch {
			case err != nil && !errors.Is(err, errNoSessions):
				return err
			case g.json:
				return cli.WriteJSON(g.out, rows)
			case len(rows) == 0:
				return g.printLine(errNoSessions.Error())
			}
			return printSessions(g.out, rows)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most `N` sessions; 0 for all (default 20)")
	return cmd
}

func printSessions(out io.Writer, rows []app.SessionRow) error {
	w := cli.NewTable(out)
	fmt.Fprintln(w, "ID\tLAST USED\tMESSAGES\tMODEL\tAGENT\tFIRST LINE")
	for _, r := range rows {
		title := markdown.SanitizeLine(r.Title)
		if r.Open {
			title += " (open)"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", r.ID, r.UpdatedAt.Local().Format("2006-01-02 15:04"), r.Messages,
			markdown.SanitizeLine(r.Model), markdown.SanitizeLine(r.Agent), title)
	}
	return w.Flush()
}

func newSessionsShow(g *globals) *cobra.Command {
	var asMarkdown bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if g.json && asMarkdown {
				return usage.Errorf("--json and --md cannot be used together; choose one")
			}
			form := app.SessionMarkdown
			if g.json {
				form = app.SessionJSON
			}
			return g.withSessions(func(cmd *cobra.Command, a *app.App, ids []string) error {
				return g.writeSession(cmd.Context(), a, ids[0], form)
			})(cmd, ids)
		},
	}
	cmd.Flags().BoolVar(&asMarkdown, "md", false, "print Markdown (default)")
	return cmd
}

func newSessionsFork(g *globals) *cobra.Command {
	var turns int
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := app.CheckSessionID(ids[0]); err != nil {
				return err
			}
			if cmd.Flags().Changed("at") && turns < 1 {
				return usage.Errorf("--at %d: use 1 or more", turns)
			}
			return g.withSessions(func(cmd *cobra.Command, a *app.App, ids []string) error {
				forked, err := a.ForkSession(cmd.Context(), ids[0], turns)
				if err != nil {
					return err
				}
				return g.printDone(forked, "forked as %s with %s; continue with: %s", forked.ID, cli.CountNoun(forked.Messages, "question"), session.ResumeHint(forked.ID))
			})(cmd, ids)
		},
	}
	cmd.Flags().IntVar(&turns, "at", 0, "`N` copy only the first N questions (default all)")
	return cmd
}

func newSessionsImport(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, files []string) error {
			f, err := os.Open(files[0])
			if err != nil {
				return fmt.Errorf("import a session: %w", err)
			}
			defer f.Close()
			archive, err := session.ReadArchive(f)
			if err != nil {
				return fmt.Errorf("import %s: %w", files[0], err)
			}
			if err := a.ImportSession(cmd.Context(), archive); err != nil {
				return fmt.Errorf("import %s: %w", files[0], err)
			}
			return g.printDone(archive.Session, "imported %s: %s", archive.Session.ID, archive.Session.Title)
		}),
	}
}

func newSessionsDelete(g *globals) *cobra.Command {
	var yes bool
	var age string
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, ids []string) error {
			match, err := sessionFilter(ids, age, clock())
			if err != nil {
				return err
			}
			return g.withSessions(func(cmd *cobra.Command, a *app.App, _ []string) error {
				chosen, err := selectSessions(cmd.Context(), a, match, ids)
				if err != nil {
					return err
				}
				if len(chosen) == 0 {
					return g.printDone([]session.Session{}, "nothing was deleted")
				}
				if !yes {
					if yes, err = g.confirm(cmd.Context(), deletionQuestion(chosen)); err != nil {
						return err
					}
					if !yes {
						return declined("deleted")
					}
				}
				return g.deleteSessions(cmd.Context(), a, chosen)
			})(cmd, ids)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().StringVar(&age, "older-than", "", "`AGE` delete sessions unused for this long, such as 90d or 12w")
	return cmd
}

// sessionFilter returns a function that matches the sessions to delete: by ID, or by age.
func sessionFilter(ids []string, age string, now time.Time) (func(session.Session) bool, error) {
	switch {
	case len(ids) == 0 && age == "":
		return nil, usage.Errorf("missing session; usage: nfa sessions delete ID..., or --older-than 90d")
	case len(ids) > 0 && age != "":
		return nil, usage.Errorf("IDs and --older-than cannot be used together; choose one")
	case age == "":
		for _, id := range ids {
			if err := app.CheckSessionID(id); err != nil {
				return nil, err
			}
		}
		return func(s session.Session) bool { return slices.Contains(ids, s.ID) }, nil
	}
	days, ok := parseDays(age)
	if !ok {
		return nil, usage.Errorf("--older-than %q: use days or weeks, such as 90d or 12w", age)
	}
	since := now.AddDate(0, 0, -days)
	return func(s session.Session) bool { return s.UpdatedAt.Before(since) }, nil
}

// parseDays parses "90d" or "12w".
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

// selectSessions returns the matching sessions. An ID that does not exist is an error.
func selectSessions(ctx context.Context, a *app.App, match func(session.Session) bool, named []string) ([]session.Session, error) {
	all, err := a.ListSessions(ctx, 0)
	if err != nil {
		return nil, err
	}
	for _, id := range named {
		if !slices.ContainsFunc(all, func(row app.SessionRow) bool { return row.ID == id }) {
			return nil, a.SessionNotFound(id)
		}
	}
	var chosen []session.Session
	for _, row := range all {
		if match(row.Session) {
			chosen = append(chosen, row.Session)
		}
	}
	return chosen, nil
}

func deletionQuestion(chosen []session.Session) string {
	if len(chosen) == 1 {
		return fmt.Sprintf("Delete %s, %q? This cannot be undone.", chosen[0].ID, chosen[0].Title)
	}
	return fmt.Sprintf("Delete %d sessions, last used %s to %s? This cannot be undone.", len(chosen),
		chosen[len(chosen)-1].UpdatedAt.Local().Format(time.DateOnly), chosen[0].UpdatedAt.Local().Format(time.DateOnly))
}

// deleteSessions deletes the sessions that can be deleted and reports the others.
func (g *globals) deleteSessions(ctx context.Context, a *app.App, chosen []session.Session) error {
	var failed error
	deleted := []session.Session{}
	for _, s := range chosen {
		if err := a.DeleteSession(ctx, s.ID); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		deleted = append(deleted, s)
		if g.json {
			continue
		}
		if err := g.printLine("deleted " + s.ID + ": " + s.Title); err != nil {
			return err
		}
	}
	if g.json {
		return errors.Join(failed, cli.WriteJSON(g.out, deleted))
	}
	return failed
}

func newSessionsExport(g *globals) *cobra.Command {
	var form, file string
	var replace bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if g.json && form == "" && file == "" {
				form = string(app.SessionJSON)
			}
			format, err := app.ParseSessionFormat(form, file)
			if err != nil {
				return err
			}
			return g.withSessions(func(cmd *cobra.Command, a *app.App, ids []string) error {
				if file == "" {
					return g.writeSession(cmd.Context(), a, ids[0], format)
				}
				if err := a.ExportSessionTo(cmd.Context(), ids[0], file, replace, format); errors.Is(err, atomicfile.ErrExists) {
					return fmt.Errorf("%w (--replace)", err)
				} else if err != nil {
					return err
				}
				return g.printDone(map[string]string{"id": ids[0], "path": file}, "exported %s: %s", ids[0], file)
			})(cmd, ids)
		},
	}
	cmd.Flags().StringVar(&form, "format", "", "`FORMAT` md or json (default from the file name, otherwise md)")
	cmd.Flags().StringVarP(&file, "output", "o", "", "`FILE` to write (default stdout)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an existing file")
	return cmd
}

// writeSession prints a session.
func (g *globals) writeSession(ctx context.Context, a *app.App, id string, format app.SessionFormat) error {
	text, err := a.ExportSession(ctx, id, format)
	if err != nil {
		return err
	}
	if _, err := g.out.Write(text); err != nil {
		return fmt.Errorf("write session %s: %w", id, err)
	}
	return nil
}
