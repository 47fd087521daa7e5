package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSessions(g *globals) *cobra.Command {
	return commandGroup("sessions", "List, read, export, fork and delete conversations",
		newSessionsList(g), newSessionsShow(g), newSessionsExport(g), newSessionsImport(g), newSessionsFork(g), newSessionsDelete(g))
}

// errNoSessions is said before there is a file to look into: to look must not
// make one.
var errNoSessions = errors.New("there are no sessions yet; start one with: nfa")

// withSessions is a verb's run with the sessions that are kept.
func (g *globals) withSessions(run func(cmd *cobra.Command, p *program, args []string) error) func(*cobra.Command, []string) error {
	return g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, args []string) error {
		if !p.db.Exists() {
			return errNoSessions
		}
		if err := p.openSessionStore(cmd.Context()); err != nil {
			return err
		}
		return run(cmd, p, args)
	})
}

func (p *program) openSessionStore(ctx context.Context) error {
	db, err := p.db.Open(ctx)
	if err != nil {
		return fmt.Errorf("opening the sessions in %s: %w", cli.ShortPath(p.home), err)
	}
	p.sessions = db.Sessions()
	return nil
}

func newSessionsList(g *globals) *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List the sessions, the last used first",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usage.Errorf("--limit %d: must be 0, for all, or more", limit)
			}
			rows := []screens.Session{}
			err := g.withSessions(func(cmd *cobra.Command, p *program, _ []string) (err error) {
				rows, err = p.sessionRows(cmd.Context(), limit)
				return err
			})(cmd, args)
			switch {
			case asJSON && (err == nil || errors.Is(err, errNoSessions)):
				return cli.WriteJSON(g.out, rows)
			case err == nil && len(rows) == 0:
				return errNoSessions
			case err != nil:
				return err
			}
			return printSessions(g.out, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().IntVar(&limit, "limit", 20, "at most this `NUMBER`; 0 for all")
	return cmd
}

func (p *program) sessionRows(ctx context.Context, limit int) ([]screens.Session, error) {
	all, err := p.sessions.List(ctx, limit)
	if err != nil {
		return nil, err
	}
	held, err := p.openSessions.locks.Locked()
	if err != nil {
		p.log.Warn().Err(err).Msg("looking for sessions that are open")
	}
	rows := make([]screens.Session, len(all))
	for i, s := range all {
		rows[i] = screens.Session{Session: s, Open: held[s.ID]}
	}
	return rows, nil
}

func printSessions(out io.Writer, rows []screens.Session) error {
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
	var asJSON, asMarkdown bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print a session, as Markdown",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if asJSON && asMarkdown {
				return usage.Errorf("--json and --md cannot go together; choose one")
			}
			form := formatMarkdown
			if asJSON {
				form = formatJSON
			}
			return g.withSessions(func(cmd *cobra.Command, p *program, ids []string) error {
				return p.writeSession(cmd.Context(), g.out, ids[0], form)
			})(cmd, ids)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, which nfa sessions import reads")
	cmd.Flags().BoolVar(&asMarkdown, "md", false, "as Markdown, which is the default")
	return cmd
}

func newSessionsFork(g *globals) *cobra.Command {
	var turns int
	cmd := &cobra.Command{
		Use: "fork ID", Short: "Begin a new session with what was said in another",
		Long: `fork begins a new session with what was said in another, which stays as it is. --at N takes
the first N questions and their answers along; nfa sessions show numbers them.`,
		Example: "  nfa sessions fork 20261121-150405-7k3qab --at 3",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := checkSessionID(ids[0]); err != nil {
				return err
			}
			if cmd.Flags().Changed("at") && turns < 1 {
				return usage.Errorf("--at %d: questions are counted from 1", turns)
			}
			return g.withSessions(func(cmd *cobra.Command, p *program, ids []string) error {
				forked, err := p.forkSession(cmd.Context(), ids[0], turns)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(g.out, "forked as %s, with %s; go on with: %s\n", forked.ID, cli.CountNoun(forked.Messages, "question"), session.ResumeHint(forked.ID))
				return err
			})(cmd, ids)
		},
	}
	cmd.Flags().IntVar(&turns, "at", 0, "with the first `N` questions; all when it is not given")
	return cmd
}

func newSessionsImport(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Take in a session that was exported as JSON",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, files []string) error {
			f, err := os.Open(files[0])
			if err != nil {
				return fmt.Errorf("importing a session: %w", err)
			}
			defer f.Close()
			a, err := session.ReadArchive(f)
			if err != nil {
				return fmt.Errorf("importing %s: %w", files[0], err)
			}
			if err := p.openSessionStore(cmd.Context()); err != nil {
				return err
			}
			if err := p.importSession(cmd.Context(), a); err != nil {
				return fmt.Errorf("importing %s: %w", files[0], err)
			}
			_, err = fmt.Fprintf(g.out, "imported %s: %s\n", a.Session.ID, markdown.SanitizeLine(a.Session.Title))
			return err
		}),
	}
}

// importSession keeps an archive under its own ID, so that taking it in twice is seen.
func (p *program) importSession(ctx context.Context, a session.Archive) error {
	_, _, err := p.sessions.Load(ctx, a.Session.ID)
	switch {
	case err == nil:
		return fmt.Errorf("session %s is here already; to go on in a copy of it: nfa sessions fork %s", a.Session.ID, a.Session.ID)
	case !errors.Is(err, session.ErrNotFound):
		return err
	}
	return p.sessions.Create(ctx, a.Session, a.Entries...)
}
