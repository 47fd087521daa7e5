package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newPythonStatus(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Long: `status says what a Python step of a skill would run with. The system's interpreter is
not a sandbox: a script can read what you can read, and open connections. The sandbox is
CPython compiled to WebAssembly: no network, no files but the skill's own, no packages
such as numpy, no time zones, and loops ten to twenty times slower. python.runtime in the
settings chooses. It exits with 1 where steps cannot run.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			status := a.Skills.Python.Status(cmd.Context())
			var unable error
			if status.Reason != "" {
				unable = &exitError{code: exitFailure}
			}
			if asJSON {
				return errors.Join(cli.WriteJSON(g.out, status), unable)
			}
			installed := "not fetched"
			if status.Installed {
				installed = "fetched"
			}
			if status.Reason != "" {
				fmt.Fprintf(g.out, "! steps cannot run: %s\n  %s\n", markdown.SanitizeLine(status.Reason), status.Fix)
			} else {
				fmt.Fprintf(g.out, "+ steps run with %s\n", markdown.SanitizeLine(status.Runtime))
			}
			_, err := fmt.Fprintf(g.out, "  sandbox: %s\n", installed)
			return errors.Join(err, unable)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newPythonInstall(g *globals) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if a.Skills.Python.Installed() {
				_, err := fmt.Fprintln(g.out, "the sandbox is there already")
				return err
			}
			if a.Config.Offline {
				return usage.Errorf("nfa is offline, and the sandbox comes from the network: nothing was fetched; go without --offline and NFA_OFFLINE")
			}
			if !yes {
				agreed, err := g.confirm(cmd.Context(), "Fetch CPython compiled to WebAssembly, 26 MB, and keep it in "+humanize.ShortPath(a.Home)+"/cache/python?")
				if err != nil {
					return fmt.Errorf("%w; nothing was fetched", err)
				}
				if !agreed {
					return declined("fetched")
				}
			}
			if err := a.Skills.Python.Install(cmd.Context(), g.downloadProgress()); err != nil {
				return fmt.Errorf("fetching the sandbox: %w", err)
			}
			_, err := fmt.Fprintln(g.out, "fetched and checked; Python steps can run in the sandbox")
			return err
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// downloadProgress shows the progress of a download on a terminal.
func (g *globals) downloadProgress() func(done, total int64) {
	if !cli.IsTerminal(g.err) {
		return nil
	}
	const width = 30
	return func(done, total int64) {
		if total <= 0 {
			fmt.Fprintf(g.err, "\r%d MB", done>>20)
			return
		}
		filled := int(done * width / total)
		fmt.Fprintf(g.err, "\r[%-*s] %d of %d MB", width, "##############################"[:min(filled, width)], done>>20, total>>20)
		if done >= total {
			fmt.Fprintln(g.err)
		}
	}
}

func newPythonRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, _ []string) error {
			dir := a.PythonFolder()
			if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
				_, err := fmt.Fprintln(g.out, "there is no sandbox")
				return err
			}
			if err := os.RemoveAll(dir); err != nil {
				return fmt.Errorf("removing the sandbox: %w", err)
			}
			_, err := fmt.Fprintln(g.out, "removed the sandbox")
			return err
		}),
	}
}
