package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

// maxKey limits the input that is read as a key, because a file redirected by mistake could be large.
const maxKey = 8 << 10

func newAuthSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage.Errorf("pass only the provider: a key on the command line stays in the shell's history; usage: %s", cmd.UseLine())
			}
			return usageArgs(cobra.ExactArgs(1))(cmd, args)
		},
		RunE: g.withModels(func(cmd *cobra.Command, m *app.Models, args []string) error {
			p, err := m.KeyProvider(args[0])
			if err != nil {
				return err
			}
			secret, err := g.readSecret(cmd.Context(), p.Title+" API key")
			if err != nil {
				return err
			}
			message, err := m.SaveKey(cmd.Context(), p, secret)
			if err != nil {
				return err
			}
			g.warnOverridden(m, p)
			return g.printDone(map[string]string{"provider": p.Name, "saved": message}, "%s", message)
		}),
	}
}

// warnOverridden warns that an environment variable takes precedence over the saved key.
func (g *globals) warnOverridden(m *app.Models, p catalog.Provider) {
	if variable := m.KeyFrom(p, nil); variable != "" {
		g.notice("not in effect: " + strings.TrimPrefix(variable, "env ") + " takes precedence")
	}
}

// readSecret prompts for a key or a password on a terminal, without showing it, or reads it from a pipe.
func (g *globals) readSecret(ctx context.Context, title string) (string, error) {
	if g.in == nil {
		return "", usage.Errorf("no key; pipe it in, or run this command in a terminal")
	}
	if cli.IsTerminal(g.in) {
		fmt.Fprintf(g.err, "%s (input is hidden): ", title)
		defer fmt.Fprintln(g.err)
		return readHidden(ctx, int(g.in.Fd()))
	}
	text, err := bufio.NewReader(io.LimitReader(g.in, maxKey)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the key: %w", err)
	}
	return text, nil
}

// readHidden reads a line without echo. If it is interrupted, it restores the terminal; the pending
// read ends with the program.
func readHidden(ctx context.Context, fd int) (string, error) {
	state, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("read the key: %w", err)
	}
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		typed <- line{text, err}
	}()
	select {
	case l := <-typed:
		if l.err != nil {
			return "", fmt.Errorf("read the key: %w", l.err)
		}
		return string(l.text), nil
	case <-ctx.Done():
		return "", errors.Join(fmt.Errorf("no key was saved: %w", ctx.Err()), term.Restore(fd, state))
	}
}

func newAuthRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withModels(func(cmd *cobra.Command, m *app.Models, args []string) error {
			// A stored key may belong to a provider that is no longer in the settings.
			p, err := m.KeyProvider(args[0])
			if err != nil {
				p = catalog.Provider{Name: args[0], Title: args[0]}
			}
			removed, removeErr := m.Keys.Remove(cmd.Context(), p.Name)
			switch {
			case errors.Is(removeErr, credential.ErrNotFound) && err != nil:
				return err
			case removeErr != nil:
				return removeErr
			}
			place := humanize.ShortPath(m.Keys.Path())
			if removed.Place == credential.InKeyring {
				place = "the keyring"
			}
			err = g.printDone(map[string]string{"provider": p.Name, "removed_from": place}, "deleted the %s key from %s", p.Title, place)
			if removed.KeyringErr != nil {
				fmt.Fprintf(g.err, "nfa: the keyring may still have the key under the name nfa: %s\n", markdown.SanitizeLine(removed.KeyringErr.Error()))
			}
			g.warnOverridden(m, p)
			return err
		}),
	}
}

func newAuthList(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withModels(func(_ *cobra.Command, m *app.Models, _ []string) error {
			rows, err := m.AllKeys()
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, rows)
			}
			w := cli.NewTable(g.out)
			for _, r := range rows {
				location := r.From
				if location == "" {
					location = strings.Join(r.KeyVars, " or ")
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", markdown.SanitizeLine(r.Provider), r.State, markdown.SanitizeLine(location))
			}
			return w.Flush()
		}),
	}
	return cmd
}
