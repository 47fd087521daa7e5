package main

import (
	"context"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

func newSkillsRun(g *globals) *cobra.Command {
	f := &askFlags{}
	cmd := &cobra.Command{
		Use: "run NAME [KEY=VALUE...]", Short: "Use a skill once and print the answer, like nfa ask",
		Long: `run hands a skill to the model with its parameters and prints the answer, as nfa ask does,
with its exit codes. A required parameter without a value is a usage error. What is
piped in is appended to the parameters.`,
		Example: `  nfa skills run get-price symbols=AAPL,MSFT
  nfa skills run compare-two-funds first=VTI second=VT period=10y --output json`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			line, err := slashCommand(cmd.Context(), g, words[0], words[1:])
			if err != nil {
				return err
			}
			return runAsk(cmd.Context(), g, *f, line)
		},
	}
	f.add(cmd)
	return cmd
}

// slashCommand is what a person would type in the chat to use a skill.
func slashCommand(ctx context.Context, g *globals, name string, words []string) (string, error) {
	h, err := wire(ctx, g, wiring{})
	if err != nil {
		return "", err
	}
	defer h.close()
	s, ok := h.skills.Lookup(name)
	if !ok {
		return "", unknownSkill(h.skills, name)
	}
	return strings.TrimSpace("/skill:" + s.Name + " " + argumentLine(s.Parameters, words)), nil
}

// argumentLine writes the words of a command line as one line of the chat. What
// the shell kept together is quoted, so that it stays so; a skill without
// parameters takes the words as they are.
func argumentLine(declared []parameter.Parameter, words []string) string {
	if len(declared) == 0 {
		return strings.Join(words, " ")
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		key, value, named := strings.Cut(word, "=")
		if !named || strings.ContainsFunc(key, notInName) {
			key, value = "", word
		} else {
			key += "="
		}
		if strings.ContainsAny(value, `"'`) || strings.ContainsFunc(value, unicode.IsSpace) {
			value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		}
		quoted[i] = key + value
	}
	return strings.Join(quoted, " ")
}

func notInName(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
