package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/usage"
)

// globals holds the flags of every command.
type globals struct {
	terminal
	home     string
	file     string
	model    string
	logLevel string
	asOf     string
	offline  bool
	noColor  bool
	owner    string
	json     bool // of each command
	plain    bool // of the chat
}

// implementations returns the commands of app.Commands that do more than call a tool, and chart, which draws.
// The table has their names, arguments and descriptions.
func implementations() map[string]func(*globals) *cobra.Command {
	return map[string]func(*globals) *cobra.Command{
		"chat": newChat, "ask": newAsk, "verify": newVerify, "context": newContext, "chart": newChart, "setup": newSetup, "doctor": newDoctor,
		"sessions list": newSessionsList, "sessions show": newSessionsShow, "sessions export": newSessionsExport, "sessions import": newSessionsImport,
		"sessions fork": newSessionsFork, "sessions delete": newSessionsDelete,
		"portfolio export": newPortfolioExport, "income export": newIncomeExport, "profile ask": newProfileAsk, "profile edit": newProfileEdit,
		"models list": newModelsList, "models use": newModelsUse, "models test": newModelsTest,
		"serve": newServe, "serve ssh": newServeSSH, "serve ssh install": newServeSSHInstall,
		"store": newStore, "store init": newStoreInit, "store adduser": newStoreAddUser, "store share": newStoreShare, "store unshare": newStoreUnshare, "store check": newStoreCheck, "store copy": newStoreCopy,
		"auth set": newAuthSet, "auth remove": newAuthRemove, "auth list": newAuthList,
		"config show": newConfigShow, "config path": newConfigPath, "config keys": newConfigKeys, "config set": newConfigSet,
		"config permissions list": newPermissionsList, "config permissions remove": newPermissionsRemove,
		"skills python status": newPythonStatus, "skills python install": newPythonInstall, "skills python remove": newPythonRemove,
		"alerts run": newAlertsRun, "alerts test": newAlertsTest, "alerts send": newAlertsSend, "alerts install": newAlertsInstall, "alerts uninstall": newAlertsUninstall, "why": newWhy,
		"version": newVersion, "version man": newMan,
		"skills list": newSkillsList, "skills show": newSkillsShow, "skills run": newSkillsRun, "skills create": newSkillsCreate, "skills edit": newSkillsEdit,
		"skills clone": newSkillsClone, "skills delete": newSkillsDelete, "skills enable": newSkillsEnable, "skills disable": newSkillsDisable,
		"skills import": newSkillsImport, "skills install": newSkillsInstall, "skills outdated": newSkillsOutdated, "skills update": newSkillsUpdate, "skills rollback": newSkillsRollback, "skills export": newSkillsExport, "skills validate": newSkillsValidate, "skills fix": newSkillsFix,
		"skills doctor": newSkillsDoctor, "skills test": newSkillsTest, "skills trust": newSkillsTrust,
		"agents list": newAgentsList, "agents show": newAgentsShow,
		"eval": newEval, "eval bench": newEvalBench,
		"acp": newACP, "mcp": newMCP, "mcp install": newMCPInstall, "mcp add": newMCPAdd, "mcp list": newMCPList, "mcp test": newMCPTest, "mcp remove": newMCPRemove, "mcp import": newMCPImport, "mcp trust": newMCPTrust,
		"tools list": newToolsList, "tools show": newToolsShow, "tools call": newToolsCall,
	}
}

// addCommands adds the needed commands of the table to root, with their former names as hidden
// commands.
func addCommands(g *globals, root *cobra.Command, needed func(word string) bool) {
	implemented := implementations()
	made := map[string]*cobra.Command{"": root}
	for _, row := range app.Commands() {
		for _, name := range append([]string{row.Name}, row.Old...) {
			if first, _, _ := strings.Cut(name, " "); name == "" || !needed(first) {
				continue
			}
			var cmd *cobra.Command
			switch implement := implemented[row.Name]; {
			case implement != nil:
				cmd = implement(g)
			case row.Tool != "":
				cmd = newToolCommand(g, row)
			default:
				cmd = newGroup(g, row, implemented)
			}
			if takesSkill(row) {
				cmd.ValidArgsFunction = g.completeSkill(row)
			}
			parent, word := app.SplitCommand(name)
			cmd.Use, cmd.Short, cmd.Example, cmd.Long = strings.TrimSpace(word+" "+row.Args), row.About, row.Example, row.Notes
			cmd.Hidden, cmd.SuggestionsMinimumDistance = row.Hidden || name != row.Name, 2
			cmd.Flags().BoolVar(&g.json, "json", false, "print JSON")
			made[name] = cmd
			made[parent].AddCommand(cmd)
		}
	}
}

// newGroup makes a command with subcommands. Without one it shows their list.
func newGroup(g *globals, row app.Command, implemented map[string]func(*globals) *cobra.Command) *cobra.Command {
	var cmd *cobra.Command
	for _, word := range []string{" list", " show", " status"} {
		if implement := implemented[row.Name+word]; implement != nil {
			cmd = implement(g)
			break
		}
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if len(words) > 0 {
			return unknownCommand(cmd, words[0])
		}
		return nil
	}
	return cmd
}

// neededCommands returns the commands that a command line needs: only the first word's, none if it
// is empty, else all. Building all of them takes a few milliseconds.
func neededCommands(line []string) func(word string) bool {
	if len(line) == 0 {
		return func(string) bool { return false }
	}
	if _, ok := app.LookupCommand(line[0]); ok {
		return func(word string) bool { return word == line[0] }
	}
	return allCommands
}

