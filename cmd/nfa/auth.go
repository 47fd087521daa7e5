package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
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
			p, err := c.keyed(words[0])
			if err != nil {
				return err
			}
			secret, err := g.readKey(cmd.Context(), p)
			if err != nil {
				return err
			}
			kept, err := c.keys.Set(cmd.Context(), p.Name, secret)
			if err != nil {
				return err
			}
			fmt.Fprintln(g.out, c.keptWords(p, kept))
			g.outranked(c, p)
			return nil
		}),
	}
}

// keptWords say where a key was put.
func (c *connections) keptWords(p provider.Provider, kept credential.Kept) string {
	text := fmt.Sprintf("the key of %s is in ", p.Title)
	switch {
	case kept.Place == credential.InKeyring:
		return text + "the keyring"
	case kept.Instead != nil:
		return text + console.Path(c.keys.Path()) + ", for you alone; the keyring cannot be used: " + markdown.SanitizeLine(kept.Instead.Error())
	}
	return text + console.Path(c.keys.Path()) + ", for you alone"
}

// outranked says that a variable counts instead of what is kept.
func (g *globals) outranked(c *connections, p provider.Provider) {
	if from := c.keyFrom(p, nil); from != "" {
		fmt.Fprintf(g.err, "nfa: but %s is set, and is what counts\n", strings.TrimPrefix(from, "env "))
	}
}

// keyed is the provider of a name that a key can be kept for.
func (c *connections) keyed(name string) (provider.Provider, error) {
	if name == customName {
		return provider.Provider{Name: customName, Title: "your server (NFA_BASE_URL)"}, nil
	}
	p, ok := c.catalogue.Lookup(name)
	if at := slices.IndexFunc(dataProviders(), func(p provider.Provider) bool { return p.Name == name }); at >= 0 && !ok {
		return dataProviders()[at], nil
	}
	if !ok {
		var names []string
		for _, p := range append(c.catalogue.Providers(), dataProviders()...) {
			names = append(names, p.Name)
		}
		return p, misuse.Errorf("no provider %q is known; there are %s and %s", name, strings.Join(names, ", "), customName)
	}
	return p, nil
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
			p, err := c.keyed(words[0])
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

// keyJSON is a row of `auth list`. It says where a key is, never what.
type keyJSON struct {
	Provider string   `json:"provider"`
	Title    string   `json:"title"`
	Key      string   `json:"key"` // set or unset
	From     string   `json:"from,omitempty"`
	KeyVars  []string `json:"key_variables"`
}

func newAuthList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "Say of which providers there is a key, and where it is from",
		Args: args(cobra.NoArgs),
		RunE: g.connected(func(_ *cobra.Command, c *connections, _ []string) error {
			rows, err := c.keyRows()
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
				fmt.Fprintf(w, "%s\t%s\t%s\n", markdown.SanitizeLine(r.Provider), r.Key, markdown.SanitizeLine(where))
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// keyRows are the providers that want a key, then those that have one all the
// same.
func (c *connections) keyRows() ([]keyJSON, error) {
	stored, err := c.stored()
	if err != nil {
		return nil, err
	}
	known := append(c.catalogue.Providers(), provider.Provider{Name: customName, Title: "your server (NFA_BASE_URL)", KeyVars: []string{"NFA_API_KEY"}})
	known = append(known, dataProviders()...)
	rows := []keyJSON{}
	for _, p := range known {
		row := keyJSON{Provider: p.Name, Title: p.Title, Key: "unset", From: c.keyFrom(p, stored), KeyVars: append([]string{}, p.KeyVars...)}
		if row.From != "" {
			row.Key = "set"
		}
		delete(stored, p.Name)
		if p.NeedsKey() || row.Key == "set" {
			rows = append(rows, row)
		}
	}
	for _, e := range slices.Sorted(maps.Keys(stored)) {
		rows = append(rows, keyJSON{Provider: e, Title: e, Key: "set", From: c.keyFrom(provider.Provider{Name: e}, stored), KeyVars: []string{}})
	}
	return rows, nil
}
