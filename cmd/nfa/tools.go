package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newTools(g *globals) *cobra.Command {
	return commandGroup("tools", "List, show and call the tools, without a model",
		newToolsList(g), newToolsShow(g), newToolsCall(g))
}

func newToolsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the tools",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, _ []string) error {
			if asJSON {
				all := []toolJSON{}
				for _, t := range p.allTools().Tools() {
					all = append(all, newToolJSON(t))
				}
				return cli.WriteJSON(g.out, all)
			}
			var rows []cli.ListRow
			for _, t := range p.allTools().Tools() {
				rows = append(rows, cli.ListRow{Name: t.Name, Kind: t.Effect.String(), About: markdown.SanitizeLine(cli.FirstSentence(t.Description))})
			}
			return cli.WriteList(g.out, cli.TerminalWidth(g.out), rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
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
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show what a tool does and takes",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, names []string) error {
			t, ok := p.allTools().Lookup(names[0])
			if !ok {
				return usage.Errorf("no tool %q; nfa tools list shows them", names[0])
			}
			if asJSON {
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newToolsCall(g *globals) *cobra.Command {
	var arguments string
	var asJSON, yes bool
	cmd := &cobra.Command{
		Use: "call NAME", Short: "Call a tool and print what it gives",
		Example: `  nfa tools call quote --args '{"symbols":["AAPL"]}'
  nfa tools call returns_stats --args '{"symbol":"^GSPC","from":"2008-01-01"}' --json
  echo '{"expression":"0.1+0.2"}' | nfa tools call calculate --args -`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			return callTool(cmd.Context(), g, names[0], arguments, asJSON, yes)
		},
	}
	cmd.Flags().StringVar(&arguments, "args", "{}", "arguments as `JSON`, @FILE, or - for standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	cmd.Flags().BoolVar(&yes, "yes", false, "approve a tool that writes or executes")
	return cmd
}

func callTool(ctx context.Context, g *globals, name, arguments string, asJSON, yes bool) error {
	text, err := readArguments(arguments, g.in)
	if err != nil {
		return err
	}
	p, err := openProgram(ctx, g, programOptions{approver: tool.Policy{All: yes}})
	if err != nil {
		return err
	}
	defer p.close()
	return p.callTool(ctx, g, toolCall{name, text, asJSON})
}

// toolCall is a call from the command line.
type toolCall struct {
	name, arguments string
	asJSON          bool
}

// callTool runs a tool and prints what it gives.
func (p *program) callTool(ctx context.Context, g *globals, c toolCall) error {
	o, err := p.allTools().Call(ctx, llm.ToolCall{ID: "call_1", Name: c.name, Arguments: c.arguments})
	if err != nil {
		return err
	}
	o.Result = p.clearCodeIfLedgerBroken(o.Result)
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
	_, err = fmt.Fprintln(g.out, strings.TrimRight(markdown.Sanitize(cli.ResultText(o.Result)), "\n"))
	return err
}

// readArguments takes --args as it was meant: JSON, @file, or standard input.
func readArguments(value string, in io.Reader) (string, error) {
	switch {
	case value == "-":
		b, err := io.ReadAll(io.LimitReader(in, maxStdin+1))
		if err != nil {
			return "", fmt.Errorf("reading the arguments from standard input: %w", err)
		}
		if len(b) > maxStdin {
			return "", usage.Errorf("--args -: over %d KB", maxStdin>>10)
		}
		return string(b), nil
	case strings.HasPrefix(value, "@"):
		f, err := os.Open(value[1:])
		if err != nil {
			return "", usage.Errorf("reading the file: %v", err)
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, maxStdin+1))
		switch {
		case err != nil:
			return "", usage.Errorf("reading the file: %v", err)
		case len(b) > maxStdin:
			return "", usage.Errorf("%s is over %d KB", value[1:], maxStdin>>10)
		}
		return string(b), nil
	}
	return value, nil
}

// newRedactor takes keys out of what an approval shows of files. What they look like
// is made ready when there is something to show.
func (p *program) newRedactor() func(string) string {
	secrets := newSecretFilter(p.cfg, p.home)
	return func(text string) string { return secrets().Hide(text) }
}
