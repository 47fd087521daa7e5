package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/usage"
)

// rootFlags are the flags in the help of nfa. nfa help flags lists all.
const rootFlags = `Flags:  -p, --prompt TEXT  answer and exit      --continue      open the latest session
        --model NAME       provider/model       --resume ID     open a session
        --agent NAME       agent to use         --as-of DATE    use only data known on DATE
        --offline          no network           --plain         line-by-line chat
        -h, --help         show help            -v, --version   show version
More:   nfa help flags | exit-codes | environment
`

// rootHelp returns the help of nfa.
func rootHelp() string {
	var b strings.Builder
	b.WriteString("nfa is an investment advisor in your terminal. Not financial advice.\nUsage: nfa [flags] opens the chat; nfa COMMAND [flags]\n\n")
	for _, group := range app.CommandGroups() {
		title := group
		for _, row := range app.Commands() {
			if row.Group == group && row.Name != "" && !row.Hidden {
				fmt.Fprintf(&b, "%-10s %-11s %s\n", title, row.Name, row.About)
				title = ""
			}
		}
	}
	return b.String() + rootFlags
}

// commandHelp returns the help of a command: a sentence, its usage, examples, subcommands and
// flags.
func commandHelp(cmd *cobra.Command, width int) string {
	if !cmd.HasParent() {
		return rootHelp()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\nUsage: %s\n", cmd.Short, cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	var rows [][2]string
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			rows = append(rows, [2]string{child.Name(), child.Short})
		}
	}
	writeColumns(&b, "Commands", rows, width)
	writeColumns(&b, "Flags", flagRows(cmd.LocalFlags()), width)
	if cmd.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", cmd.Long)
	}
	b.WriteString("\nFlags of every command: nfa help flags\n")
	return b.String()
}

// writeColumns writes a heading and two columns, or nothing if there are no rows.
func writeColumns(b *strings.Builder, heading string, rows [][2]string, width int) {
	if len(rows) == 0 {
		return
	}
	longest := 0
	for _, r := range rows {
		longest = max(longest, len(r[0]))
	}
	longest = min(longest, 30)
	indent := "\n" + strings.Repeat(" ", longest+4)
	fmt.Fprintf(b, "\n%s:\n", heading)
	for _, r := range rows {
		text := r[1]
		if width > longest+24 {
			text = cli.Wrap(text, width-longest-4, indent)
		}
		if len(r[0]) > longest {
			text = indent[1:] + text
			fmt.Fprintf(b, "  %s\n%s\n", r[0], text)
			continue
		}
		fmt.Fprintf(b, "  %-*s  %s\n", longest, r[0], text)
	}
}

// flagRows returns the names and texts of the visible flags.
func flagRows(flags *pflag.FlagSet) [][2]string {
	var rows [][2]string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		noun, about := flagText(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		rows = append(rows, [2]string{strings.TrimSpace(name + " " + noun), about})
	})
	return rows
}

// flagText splits the usage of a flag into the placeholder of its value ("" for a switch) and the
// description. The placeholder is in backquotes; at the start it is not part of the sentence.
func flagText(f *pflag.Flag) (noun, about string) {
	if noun, about, ok := strings.Cut(strings.TrimPrefix(f.Usage, "`"), "` "); ok && strings.HasPrefix(f.Usage, "`") {
		return noun, about
	}
	return pflag.UnquoteUsage(f)
}

// helpTopics returns the pages of nfa help that do not belong to a command.
func helpTopics(root *cobra.Command, width int) map[string]func() string {
	return map[string]func() string{
		"flags": func() string {
			var b strings.Builder
			b.WriteString("Flags of every command:\n")
			writeRows(&b, flagRows(root.PersistentFlags()), width)
			b.WriteString("\nFlags of nfa and nfa ask; some also apply to nfa chat:\n")
			local := pflag.NewFlagSet("nfa", pflag.ContinueOnError)
			root.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { local.AddFlag(f) })
			writeRows(&b, flagRows(local), width)
			return b.String()
		},
		"exit-codes": func() string {
			var b strings.Builder
			b.WriteString("Exit codes:\n")
			for _, c := range exitCodes() {
				fmt.Fprintf(&b, "  %-4d %s\n", c.code, c.meaning)
			}
			b.WriteString("\nAn empty list, portfolio, profile or watchlist is a valid result: 0.\n")
			return b.String()
		},
		"environment": func() string {
			var b strings.Builder
			b.WriteString("Every setting has an environment variable. It takes precedence over the settings file.\n")
			rows := [][2]string{{"NFA_HOME", "data folder (default ~/.nfa)"}}
			for _, s := range config.Settings() {
				rows = append(rows, [2]string{s.Env(), settingText(s)})
			}
			writeRows(&b, append(rows, [2]string{"NO_COLOR", "no colors"}, [2]string{"ACCESSIBLE", "line-by-line chat"}), width)
			return b.String()
		},
	}
}

// writeRows works like writeColumns without a heading.
func writeRows(b *strings.Builder, rows [][2]string, width int) {
	var columns strings.Builder
	writeColumns(&columns, "", rows, width)
	b.WriteString(strings.TrimPrefix(columns.String(), "\n:\n"))
}

func settingText(s config.Setting) string {
	if s.Default == "" {
		return s.Doc
	}
	return s.Doc + " (default " + s.Default + ")"
}

// newHelp replaces Cobra's help command, which exits with 0 if the command is unknown.
func newHelp(t terminal) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | flags | exit-codes | environment]", Short: "Show help", Hidden: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			root, width := cmd.Root(), cli.TerminalWidth(t.out)
			if len(words) == 1 {
				if topic := helpTopics(root, width)[words[0]]; topic != nil {
					_, err := io.WriteString(t.out, topic())
					return err
				}
			}
			found, rest, err := root.Find(words)
			switch {
			case err != nil:
				return usage.Errorf("%w", err)
			case len(rest) > 0:
				return unknownCommand(found, rest[0])
			}
			_, err = io.WriteString(t.out, commandHelp(found, width))
			return err
		},
	}
}

// unknownCommand returns the error for a word that is not a subcommand of parent.
func unknownCommand(parent *cobra.Command, word string) error {
	if near := parent.SuggestionsFor(word); len(near) > 0 {
		return usage.Errorf("no command %q; did you mean `%s %s`?", word, parent.CommandPath(), near[0])
	}
	return usage.Errorf("no command %q; see `%s --help`", word, parent.CommandPath())
}