func allCommands(string) bool { return true }

const examplesOfNFA = `  nfa
  nfa ask "How has the S&P 500 done since 2008, and how bad did it get?"`

// newRoot builds the root command with the needed commands.
func newRoot(t terminal, needed func(word string) bool) *cobra.Command {
	g := &globals{terminal: t}
	ask := &askFlags{}
	var prompt string
	root := &cobra.Command{
		Use:   "nfa",
		Short: "An investment advisor in your terminal (not financial advice)",
		Long: `nfa without a command opens the chat. Market data comes from public sources that need no key; if
none responds, nfa uses built-in sample data, labeled SAMPLE. Without a model, the built-in assistant
answers simple questions; connect a model with nfa setup.`,
		Example:       examplesOfNFA,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("prompt") {
				if err := ask.chooseOutput(cmd, g.json); err != nil {
					return err
				}
				return runAsk(cmd.Context(), g, *ask, prompt)
			}
			for _, name := range []string{"json", "output", "yes", "allow", "max-steps", "max-cost", "timeout"} {
				unattended := g.plain && (name == "yes" || name == "allow")
				if cmd.Flags().Changed(name) && !unattended {
					return usage.Errorf("--%s needs a question: nfa ask \"...\" --%s", name, name)
				}
			}
			return runChat(cmd.Context(), g, ask.sessionFlags, chatStart{approves: approvalPolicy(*ask)})
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelp(t))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fmt.Fprint(t.out, commandHelp(cmd, cli.TerminalWidth(t.out))) // a failed write cannot be reported anywhere
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(cmd.OutOrStderr(), commandHelp(cmd, 0))
		return err
	})
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.Errorf("%v; see `%s --help`", err, cmd.CommandPath())
	})
	g.addFlags(root.PersistentFlags())
	root.Flags().StringVarP(&prompt, "prompt", "p", "", "`TEXT` answer this question and exit, like nfa ask")
	root.Flags().BoolVar(&g.json, "json", false, "print JSON (with --prompt)")
	ask.add(root)
	g.addPlain(root)
	addCommands(g, root, needed)
	return root
}

// addFlags adds the flags of every command.
func (g *globals) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&g.home, "home", "", "`FOLDER` data folder (NFA_HOME, default ~/.nfa)")
	flags.StringVar(&g.file, "config", "", "`FILE` settings file (default config.yaml in the data folder)")
	flags.StringVar(&g.model, "model", "", "`NAME` provider/model, or offline for the built-in assistant (NFA_MODEL)")
	flags.StringVar(&g.logLevel, "log-level", "", "`LEVEL` debug, info, warn or error (NFA_LOG_LEVEL)")
	flags.BoolVar(&g.offline, "offline", false, "no network: built-in assistant and sample data (NFA_OFFLINE)")
	flags.StringVar(&g.asOf, "as-of", "", "`DATE` use only data known on this date, YYYY-MM-DD")
	flags.StringVar(&g.owner, "owner", "", "`NAME` whose data to open in a shared store, or all (NFA_OWNER)")
	flags.BoolVar(&g.noColor, "no-color", false, "no colors (NO_COLOR)")
}

// commandLine returns the settings given as flags. more has settings that only some commands have
// as flags.
func (g *globals) commandLine(more map[string]string) app.CommandLine {
	flags := map[string]string{"model": g.model, "log_level": g.logLevel, "owner": g.owner}
	if g.offline {
		flags["offline"] = "true"
	}
	if g.plain {
		flags["plain"] = "true"
	}
	if g.noColor {
		flags["color"] = "never"
	}
	for key, value := range more {
		flags[key] = value
	}
	return app.CommandLine{Home: g.home, File: g.file, AsOf: g.asOf, Flags: flags}
}

// options adds the flags of the command line to o. Warn defaults to Notice, and Notice to g.notice.
func (g *globals) options(o app.Options) app.Options {
	folder := o.Folder
	o.CommandLine = g.commandLine(o.Flags)
	o.Folder = folder
	o.Env, o.Now, o.Version, o.Stdin = g.env, clock, versionText(), g.in
	if o.Warn == nil {
		o.Warn = o.Notice
	}
	if o.Warn == nil {
		o.Warn = g.notice
	}
	return o
}

// open opens the program.
func (g *globals) open(ctx context.Context, o app.Options) (*app.App, error) {
	return app.Open(ctx, g.options(o))
}

// settings reads only the settings.
func (g *globals) settings() (app.Settings, error) {
	return app.LoadSettings(g.commandLine(nil), g.env, clock)
}

// withApp opens the program, runs a command in it and closes it.
func (g *globals) withApp(o app.Options, run func(cmd *cobra.Command, a *app.App, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := g.open(cmd.Context(), o)
		if err != nil {
			return err
		}
		defer a.Close()
		return run(cmd, a, args)
	}
}

// noSuchCommand returns a usage error with a suggestion: the similar command, or nfa ask.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	question := len(args) > 1 || strings.Contains(args[0], " ")
	if len(cmd.SuggestionsFor(args[0])) > 0 && !question {
		return unknownCommand(cmd, args[0])
	}
	return usage.Errorf("no command %q; to ask a question: nfa ask \"...\"", args[0])
}

// usageArgs converts Cobra's argument errors to usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage.Errorf("%v; usage: %s", err, cmd.UseLine())
		}
		return nil
	}
}
