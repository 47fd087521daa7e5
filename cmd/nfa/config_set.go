package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

func newConfigSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY VALUE", Short: "Write one setting into your file",
		Long: `set writes one line into your settings file; all others stay as they are. Keys are
kept with nfa auth set, lists are for your editor.`,
		Example: `  nfa config set sec.contact you@example.com
  nfa config set base_currency EUR
  nfa config set plain true`,
		Args: args(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, words []string) error {
			cfg, home, err := g.settings(wiring{})
			if err != nil {
				return err
			}
			where, err := g.writeSetting(home, words[0], words[1])
			if err != nil {
				return ofSettings(err)
			}
			fmt.Fprintf(g.out, "%s is %s (%s)\n", words[0], markdown.SanitizeLine(words[1]), where)
			if stronger := strongerThan(cfg, words[0], g.userFile(home)); stronger != "" {
				fmt.Fprintf(g.err, "nfa: but %s says otherwise here, and outranks your settings\n", markdown.SanitizeLine(stronger))
			}
			return nil
		},
	}
}

// writeSetting puts a setting into the user's file, and says where.
func (g *globals) writeSetting(home, key, value string) (where string, err error) {
	file := g.userFile(home)
	line, err := config.Write(file, key, value)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s:%d", console.Path(file), line), nil
}

// ofSettings tells a setting that cannot be written so from a disk that does not take
// it, which is no fault of the command line.
func ofSettings(err error) error {
	_, file := errors.AsType[*fs.PathError](err)
	_, names := errors.AsType[*os.LinkError](err)
	if file || names {
		return err
	}
	return misuse.Errorf("%w", err)
}

// userFile is the user's own settings file.
func (g *globals) userFile(home string) string {
	if g.file != "" {
		return g.file
	}
	return config.FilePath(home)
}

// strongerThan is the place that sets a setting before the user's file does.
func strongerThan(cfg *config.Config, key, file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	origin := cfg.Origin(key)
	if origin == "default" || strings.HasPrefix(origin, file+":") {
		return ""
	}
	return origin
}
