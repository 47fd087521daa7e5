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
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			status := a.Skills.Python.Status(cmd.Context())
			var unable error
			if status.Reason != "" {
				unable = &exitError{code: exitFailure}
			}
			if g.json {
				return errors.Join(cli.WriteJSON(g.out, status), unable)
			}
			installed := "not installed"
			if status.Installed {
				installed = "installed"
			}
			if status.Reason != "" {
				fmt.Fprintf(g.out, "! Python steps cannot run: %s\n  %s\n", markdown.SanitizeLine(status.Reason), status.Fix)
			} else {
				fmt.Fprintf(g.out, "+ Python steps run with %s\n", markdown.SanitizeLine(status.Runtime))
			}
			_, err := fmt.Fprintf(g.out, "  sandbox: %s\n", installed)
			return errors.Join(err, unable)
		}),
	}
	return cmd
}

func newPythonInstall(g *globals) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if a.Skills.Python.Installed() {
				return g.printDone(map[string]bool{"installed": true}, "the sandbox is already installed")
			}
			if a.Config.Offline {
				return usage.Errorf("cannot download the sandbox: nfa is offline; run without --offline and NFA_OFFLINE")
			}
			if !yes {
				agreed, err := g.confirm(cmd.Context(), "Download CPython compiled to WebAssembly (26 MB) to "+humanize.ShortPath(a.Home)+"/cache/python?")
				if err != nil {
					return fmt.Errorf("%w; nothing was downloaded", err)
				}
				if !agreed {
					return declined("downloaded")
				}
			}
			if err := a.Skills.Python.Install(cmd.Context(), g.downloadProgress()); err != nil {
				return fmt.Errorf("download the sandbox: %w", err)
			}
			return g.printDone(map[string]bool{"installed": true}, "installed and verified; Python steps can run in the sandbox")
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
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
				return g.printDone(map[string]bool{"removed": false}, "the sandbox is not installed")
			}
			if err := os.RemoveAll(dir); err != nil {
				return fmt.Errorf("delete the sandbox: %w", err)
			}
			return g.printDone(map[string]bool{"removed": true}, "deleted the sandbox")
		}),
	}
}
