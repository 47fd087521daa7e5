package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newConfigSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY VALUE", Short: "Write one setting into your file",
		Long: `set writes one line into your settings file; all others stay as they are. Keys are
kept with nfa auth set, lists are for your editor.`,
		Example: `  nfa config set sec.contact you@example.com
  nfa config set base_currency EUR
  nfa config set plain true`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, home, err := g.loadConfig(programOptions{})
			if err != nil {
				return err
			}
			location, err := g.saveSetting(home, args[0], args[1])
			if err != nil {
				return classifySettingError(err)
			}
			fmt.Fprintf(g.out, "%s is %s (%s)\n", args[0], markdown.SanitizeLine(args[1]), location)
			if override := overridingOrigin(cfg, args[0], g.userConfigFile(home)); override != "" {
				fmt.Fprintf(g.err, "nfa: but %s says otherwise here, and outranks your settings\n", markdown.SanitizeLine(override))
			}
			return nil
		},
	}
}

// saveSetting puts a setting into the user's file, and says where.
func (g *globals) saveSetting(home, key, value string) (location string, err error) {
	file := g.userConfigFile(home)
	line, err := config.Write(file, key, value)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s:%d", cli.ShortPath(file), line), nil
}

// classifySettingError tells a setting that cannot be written so from a disk that does not take
// it, which is no fault of the command line.
func classifySettingError(err error) error {
	_, file := errors.AsType[*fs.PathError](err)
	_, names := errors.AsType[*os.LinkError](err)
	if file || names {
		return err
	}
	return usage.Errorf("%w", err)
}

// userConfigFile is the user's own settings file.
func (g *globals) userConfigFile(home string) string {
	if g.file != "" {
		return g.file
	}
	return config.FilePath(home)
}

// overridingOrigin is the place that sets a setting before the user's file does.
func overridingOrigin(cfg *config.Config, key, file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	origin := cfg.Origin(key)
	if origin == "default" || strings.HasPrefix(origin, file+":") {
		return ""
	}
	return origin
}
