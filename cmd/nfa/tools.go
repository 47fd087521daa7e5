package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newToolsList(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, _ []string) error {
			if g.json {
				all := []toolJSON{}
				for _, t := range a.AllTools().Tools() {
					all = append(all, newToolJSON(t))
				}
				return cli.WriteJSON(g.out, all)
			}
			var rows []cli.ListRow
			for _, t := range a.AllTools().Tools() {
				rows = append(rows, cli.ListRow{Name: t.Name, Kind: t.Effect.String(), About: markdown.SanitizeLine(cli.FirstSentence(t.Description))})
			}
			return cli.WriteList(g.out, cli.TerminalWidth(g.out), rows)
		}),
	}
	return cmd
}

type toolJSON struct {
	Name        string          `json:"name"`
	Effect      string          `json:"effect"`
	Description string          `json:"description"`
	Details     string          `json:"details,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

func newToolJSON(t tool.Tool) toolJSON {
	spec := t.Spec()
	return toolJSON{Name: t.Name, Effect: t.Effect.String(), Description: t.Description, Details: t.Details, Parameters: spec.Parameters}
}

func newToolsShow(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, names []string) error {
			t, ok := a.AllTools().Lookup(names[0])
			if !ok {
				return usage.Errorf("no tool %q; nfa tools lists them", names[0])
			}
			if g.json {
				return cli.WriteJSON(g.out, newToolJSON(t))
			}
			text := t.Description
			if t.Details != "" {
				text += "\n\n" + t.Details
			}
			fmt.Fprintf(g.out, "%s (%s)\n\n%s\n\nArguments\n\n", t.Name, t.Effect, markdown.Sanitize(text))
			return cli.WriteJSON(g.out, t.Spec().Parameters)
		}),
	}
	return cmd
}

func newToolsCall(g *globals) *cobra.Command {
	var arguments string
	var yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			text, err := app.ReadArguments(arguments, g.in)
			if err != nil {
				return err
			}
			a, err := g.open(cmd.Context(), app.Options{Approver: tool.Policy{All: yes}})
			if err != nil {
				return err
			}
			defer a.Close()
			return g.callTool(cmd.Context(), a, a.AllTools(), toolCall{names[0], text, g.json})
		},
	}
	cmd.Flags().StringVar(&arguments, "args", "{}", "`JSON` arguments, @FILE, or - for stdin (default {})")
	cmd.Flags().BoolVar(&yes, "yes", false, "approve a tool that writes or executes")
	return cmd
}

// toolCall is a call from the command line.
type toolCall struct {
	name, arguments string
	asJSON          bool
}

// run calls the tool. If the ledger itself cannot be read, the result has no error code, because
// another call would fail as well.
func (c toolCall) run(ctx context.Context, a *app.App, from *tool.Router) (tool.Outcome, error) {
	o, err := from.Call(ctx, llm.ToolCall{ID: "call_1", Name: c.name, Arguments: c.arguments})
	if r := &o.Result; r.IsError && (r.Code == tool.CodeValidation || r.Code == tool.CodeNoData) && a.Stores.Portfolio.Fault() != nil {
		r.Code = ""
	}
	return o, err
}

// callTool runs a tool and prints its result.
func (g *globals) callTool(ctx context.Context, a *app.App, from *tool.Router, c toolCall) error {
	o, err := c.run(ctx, a, from)
	if err != nil {
		return err
	}
	code := exitOfResult(o.Result)
	if c.asJSON {
		if err := cli.WriteJSON(g.out, cli.NewToolResult(o)); err != nil {
			return err
		}
		if code == exitOK {
			return nil
		}
		return &exitError{code: code}
	}
	if o.Result.IsError {
		return &exitError{code, fmt.Errorf("%s: %s", c.name, cli.FailureText(o.Result))}
	}
	_, err = fmt.Fprintln(g.out, g.painter(a.Settings).Result(o.Result, nil))
	return err
}
