package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/usage"
)

// benchJSON is what `eval bench --json` prints.
type benchJSON struct {
	Set   string      `json:"set"`
	Tools eval.Score  `json:"tools"`
	Name  string      `json:"model_name,omitempty"`
	Model *eval.Score `json:"model,omitempty"`
}

// newEval makes the command that lists the question sets.
func newEval(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if g.json {
				return cli.WriteJSON(g.out, eval.Benchmarks)
			}
			_, err := fmt.Fprintln(g.out, strings.Join(eval.Benchmarks, "\n"))
			return err
		},
	}
}

func newEvalBench(g *globals) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: g.withApp(app.Options{Agent: true}, func(cmd *cobra.Command, a *app.App, args []string) error {
			data, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			questions, err := eval.ReadBenchmark(args[0], data)
			if err != nil {
				return usage.Errorf("%w", err)
			}
			out := benchJSON{Set: args[0], Tools: eval.ScoreTools(questions, func(expression string) (decimal.Decimal, error) {
				n, err := planning.Evaluate(expression)
				return n.Decimal, err
			})}
			if active := a.Agents.Active(); !active.Endpoint.BuiltIn() {
				s := eval.ScoreModel(cmd.Context(), questions[:min(limit, len(questions))], func(ctx context.Context, question string) (eval.ModelAnswer, error) {
					return askOnce(ctx, a, question)
				})
				out.Name, out.Model = active.Model, &s
			}
			if g.json {
				return cli.WriteJSON(g.out, out)
			}
			fmt.Fprintf(g.out, "%s: %s with a derivation\ntools only: %s\n", out.Set, humanize.Count(len(questions), "question", "questions"), out.Tools)
			if out.Model != nil {
				fmt.Fprintf(g.out, "%s: %s\n", out.Name, out.Model)
			}
			for _, wrong := range out.Tools.Wrong {
				fmt.Fprintln(g.err, "nfa: "+wrong)
			}
			return nil
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 100, "ask the model at most `N` questions (default 100)")
	return cmd
}

// askOnce asks a question in a separate session.
func askOnce(ctx context.Context, a *app.App, question string) (eval.ModelAnswer, error) {
	var out eval.ModelAnswer
	var failed error
	for event, err := range a.StartConversation(ctx).Run(ctx, agent.Input{Text: question}) {
		if done, ok := event.(agent.TurnDone); ok {
			out, failed = eval.ModelAnswer{Text: done.Answer, Numbers: done.Figures.Numbers}, err
		}
	}
	return out, failed
}
