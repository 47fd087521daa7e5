package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/usage"
)

// globals are the flags that every verb takes.
type globals struct {
	terminal
	home     string
	file     string
	model    string
	logLevel string
	asOf     string
	offline  bool
	noColor  bool
	plain    bool // of the chat
}

// subcommand is a command below nfa. It is made when it is wanted: there are a hundred
// with those below them, and the flags of all cost every start some milliseconds.
type subcommand struct {
	name  string
	build func(*globals) *cobra.Command
}

// subcommands are all of them: one line a verb.
func subcommands() []subcommand {
	all := []subcommand{
		{"chat", newChat},
		{"setup", newSetup},
		{"ask", newAsk},
		{"skills", newSkills},
		{"sessions", newSessions},
		{"agents", newAgents},
		{"tools", newTools},
		{"python", newPythonCommand},
		{"approvals", newPermissionsCommand},
		{"models", newModels},
		{"auth", newAuth},
		{"config", newConfig},
		{"verify", newVerify},
		{"context", newContext},
		{"doctor", newDoctor},
		{"version", newVersion},
		{"chart", newChart},
		{"portfolio", newPortfolio},
		{"profile", newProfile},
		{"watch", newWatchlist},
		{"journal", newJournal},
		{"review", newReview},
	}
	for _, d := range marketCommands() {
		all = append(all, subcommand{d.name, d.cobraCommand})
	}
	return all
}

// neededSubcommands are the verbs that a command line needs: the one it opens with, none where
// it has no words, else all.
func neededSubcommands(line []string) []subcommand {
	if len(line) == 0 {
		return nil
	}
	all := subcommands()
	if i := slices.IndexFunc(all, func(v subcommand) bool { return v.name == line[0] }); i >= 0 {
		return all[i : i+1]
	}
	return all
}

// newRoot makes the command line with these verbs.
func newRoot(t terminal, commands []subcommand) *cobra.Command {
	g := &globals{terminal: t}
	ask := &askFlags{}
	var prompt string
	root := &cobra.Command{
		Use:   "nfa",
		Short: "nfa: an investment advisor in your terminal (not financial advice)",
		Long: `nfa is an investment advisor that lives in your terminal. It is not financial advice.

nfa alone opens the chat. Market data are live, from public sources that need no key;
where none answers there is an embedded sample, which is called so. Without a model
an embedded assistant answers: connect one with nfa auth set PROVIDER, with a
variable such as OPENAI_API_KEY, or with NFA_BASE_URL, NFA_API_KEY and NFA_MODEL.`,
		Example: `  nfa
  nfa ask "How has the S&P 500 done since 2008, and how bad did it get?"
  nfa tools call quote --args '{"symbols":["AAPL"]}'`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("prompt") {
				return runAsk(cmd.Context(), g, *ask, prompt)
			}
			for _, name := range []string{"output", "yes", "allow", "max-steps", "max-cost", "timeout"} {
				if cmd.Flags().Changed(name) {
					return usage.Errorf("--%s is for one question: nfa -p \"...\" --%s, or nfa ask", name, name)
				}
			}
			return runChat(cmd.Context(), g, ask.sessionFlags, chatStart{})
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.Errorf("%v; see `%s --help`", err, cmd.CommandPath())
	})
	g.addFlags(root.PersistentFlags())
	root.Flags().StringVarP(&prompt, "prompt", "p", "", "answer this and exit, like nfa ask")
	ask.add(root)
	g.addPlain(root)
	for _, v := range commands {
		root.AddCommand(v.build(g))
	}
	return root
}

// addFlags declares the flags that every verb takes.
func (g *globals) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&g.home, "home", "", "folder for skills, sessions and settings (NFA_HOME, else ~/.nfa)")
	flags.StringVar(&g.file, "config", "", "settings file (else config.yaml in the home)")
	flags.StringVar(&g.model, "model", "", "model as provider/name, or offline (NFA_MODEL)")
	flags.StringVar(&g.logLevel, "log-level", "", "debug, info, warn or error (NFA_LOG_LEVEL)")
	flags.BoolVar(&g.offline, "offline", false, "embedded assistant and sample data, no network (NFA_OFFLINE)")
	flags.StringVar(&g.asOf, "as-of", "", "look at the markets as they were known on that `DATE`, YYYY-MM-DD")
	flags.BoolVar(&g.noColor, "no-color", false, "no colours (NO_COLOR)")
}

// noSuchCommand refuses words that are no verb, with what was meant: a verb
// misspelt, or a question.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	question := len(args) > 1 || strings.Contains(args[0], " ")
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 && !question {
		return usage.Errorf("no command %q; did you mean `nfa %s`?", args[0], near[0])
	}
	return usage.Errorf("no command %q; to ask a question: nfa ask \"...\"", args[0])
}

// usageArgs turns cobra's complaints about arguments into usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage.Errorf("%v; usage: %s", err, cmd.UseLine())
		}
		return nil
	}
}

// commandGroup is a command that only holds others: alone it shows its help, and a
// word that is none of them is a usage error.
func commandGroup(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(children...)
	return cmd
}
