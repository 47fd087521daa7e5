package offline_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
)

const holdingSchema = `{"type":"object","properties":{
"symbol":{"type":"string","description":"A symbol such as AAPL."},
"quantity":{"type":"number"},
"years":{"type":"integer","default":1}},"required":["symbol","quantity"]}`

// newToolChat is a chat in which a skill with steps is on offer.
func newToolChat(t *testing.T, tool, schema string) *chat {
	t.Helper()
	c := newChat(t, everyTool...)
	c.tools = append(c.tools, llm.ToolSpec{Name: tool, Parameters: json.RawMessage(schema)})
	c.messages[0].Content = "## Available skills\n\n- holding-worth: What a holding is worth\n- twice: Doubles a number\n"
	return c
}

func TestWorkflow_AskedForInWordsItIsCalledWithItsValues(t *testing.T) {
	const doubling = `{"type":"object","properties":{"value":{"type":"integer"}},"required":["value"]}`
	const saving = `{"type":"object","properties":{"monthly":{"type":"string"},"years":{"type":"integer"},"in":{"type":"string","enum":["cash","fund"]}},"required":["monthly","years"]}`
	const comparing = `{"type":"object","properties":{"symbols":{"type":"array"},"years":{"type":"integer"}},"required":["symbols"]}`
	for question, row := range map[string]struct{ tool, schema, want string }{
		"holding-worth AAPL 12":                  {"skill_holding_worth", holdingSchema, `{"quantity":12,"symbol":"AAPL"}`},
		"holding-worth AAPL 1,200.50 3":          {"skill_holding_worth", holdingSchema, `{"quantity":1200.5,"symbol":"AAPL","years":3}`},
		"run holding-worth quantity=2 AAPL":      {"skill_holding_worth", holdingSchema, `{"quantity":2,"symbol":"AAPL"}`},
		"use the skill twice on 3":               {"skill_twice", doubling, `{"value":3}`},
		"use the skill holding-worth 500 EUR 20": {"skill_holding_worth", saving, `{"monthly":"500 EUR","years":20}`},
		"holding-worth 500 20 Fund":              {"skill_holding_worth", saving, `{"in":"fund","monthly":"500","years":20}`},
		"holding-worth AAPL MSFT, 5":             {"skill_holding_worth", comparing, `{"symbols":["AAPL","MSFT"],"years":5}`},
	} {
		m := newToolChat(t, row.tool, row.schema).ask(question)
		if diff := cmp.Diff([]string{row.tool + row.want}, shown(m.ToolCalls)); diff != "" {
			t.Errorf("%q (-want +got):\n%s\n%s", question, diff, m.Content)
		}
	}
}

func TestWorkflow_ValuesThatDoNotSufficeAreNotGuessed(t *testing.T) {
	for _, question := range []string{
		"use the holding-worth skill", "holding-worth AAPL", "holding-worth AAPL twelve", "holding-worth AAPL 12 3.5", "holding-worth AAPL 12 shares", "holding-worth AAPL 4,5", "holding-worth AAPL 12,34.5",
	} {
		m := newToolChat(t, "skill_holding_worth", holdingSchema).ask(question)
		wantEvery(t, m.Content, "`/holding-worth <symbol> <quantity> [years]` runs it")
		wantAbsent(t, m.Content, "lists no tools")
		if len(m.ToolCalls) > 0 {
			t.Errorf("%q calls %v all the same", question, shown(m.ToolCalls))
		}
	}
}

func TestWorkflow_TheToolThatTheSkillPointsToIsCalled(t *testing.T) {
	c := newToolChat(t, "skill_0f1e", `{"type":"object","properties":{"value":{"type":"number"}},"required":["value"]}`)
	c.ask("use the skill twice on 3")
	m := c.give(`{"name":"twice","content":"---\nname: twice\nsteps:\n  - {id: a}\n---\n","run_with":"skill_0f1e"}`)
	if diff := cmp.Diff([]string{`skill_0f1e{"value":3}`}, shown(m.ToolCalls)); diff != "" {
		t.Errorf("calls (-want +got):\n%s\n%s", diff, m.Content)
	}
	wantEvery(t, c.give(`{"skill":"twice","completed":true,"steps":[],"shown":"it is **6**"}`).Content, "were run by the program", "it is **6**")
}

func TestWorkflow_WithoutItsToolTheSlashIsNamed(t *testing.T) {
	c := newToolChat(t, "skill_other", `{}`)
	c.ask("use the skill twice on 3")
	m := c.give(`{"name":"twice","content":"---\nname: twice\nsteps:\n  - {id: a}\n---\n"}`)
	wantEvery(t, m.Content, "`/twice` runs it")
	wantAbsent(t, m.Content, "lists no tools")
}

func TestWorkflow_WhatWasNotRunIsNotSaidToHaveBeen(t *testing.T) {
	const ran = "were run by the program"
	for name, row := range map[string]struct {
		result string
		want   []string
		no     []string
	}{
		"completed": {`{"completed":true,"steps":[{"id":"a"}],"shown":"6"}`, []string{ran}, []string{"was not run"}},
		"refused":   {`{"error":"the user said no","code":"refused"}`, []string{"The skill `twice` was not run.", "the user said no"}, []string{ran, "did not come to"}},
		"cancelled": {`{"error":"cancelled","code":"cancelled"}`, []string{"was not run"}, []string{ran}},
		"cannot be run": {
			`{"error":"the skill twice cannot be run: step a: there is no tool crystal_ball","code":"validation"}`,
			[]string{"was not run", "crystal"}, []string{ran, "Check the spelling"},
		},
		"the first step failed": {`{"completed":false,"steps":[{"id":"a","error":"down"}],"error":"step a: down"}`, []string{"was not run", "down"}, []string{ran, "Check the spelling"}},
		"the second failed": {
			`{"completed":false,"steps":[{"id":"a","output":1},{"id":"b","error":"down"}],"error":"step b: down"}`,
			[]string{"did not come to their end", "down"}, []string{ran, "was not run", "Check the spelling"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newToolChat(t, "skill_twice", `{"type":"object","properties":{"value":{"type":"number"}},"required":["value"]}`)
			c.ask("use the skill twice on 3")
			m := c.give(row.result)
			wantEvery(t, m.Content, row.want...)
			wantAbsent(t, m.Content, row.no...)
			if len(m.ToolCalls) > 0 {
				t.Errorf("it calls again: %v", shown(m.ToolCalls))
			}
		})
	}
}
