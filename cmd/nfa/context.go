package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// toolFinder is what find_tools searches besides the tools: skills, and the names of
// instruments, which count as symbols.
func (p *program) toolFinder() tool.Finder {
	return tool.Finder{Skills: p.skillLibrary.SearchDocuments, Options: searchOptions}
}

func searchOptions() search.Options {
	instruments, err := reference.NewSymbolTable().Instruments(context.Background())
	if err != nil {
		return search.Options{} // words are still found
	}
	symbols := map[string]bool{}
	var o search.Options
	for _, i := range instruments {
		symbols[strings.ToUpper(string(i.Symbol))] = true
		o.Names = append(append(o.Names, i.Name), i.Aliases...)
	}
	o.IsSymbol = func(word string) bool { return symbols[strings.ToUpper(word)] }
	return o
}

// allTools are the tools of the program and of its workflows, with the one that finds them.
func (p *program) allTools() *tool.Router {
	return p.skillLibrary.WithWorkflows(p.router).WithFinder(p.toolFinder())
}

func newContext(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "context", Short: "Show what the first request to the model holds",
		Example: "  nfa context\n  nfa context --model ollama/qwen3 --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{sessions: true}, func(_ *cobra.Command, p *program, _ []string) error {
			size, err := p.agent.Start().RequestSize()
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(g.out, size)
			}
			_, err = fmt.Fprint(g.out, contextText(size))
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// showContext is /context: what the next request of the conversation holds.
func (p *program) showContext(string) (string, error) {
	size, err := p.conversation.Load().RequestSize()
	if err != nil {
		return "", err
	}
	return contextText(size), nil
}

func contextText(s agent.RequestSize) string {
	if s.BuiltIn {
		return "The built-in assistant answers: nothing is sent to a model. Connect one with /setup or nfa setup.\n"
	}
	var b strings.Builder
	if s.Profile != "" {
		fmt.Fprintf(&b, "Request profile %s, context window %s tokens (from: %s).\n\n", s.Profile, humanize.Number(s.Window), s.Origin)
	}
	b.WriteString("| part | bytes |\n|---|---:|\n")
	for _, part := range s.Parts {
		name := part.Name
		if len(part.Items) > 0 {
			name = fmt.Sprintf("%s (%d)", part.Name, len(part.Items))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, humanize.Number(part.Bytes))
	}
	fmt.Fprintf(&b, "| total | %s |\n", humanize.Number(s.Bytes))
	for _, part := range s.Parts {
		if len(part.Items) > 0 {
			fmt.Fprintf(&b, "\nTools: %s\n", strings.Join(part.Items, ", "))
		}
	}
	return b.String()
}
