package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// newWatch is the watchlist: alone it shows it.
func newWatch(g *globals) *cobra.Command { return withVerbs(g, watchVerb(), watchVerbs()) }

// newJournal is the journal of decisions: alone it lists them.
func newJournal(g *globals) *cobra.Command { return withVerbs(g, journalVerb(), journalVerbs()) }

func newReview(g *globals) *cobra.Command { return reviewVerb().command(g) }

func withVerbs(g *globals, v toolVerb, below []toolVerb) *cobra.Command {
	root := v.command(g)
	for _, b := range below {
		root.AddCommand(b.command(g))
	}
	return root
}

func watchVerb() toolVerb {
	return toolVerb{
		use: "watch", short: "Show what you watch, with prices and how far they are from their targets", tool: "watchlist",
		example: "  nfa watch add VTI --below 250 --note \"after the split\"\n  nfa watch",
	}
}

func watchVerbs() []toolVerb {
	return []toolVerb{
		{
			use: "add SYMBOL", short: "Watch a symbol", tool: "watchlist", fixed: map[string]any{"action": "add"}, least: 1, most: 1, fill: first("symbol"), writes: true,
			flags: []toolFlag{
				{"above", flagNumber, "`price` to look at from below"}, {"below", flagNumber, "`price` to look at from above"},
				{"currency", flagText, "`code` of both"}, {"note", flagText, "why, as `text`"},
			},
		},
		{
			use: "remove SYMBOL", short: "Watch a symbol no longer", tool: "watchlist", fixed: map[string]any{"action": "remove"}, least: 1, most: 1, fill: first("symbol"), writes: true,
			flags: []toolFlag{{"target", flagText, "take away this target alone: above or `below`"}},
		},
	}
}

func journalVerb() toolVerb {
	return toolVerb{
		use: "journal [ID]", short: "List what you decided, and why; one decision in full by its ID", tool: "decision_journal", fixed: map[string]any{"action": "list"}, most: 1, fill: first("id"),
		flags: []toolFlag{{"symbol", flagText, "only decisions about this `symbol`"}, {"limit", flagNumber, "at most so `many`; 20 when left out"}},
	}
}

func journalVerbs() []toolVerb {
	return []toolVerb{
		{
			use: "record ACTION SYMBOL...", short: "Record a decision with its thesis and what would disprove it", tool: "decision_journal",
			example: "  nfa journal record buy VTI --thesis \"cheap\" --disproof \"earnings fall two years running\" --benchmark BND",
			fixed:   map[string]any{"action": "record"}, least: 2, most: -1, needs: []string{"thesis", "disproof"}, writes: true,
			fill: func(words []string, in map[string]any) error {
				in["decision"], in["symbols"] = words[0], words[1:]
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
			use: "close ID OUTCOME", short: "End a decision, with what came of it", tool: "decision_journal", fixed: map[string]any{"action": "close"}, least: 1, most: -1, writes: true,
			fill: func(words []string, in map[string]any) error {
				in["id"] = words[0]
				if len(words) > 1 {
					in["outcome"] = strings.Join(words[1:], " ")
				}
				return nil
			},
		},
		{
			use: "remove ID", short: "Take out a decision that was recorded by mistake", tool: "decision_journal", fixed: map[string]any{"action": "remove"}, least: 1, most: 1, fill: first("id"), writes: true,
		},
	}
}

func reviewVerb() toolVerb {
	return toolVerb{
		use: "review [ID]", short: "Score your decisions against what the money could have done instead", tool: "decision_journal", fixed: map[string]any{"action": "review"}, most: 1, fill: first("id"),
		flags: []toolFlag{{"symbol", flagText, "only decisions about this `symbol`"}},
	}
}
