package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/tool"
)

func newTools(g *globals) *cobra.Command {
	return group("tools", "List, show and call the tools, without a model",
		newToolsList(g), newToolsShow(g), newToolsCall(g))
}

func newToolsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the tools",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, _ []string) error {
			if asJSON {
				all := []toolJSON{}
				for _, t := range h.set.WithWorkflows(h.router).Tools() {
					all = append(all, toolOf(t))
				}
				return console.JSON(g.out, all)
			}
			var rows []console.Row
			for _, t := range h.set.WithWorkflows(h.router).Tools() {
				rows = append(rows, console.Row{Name: t.Name, Kind: t.Effect.String(), About: markdown.SanitizeLine(console.FirstSentence(t.Description))})
			}
			return console.List(g.out, console.Columns(g.out), rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

type toolJSON struct {
	Name        string          `json:"name"`
	Effect      string          `json:"effect"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func toolOf(t tool.Tool) toolJSON {
	spec := t.Spec()
	return toolJSON{Name: t.Name, Effect: t.Effect.String(), Description: t.Description, Parameters: spec.Parameters}
}

func newToolsShow(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show what a tool does and takes",
		Args: args(cobra.ExactArgs(1)),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, names []string) error {
			t, ok := h.set.WithWorkflows(h.router).Lookup(names[0])
			if !ok {
				return misuse.Errorf("no tool %q; nfa tools list shows them", names[0])
			}
			if asJSON {
				return console.JSON(g.out, toolOf(t))
			}
			fmt.Fprintf(g.out, "%s (%s)\n\n%s\n\nArguments\n\n", t.Name, t.Effect, markdown.Sanitize(t.Description))
			return console.JSON(g.out, t.Spec().Parameters)
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
		Args: args(cobra.ExactArgs(1)),
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
	h, err := wire(ctx, g, wiring{approver: tool.Policy{All: yes}})
	if err != nil {
		return err
	}
	defer h.close()
	return h.callTool(ctx, g, toolCall{name, text, asJSON})
}

// toolCall is a call from the command line.
type toolCall struct {
	name, arguments string
	asJSON          bool
}

// callTool runs a tool and prints what it gives.
func (h *house) callTool(ctx context.Context, g *globals, c toolCall) error {
	o, err := h.set.WithWorkflows(h.router).Call(ctx, llm.ToolCall{ID: "call_1", Name: c.name, Arguments: c.arguments})
	if err != nil {
		return err
	}
	o.Result = h.blamed(o.Result)
	code := exitOfResult(o.Result)
	if c.asJSON {
		if err := console.JSON(g.out, answer.ResultOf(o)); err != nil {
			return err
		}
		if code == exitOK {
			return nil
		}
		return &exitError{code: code}
	}
	if o.Result.IsError {
		return &exitError{code, fmt.Errorf("%s: %s", c.name, answer.Failure(o.Result))}
	}
	_, err = fmt.Fprintln(g.out, strings.TrimRight(markdown.Sanitize(answer.Shown(o.Result)), "\n"))
	return err
}

// readArguments takes --args as it was meant: JSON, @file, or standard input.
func readArguments(given string, in io.Reader) (string, error) {
	switch {
	case given == "-":
		b, err := io.ReadAll(io.LimitReader(in, maxStdin+1))
		if err != nil {
			return "", fmt.Errorf("reading the arguments from standard input: %w", err)
		}
		if len(b) > maxStdin {
			return "", misuse.Errorf("--args -: over %d KB", maxStdin>>10)
		}
		return string(b), nil
	case strings.HasPrefix(given, "@"):
		f, err := os.Open(given[1:])
		if err != nil {
			return "", misuse.Errorf("reading the file: %v", err)
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, maxStdin+1))
		switch {
		case err != nil:
			return "", misuse.Errorf("reading the file: %v", err)
		case len(b) > maxStdin:
			return "", misuse.Errorf("%s is over %d KB", given[1:], maxStdin>>10)
		}
		return string(b), nil
	}
	return given, nil
}

// withoutKeys takes keys out of what an approval shows of files. What they look like
// is made ready when there is something to show.
func (h *house) withoutKeys() func(string) string {
	secrets := secretsOf(h.cfg, h.home)
	return func(text string) string { return secrets().Hide(text) }
}
