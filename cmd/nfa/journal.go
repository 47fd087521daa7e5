package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// newWatchlist returns the command watch. Without a subcommand it shows the watchlist.
func newWatchlist(g *globals) *cobra.Command {
	return withSubcommands(g, watchlistCommand(), watchlistSubcommands())
}

// newJournal returns the command journal. Without a subcommand it lists the decisions.
func newJournal(g *globals) *cobra.Command {
	return withSubcommands(g, journalCommand(), journalSubcommands())
}

func newReview(g *globals) *cobra.Command { return reviewCommand().cobraCommand(g) }

func withSubcommands(g *globals, v toolCommand, children []toolCommand) *cobra.Command {
	root := v.cobraCommand(g)
	for _, b := range children {
		root.AddCommand(b.cobraCommand(g))
	}
	return root
}

func watchlistCommand() toolCommand {
	return toolCommand{
		use: "watch", short: "Show what you watch, with prices and how far they are from their targets", tool: "watchlist",
		example: "  nfa watch add VTI --below 250 --note \"after the split\"\n  nfa watch",
	}
}

func watchlistSubcommands() []toolCommand {
	return []toolCommand{
		{
			use: "add SYMBOL", short: "Watch a symbol", tool: "watchlist", fixed: map[string]any{"action": "add"}, minArgs: 1, maxArgs: 1, setArgs: firstArg("symbol"), writes: true,
			flags: []toolFlag{
				{"above", flagNumber, "`price` to look at from below"}, {"below", flagNumber, "`price` to look at from above"},
				{"currency", flagText, "`code` of both"}, {"note", flagText, "why, as `text`"},
			},
		},
		{
			use: "remove SYMBOL", short: "Watch a symbol no longer", tool: "watchlist", fixed: map[string]any{"action": "remove"}, minArgs: 1, maxArgs: 1, setArgs: firstArg("symbol"), writes: true,
			flags: []toolFlag{{"target", flagText, "take away this target alone: above or `below`"}},
		},
	}
}

func journalCommand() toolCommand {
	return toolCommand{
		use: "journal [ID]", short: "List what you decided, and why; one decision in full by its ID", tool: "decision_journal", fixed: map[string]any{"action": "list"}, maxArgs: 1, setArgs: firstArg("id"),
		flags: []toolFlag{{"symbol", flagText, "only decisions about this `symbol`"}, {"limit", flagNumber, "at most so `many`; 20 when left out"}},
	}
}

func journalSubcommands() []toolCommand {
	return []toolCommand{
		{
			use: "record ACTION SYMBOL...", short: "Record a decision with its thesis and what would disprove it", tool: "decision_journal",
			example: "  nfa journal record buy VTI --thesis \"cheap\" --disproof \"earnings fall two years running\" --benchmark BND",
			fixed:   map[string]any{"action": "record"}, minArgs: 2, maxArgs: -1, required: []string{"thesis", "disproof"}, writes: true,
			setArgs: func(args []string, in map[string]any) error {
				in["decision"], in["symbols"] = args[0], args[1:]
				return nil
			},
			flags: []toolFlag{
				{"thesis", flagText, "why, as `text`"}, {"disproof", flagText, "what would show it to be wrong, as `text`"},
				{"benchmark", flagText, "`symbol` that the money could have gone into"}, {"review_on", flagText, "`day` to look again"},
				{"confidence", flagFraction, "how sure you are, a `fraction`: 60%"}, {"price", flagNumber, "`price` of the time; that of now when left out"}, {"currency", flagText, "`code` of the price"},
				{"date", flagText, "earlier `day` on which it was decided"},
			},
		},
		{
			use: "close ID OUTCOME", short: "End a decision, with what came of it", tool: "decision_journal", fixed: map[string]any{"action": "close"}, minArgs: 1, maxArgs: -1, writes: true,
			setArgs: func(args []string, in map[string]any) error {
				in["id"] = args[0]
				if len(args) > 1 {
					in["outcome"] = strings.Join(args[1:], " ")
				}
				return nil
			},
		},
		{
			use: "remove ID", short: "Take out a decision that was recorded by mistake", tool: "decision_journal", fixed: map[string]any{"action": "remove"}, minArgs: 1, maxArgs: 1, setArgs: firstArg("id"), writes: true,
		},
	}
}

func reviewCommand() toolCommand {
	return toolCommand{
		use: "review [ID]", short: "Score your decisions against what the money could have done instead", tool: "decision_journal", fixed: map[string]any{"action": "review"}, maxArgs: 1, setArgs: firstArg("id"),
		flags: []toolFlag{{"symbol", flagText, "only decisions about this `symbol`"}},
	}
}
