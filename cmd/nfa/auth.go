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

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

// maxKey bounds what is read as a key: a wrong redirection is not one.
const maxKey = 8 << 10

func newAuth(g *globals) *cobra.Command {
	return group("auth", "Keep the keys of models and of sources of data", newAuthSet(g), newAuthRemove(g), newAuthList(g))
}

func newAuthSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "set PROVIDER", Short: "Keep a provider's key",
		Long: `set asks for the key, without showing it, or reads it from standard input. It goes
into the keyring of your system, or where there is none into auth.json in the home,
which only you may read; which of the two is said. A variable such as
OPENAI_API_KEY outranks what is kept.`,
		Example: `  nfa auth set deepseek
  pass show deepseek | nfa auth set deepseek`,
		Args: func(cmd *cobra.Command, given []string) error {
			if len(given) > 1 {
				return misuse.Errorf("give the provider alone: a key on the command line stays in the shell's history. Usage: %s", cmd.UseLine())
			}
			return args(cobra.ExactArgs(1))(cmd, given)
		},
		RunE: g.connected(func(cmd *cobra.Command, c *connections, words []string) error {
			p, err := c.Keyed(words[0])
			if err != nil {
				return err
			}
			secret, err := g.readKey(cmd.Context(), p)
			if err != nil {
				return err
			}
			kept, err := c.Keep(cmd.Context(), p, secret)
			if err != nil {
				return err
			}
			fmt.Fprintln(g.out, kept)
			g.outranked(c, p)
			return nil
		}),
	}
}

// outranked says that a variable counts instead of what is kept.
func (g *globals) outranked(c *connections, p provider.Provider) {
	if from := c.KeyFrom(p, nil); from != "" {
		fmt.Fprintf(g.err, "nfa: but %s is set, and is what counts\n", strings.TrimPrefix(from, "env "))
	}
}

// readKey asks for a key where somebody can type it, unseen, and reads it where
// it is piped in.
func (g *globals) readKey(ctx context.Context, p provider.Provider) (string, error) {
	if g.in == nil {
		return "", misuse.Errorf("no key was given; pipe it in, or run this in a terminal")
	}
	if console.IsTerminal(g.in) {
		fmt.Fprintf(g.err, "Key of %s (it is not shown): ", p.Title)
		defer fmt.Fprintln(g.err)
		return readHidden(ctx, int(g.in.Fd()))
	}
	text, err := bufio.NewReader(io.LimitReader(g.in, maxKey)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the key: %w", err)
	}
	return text, nil
}

// readHidden reads a line that is not echoed. Interrupted, it gives the terminal
// back as it was; the read that is left behind ends with the program.
func readHidden(ctx context.Context, fd int) (string, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("reading the key: %w", err)
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
			return "", fmt.Errorf("reading the key: %w", l.err)
		}
		return string(l.text), nil
	case <-ctx.Done():
		return "", errors.Join(fmt.Errorf("no key was kept: %w", ctx.Err()), term.Restore(fd, before))
	}
}

func newAuthRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "remove PROVIDER", Short: "Forget a provider's key",
		Args: args(cobra.ExactArgs(1)),
		RunE: g.connected(func(cmd *cobra.Command, c *connections, words []string) error {
			// A key may be kept of a provider that the settings no longer name.
			p, err := c.Keyed(words[0])
			if err != nil {
				p = provider.Provider{Name: words[0], Title: words[0]}
			}
			kept, removeErr := c.keys.Remove(cmd.Context(), p.Name)
			switch {
			case errors.Is(removeErr, credential.ErrNone) && err != nil:
				return err
			case removeErr != nil:
				return removeErr
			}
			place := console.Path(c.keys.Path())
			if kept.Place == credential.InKeyring {
				place = "the keyring"
			}
			fmt.Fprintf(g.out, "the key of %s is gone from %s\n", markdown.SanitizeLine(p.Title), place)
			if kept.Instead != nil {
				fmt.Fprintf(g.err, "nfa: the keyring may still hold it, under the name nfa: %s\n", markdown.SanitizeLine(kept.Instead.Error()))
			}
			g.outranked(c, p)
			return nil
		}),
	}
}

func newAuthList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "Say of which providers there is a key, and where it is from",
		Args: args(cobra.NoArgs),
		RunE: g.connected(func(_ *cobra.Command, c *connections, _ []string) error {
			rows, err := c.AllKeys()
			if err != nil {
				return err
			}
			if asJSON {
				return console.JSON(g.out, rows)
			}
			w := console.NewTable(g.out)
			for _, r := range rows {
				where := r.From
				if where == "" {
					where = strings.Join(r.KeyVars, " or ")
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", markdown.SanitizeLine(r.Provider), r.State, markdown.SanitizeLine(where))
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
