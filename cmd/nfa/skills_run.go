package main

import (
	"context"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

func newSkillsRun(g *globals) *cobra.Command {
	f := &askFlags{}
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use: "run NAME [KEY=VALUE...]", Short: "Use a skill once, and print what comes of it",
		Long: `run uses a skill once. A skill with steps is run by the program: each step's result is
printed, no model is asked, and what writes or executes is confirmed once for the whole
(--yes approves it, --dry-run prints the plan and does nothing). Any other skill is handed
to the model with its parameters, and the answer printed as nfa ask does, with its exit
codes; what is piped in is appended to the parameters. A required parameter without a
value is a usage error.`,
		Example: `  nfa skills run compare-assets symbols=AAPL,MSFT
  nfa skills run what-if-monthly-saving monthly=500 years=20 --dry-run
  nfa skills run get-price symbols=AAPL --output json`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			line, done, err := useSkill(cmd.Context(), g, words[0], words[1:], workflowFlags{
				json: asJSON, dryRun: dryRun, approver: askingApprover{g, policyOf(*f)},
			})
			if done || err != nil {
				return err
			}
			if asJSON {
				f.output = outputJSON
			}
			return runAsk(cmd.Context(), g, *f, line)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print what would be done, and do nothing")
	return cmd
}

// useSkill runs a skill that has steps, or prints what would be done with one.
// For any other it gives the line by which the chat uses it.
func useSkill(ctx context.Context, g *globals, name string, words []string, f workflowFlags) (line string, done bool, err error) {
	h, err := wire(ctx, g, wiring{approver: f.approver})
	if err != nil {
		return "", false, err
	}
	defer h.close()
	s, ok := h.skills.Lookup(name)
	if !ok {
		return "", false, unknownSkill(h.skills, name)
	}
	given := argumentLine(s.Parameters, words)
	if len(s.Steps) == 0 && !f.dryRun {
		return strings.TrimSpace("/skill:" + s.Name + " " + given), false, nil
	}
	in, err := h.activate(s.Name, given)
	switch {
	case err != nil:
		return "", true, err
	case in.Call == nil:
		_, err = io.WriteString(g.out, in.ForModel+"\n")
		return "", true, err
	}
	return "", true, h.runWorkflow(ctx, g, *in.Call, f)
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
