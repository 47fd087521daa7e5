package skills

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// addPrivateTool adds a tool that hides an amount from models, and one that repeats it.
func addPrivateTool(t *testing.T, b *fixture) {
	t.Helper()
	holdings := b.tool("holdings", tool.Reads, func(json.RawMessage) (tool.Result, error) {
		return tool.Result{Value: map[string]any{"total": "77777.7"}, Redacted: `{"weight":"0.6"}`, ForUser: "**77777.7 USD**", Summary: "1 position"}, nil
	})
	holdings.Private = true
	echo := b.tool("echo", tool.Reads, func(args json.RawMessage) (tool.Result, error) {
		return tool.Result{Value: map[string]any{"said": string(args)}, ForUser: string(args), Summary: "said"}, nil
	})
	fails := b.tool("fails", tool.Reads, func(args json.RawMessage) (tool.Result, error) { return tool.Errorf("cannot do with %s", args) })
	var err error
	if b.router, err = b.router.With(holdings, echo, fails); err != nil {
		t.Fatal(err)
	}
}

func TestWorkflow_WhatTheUserKeepsReachesLaterStepsAndNoModel(t *testing.T) {
	for name, last := range map[string]string{"a step that repeats it": "echo", "a step that fails with it": "fails"} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, skilltest.Files{"own/SKILL.md": `---
name: own
description: looks at what is held
steps:
  - {id: held, tool: holdings}
  - {id: last, tool: ` + last + `, with: {text: "{{steps.held.total}}"}}
---
Look.
`})
			addPrivateTool(t, b)
			res, _ := b.run(t, b.workflows(), "own", `{}`)
			if !res.Private {
				t.Error("the result of the run is not private")
			}
			if strings.Contains(res.ForModel, "77777") || !strings.Contains(res.ForModel, `"weight":"0.6"`) || !strings.Contains(res.ForModel, "withheld") {
				t.Errorf("a model reads\n%s\nwant the weight, and nothing of the sum", res.ForModel)
			}
			if !strings.Contains(strings.Join(b.called, " "), "77777.7") {
				t.Errorf("called %q; want the sum handed on to the last step", b.called)
			}
		})
	}
}
