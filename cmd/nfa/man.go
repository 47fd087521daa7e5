package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/config"
)

// newMan makes the command that writes manual pages, for packagers. cobra/doc is not used: it
// parses help texts as Markdown, drops underscores, and would add a converter to every start.
func newMan(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("write the manual: %w", err)
			}
			info, _ := debug.ReadBuildInfo()
			root := newRoot(g.terminal, allCommands)
			root.InitDefaultCompletionCmd()
			return writeManual(args[0], root, app.ReadBuildInfo(info, versionText()))
		},
	}
}

// writeManual writes the page of a command and the pages of its visible subcommands.
func writeManual(dir string, cmd *cobra.Command, b app.BuildInfo) error {
	name := filepath.Join(dir, manName(cmd)+".1")
	if err := os.WriteFile(name, []byte(manPage(cmd, b)), 0o644); err != nil {
		return fmt.Errorf("write the manual: %w", err)
	}
	for _, child := range cmd.Commands() {
		if !child.IsAvailableCommand() {
			continue
		}
		if err := writeManual(dir, child, b); err != nil {
			return err
		}
	}
	return nil
}

func manName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// manPage returns the help of a command as roff, for man(7).
func manPage(cmd *cobra.Command, b app.BuildInfo) string {
	var p roff
	p.request("TH", strings.ToUpper(manName(cmd)), "1", b.Date[:min(len(b.Date), len("2006-01-02"))], "nfa "+b.Version, "nfa manual")
	p.request("SH", "NAME")
	p.text(manName(cmd) + " - " + strings.TrimPrefix(cmd.Short, "nfa: "))
	p.request("SH", "SYNOPSIS")
	rest := strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
	p.line(bold(cmd.CommandPath()) + escapeRoff(rest))
	p.request("SH", "DESCRIPTION")
	p.text(strings.TrimSpace(cmd.Short + ".\n\n" + cmd.Long))
	p.commands(cmd)
	p.options(cmd)
	if !cmd.HasParent() {
		p.exitStatus()
		p.environment()
	}
	if cmd.HasExample() {
		p.request("SH", "EXAMPLES")
		p.verbatim(cmd.Example)
	}
	p.seeAlso(cmd)
	return p.String()
}

// commands lists the subcommands of a command.
func (p *roff) commands(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	p.request("SH", "COMMANDS")
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			p.item(bold(child.CommandPath()), escapeRoff(child.Short))
		}
	}
}

// options lists the flags of a command. Only nfa(1) lists the global ones.
func (p *roff) options(cmd *cobra.Command) {
	p.request("SH", "OPTIONS")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := flagText(f)
		name := bold("--" + f.Name)
		if f.Shorthand != "" {
			name = bold("-"+f.Shorthand) + ", " + name
		}
		if value != "" {
			name += " " + italic(value)
		}
		if f.Value.Type() != "bool" && !isZeroDefault(f.DefValue) && !strings.Contains(usage, "(default") {
			usage += " (default " + f.DefValue + ")"
		}
		p.item(name, escapeRoff(usage))
	})
	if cmd.HasParent() {
		p.request("PP")
		p.line("Options of every command: see " + bold("nfa") + "(1).")
	}
}

// isZeroDefault reports whether a default is a zero value, which Cobra's help omits too.
func isZeroDefault(value string) bool {
	switch value {
	case "", "0", "0s", "[]":
		return true
	}
	return false
}

func (p *roff) exitStatus() {
	p.request("SH", "EXIT STATUS")
	for _, c := range exitCodes() {
		p.item(bold(fmt.Sprint(c.code)), escapeRoff(c.meaning))
	}
}

// environment lists the environment variables, one per setting.
func (p *roff) environment() {
	p.request("SH", "ENVIRONMENT")
	for _, s := range config.Settings() {
		p.item(bold(s.Env()), escapeRoff(settingText(s)+"; "+s.Key+" in config.yaml"))
	}
}

func (p *roff) seeAlso(cmd *cobra.Command) {
	p.request("SH", "SEE ALSO")
	if !cmd.HasParent() {
		p.line("https://github.com/nfa-cli/nfa")
		return
	}
	pages := []string{bold(manName(cmd.Parent())) + "(1)"}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			pages = append(pages, bold(manName(child))+"(1)")
		}
	}
	p.line(strings.Join(pages, ", "))
}
