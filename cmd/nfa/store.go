package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/usage"
)

// storeStatus is what nfa store prints.
type storeStatus struct {
	Store    string                `json:"store"` // "" for the data folder
	Owner    string                `json:"owner,omitempty"`
	Given    []postgres.Permission `json:"shared_with,omitempty"`
	Received []postgres.Permission `json:"shared_by_others,omitempty"`
}

func newStore(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if a.Stores.Shared == nil {
				return g.printDone(storeStatus{}, "Your data is in %s. To share it, see docs/shared-store.md.", a.Home)
			}
			store, err := a.Stores.Shared.Open(cmd.Context())
			if err != nil {
				return err
			}
			status := storeStatus{Store: store.Target().String(), Owner: store.Book()}
			if status.Given, status.Received, err = store.Permissions(cmd.Context()); err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, status)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "Connected to %s. You are using the data of %s.", status.Store, roleLabel(status.Owner))
			for _, p := range status.Given {
				fmt.Fprintf(&b, "\n%s can %s your data.", roleLabel(p.Grantee), p.Level)
			}
			for _, p := range status.Received {
				fmt.Fprintf(&b, "\nYou can %[2]s the data of %[1]s: nfa --owner %[1]s", roleLabel(p.Book), p.Level)
			}
			_, err = fmt.Fprintln(g.out, b.String())
			return err
		}),
	}
}

var plainRole = lazyregexp.New(`^[A-Za-z0-9_.-]+$`)

// roleLabel returns the name of a role for people and command lines. Other programs can create roles with any name.
func roleLabel(name string) string {
	if plainRole().MatchString(name) {
		return name
	}
	return shellQuote(markdown.SanitizeLine(name))
}

// withStoreOwner makes a command for the owner of a database, whose address is the first argument.
func (g *globals) withStoreOwner(count int, run func(ctx context.Context, t postgres.Target, args []string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(count)),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, args []string) error {
			target, err := a.StoreTarget(cmd.Context(), args[0], a.Log)
			if err != nil {
				return err
			}
			message, err := run(cmd.Context(), target, args[1:])
			if err != nil {
				return err
			}
			return g.printDone(map[string]string{"store": target.String(), "done": message}, "%s", message)
		}),
	}
}

func newStoreInit(g *globals) *cobra.Command {
	return g.withStoreOwner(1, func(ctx context.Context, t postgres.Target, _ []string) (string, error) {
		if err := postgres.Init(ctx, t); err != nil {
			return "", err
		}
		return fmt.Sprintf("The tables in %s are ready. Add a person: nfa store adduser ADDRESS NAME", t.Database), nil
	})
}

func newStoreAddUser(g *globals) *cobra.Command {
	return g.withStoreOwner(2, func(ctx context.Context, t postgres.Target, args []string) (string, error) {
		password, err := g.readSecret(ctx, "Password of "+args[0])
		if err != nil {
			return "", err
		}
		if err := postgres.AddUser(ctx, t, args[0], strings.TrimSpace(password)); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s can now use the store.", args[0]), nil
	})
}

// withSharedStore wraps a command that needs the shared store.
func (g *globals) withSharedStore(run func(ctx context.Context, s *postgres.Store, args []string) (string, error)) func(*cobra.Command, []string) error {
	return g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, args []string) error {
		store, err := a.Stores.Shared.Open(cmd.Context())
		if err != nil {
			return err
		}
		message, err := run(cmd.Context(), store, args)
		if err != nil {
			return err
		}
		return g.printDone(map[string]string{"done": message}, "%s", message)
	})
}

func newStoreShare(g *globals) *cobra.Command {
	var edit bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withSharedStore(func(ctx context.Context, s *postgres.Store, args []string) (string, error) {
			level := postgres.View
			if edit {
				level = postgres.Edit
			}
			if err := s.Share(ctx, args[0], level); err != nil {
				return "", err
			}
			return fmt.Sprintf("%s can now %s your data, with: nfa --owner %s", args[0], level, s.Book()), nil
		}),
	}
	cmd.Flags().BoolVar(&edit, "edit", false, "also let them change the data, and see profile, journal and sessions")
	return cmd
}

func newStoreUnshare(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withSharedStore(func(ctx context.Context, s *postgres.Store, args []string) (string, error) {
			found, err := s.Unshare(ctx, args[0])
			if err != nil {
				return "", err
			}
			if !found {
				return "", fmt.Errorf("you do not share your data with %s; to see who has access: nfa store", args[0])
			}
			return fmt.Sprintf("%s can no longer open your data.", args[0]), nil
		}),
	}
}

func newStoreCheck(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withSharedStore(func(ctx context.Context, s *postgres.Store, args []string) (string, error) {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return "", usage.Errorf("%q is not a change ID; find the ID in the error message that mentioned nfa store check", args[0])
			}
			saved, err := s.Saved(ctx, id)
			if err != nil {
				return "", err
			}
			if saved {
				return "The change was saved.", nil
			}
			return "The change was not saved. Repeat it.", nil
		}),
	}
}

func newStoreCopy(g *globals) *cobra.Command {
	var from, to string
	var dryRun bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			back := from == "postgres" && to == "sqlite"
			if !back && (from != "sqlite" || to != "postgres") {
				return usage.Errorf("use --from sqlite --to postgres, or --from postgres --to sqlite")
			}
			parts, err := a.CopyToShared(cmd.Context(), back, dryRun)
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, map[string]any{"dry_run": dryRun, "parts": parts})
			}
			w := cli.NewTable(g.out)
			fmt.Fprintln(w, "COUNT\tWHAT\tCHECKSUM")
			for _, p := range parts {
				fmt.Fprintf(w, "%d\t%s\t%s\n", p.Count, p.Name, p.Checksum[:12])
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if dryRun {
				return g.printLine("Nothing was copied (--dry-run).")
			}
			return g.printLine("Copied and verified. The source is unchanged.")
		}),
	}
	cmd.Flags().StringVar(&from, "from", "sqlite", "`STORE` to read: sqlite (the data folder) or postgres (the shared store)")
	cmd.Flags().StringVar(&to, "to", "postgres", "`STORE` to write")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only count")
	return cmd
}
