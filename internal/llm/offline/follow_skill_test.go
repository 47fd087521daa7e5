package offline_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
)

const trendSkill = "---\nname: analyze-trend\ndescription: Reads a trend\ntools_required: [price_history, returns_stats]\n---\n# Steps\n\n1. Look.\n"

func loaded(t *testing.T, name, content string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"name": name, "content": content, "source": "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func activated(name, arguments, content string) string {
	return fmt.Sprintf("The user activated the skill %q with: %s\n\n<skill name=%q source=\"builtin\">\n%s\n</skill>\n\nARGUMENTS: %s",
		name, arguments, name, content, arguments)
}

func TestFollow_LoadThenToolsThenAnswer(t *testing.T) {
	c := newChat(t, everyTool...)
	if got := shown(c.ask("use the analyze-trend skill on the S&P 500 since 2008").ToolCalls); !cmp.Equal(got, []string{`Skill{"name":"analyze-trend"}`}) {
		t.Fatalf("first step = %v, want the Skill call alone", got)
	}
	want := []string{history(`"symbol":"^GSPC","from":"2008-01-01"`), returns(`"symbol":"^GSPC","from":"2008-01-01"`)}
	if diff := cmp.Diff(want, shown(c.give(loaded(t, "analyze-trend", trendSkill)).ToolCalls)); diff != "" {
		t.Fatalf("second step (-want +got):\n%s", diff)
	}
	m := c.give(sp500History, sp500)
	if len(m.ToolCalls) > 0 {
		t.Fatalf("third step calls again: %v", shown(m.ToolCalls))
	}
	wantEvery(t, m.Content, "Following the skill `analyze-trend`. The offline assistant follows a skill only by its listed tools: `price_history` and `returns_stats`.",
		"rose 98.6%", "SAMPLE vega-datasets")
}

func TestFollow_AnActivatedSkillIsNotLoadedAgain(t *testing.T) {
	c := newChat(t, everyTool...)
	m := c.ask(activated("get-price", "AAPL, msft", "---\nname: get-price\ntools_required:\n  - quote\n---\nThe tag </skill> may occur.\n"))
	if got := shown(m.ToolCalls); !cmp.Equal(got, []string{quoteOf("AAPL", "MSFT")}) {
		t.Fatalf("calls = %v, want the quotes", got)
	}
	wantEvery(t, c.give(`{"quotes":[{"symbol":"AAPL","name":"Apple Inc.","price":"137.44","currency":"USD","as_of":"2022-06-28","source":"m","flags":["sample"]}]}`).Content,
		"Following the skill `get-price`", "137.44 USD", "SAMPLE m")
}

func TestFollow_ASkillLoadedEarlierIsNotLoadedAgain(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("use the analyze-trend skill on IBM")
	c.give(loaded(t, "analyze-trend", trendSkill))
	c.give(sp500History, sp500)
	if got := shown(c.ask("use the analyze-trend skill on MSFT").ToolCalls); len(got) != 2 || got[0] != history(`"symbol":"MSFT"`) {
		t.Errorf("calls = %v, want the skill's tools at once", got)
	}
}

func TestFollow_ArgumentsInTheirForms(t *testing.T) {
	for arguments, want := range map[string]string{
		"xyzw":                     quoteOf("XYZW"), // nothing else that a bare word could be
		"foo bar":                  quoteOf("FOO", "BAR"),
		"Apple":                    quoteOf("AAPL"),
		"symbols=AAPL,MSFT":        quoteOf("AAPL", "MSFT"),
		"symbol=ibm range=5y":      quoteOf("IBM"),
		"the price of $tsla today": quoteOf("TSLA"),
	} {
		m := newChat(t, everyTool...).ask(activated("get-price", arguments, "---\nname: get-price\ntools_required: quote\n---\n"))
		if diff := cmp.Diff([]string{want}, shown(m.ToolCalls)); diff != "" {
			t.Errorf("arguments %q (-want +got):\n%s\n%s", arguments, diff, m.Content)
		}
	}
}

func TestFollow_ToolListsInTheirSpellings(t *testing.T) {
	want := []string{quoteOf("IBM"), `current_time{}`}
	for name, list := range map[string]string{
		"brackets":         "tools_required: [quote, current_time]",
		"quoted":           `tools_required: ["quote", 'current_time'] # both`,
		"items":            "tools_required:\n  - quote\n  - current_time  # now",
		"items unindented": "tools_required:\n- \"quote\"\n\n# a comment\n- current_time\nversion: 1",
		"doubled":          "tools_required: [quote, current_time, quote]",
		"windows":          "tools_required: [quote, current_time]\r",
		"others' items":    "steps:\n  - returns_stats\ntools_required:\n  - quote\n  - current_time\nother:\n  - calculate",
	} {
		t.Run(name, func(t *testing.T) {
			m := newChat(t, everyTool...).ask(activated("x-skill", "IBM", "---\nname: x-skill\n"+list+"\n---\nbody\n"))
			if diff := cmp.Diff(want, shown(m.ToolCalls)); diff != "" {
				t.Errorf("calls (-want +got):\n%s\n%s", diff, m.Content)
			}
		})
	}
}

func TestFollow_WhatASkillLacksIsSaid(t *testing.T) {
	const getPrice = "---\nname: get-price\ntools_required: [quote]\n---\n"
	for _, tt := range []struct{ name, arguments, content, want string }{
		{"no symbol", "", getPrice, "The skill `get-price` needs a symbol. Name it by its ticker, like `/get-price AAPL`."},
		{"no tool known", "IBM", "---\nname: x\ntools_required: [send_mail]\n---\n# Letters\n## Sending\n", "I have no rule for `send_mail`. It contains:\n\n- Letters\n- Sending"},
		{"no tools", "IBM", "---\nname: x\n---\n# Thinking\n", "it lists no tools. It contains:\n\n- Thinking"},
		{"no front matter", "IBM", "# Thinking\n", "it lists no tools"},
		{"front matter without end", "IBM", "---\nname: x\ntools_required: [quote]\n", "it lists no tools"},
		{"nothing to calculate", "IBM", "---\nname: x\ntools_required: [calculate]\n---\n", "what it needs besides tools is not in your words"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newChat(t, everyTool...).ask(activated("get-price", tt.arguments, tt.content))
			wantEvery(t, m.Content, tt.want)
			if len(m.ToolCalls) > 0 {
				t.Errorf("it calls %v all the same", shown(m.ToolCalls))
			}
		})
	}
}

func TestFollow_ToolsBeyondItAreNamedAndTheRestIsDone(t *testing.T) {
	c := newChat(t, everyTool...)
	m := c.ask(activated("x", "IBM", "---\ntools_required: [quote, send_mail]\n---\n"))
	if got := shown(m.ToolCalls); !cmp.Equal(got, []string{quoteOf("IBM")}) {
		t.Fatalf("calls = %v", got)
	}
	wantEvery(t, c.give(`{"quotes":[]}`).Content, "It has no rule for `send_mail`.")
}

func TestFollow_ASkillThatDoesNotLoad(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("use the dcf-magic skill on IBM")
	m := c.give(`{"error":"Skill 'dcf-magic' not found","available":[]}`)
	wantEvery(t, m.Content, "Skill 'dcf-magic' not found", "Skills here: `analyze-trend`, `get-price` and `rebalance`.")

	c.ask("use the analyze-trend skill on IBM")
	wantEvery(t, c.give(`{"name":"analyze-trend"}`).Content, "nothing to follow")

	wantEvery(t, newChat(t, "quote").ask("use the analyze-trend skill on IBM").Content, "the tool `Skill`, which this conversation does not have")
}

func TestFollow_TheToolsOfASkillAreNotHere(t *testing.T) {
	m := newChat(t, "Skill").ask(activated("get-price", "IBM", "---\ntools_required: [quote]\n---\n"))
	wantEvery(t, m.Content, "Following the skill `get-price`", "That takes the tool `quote`")
}

func TestFollow_AWorkflowsResultIsShownAsItIs(t *testing.T) {
	const skill = "---\nname: what-if\ndescription: d\ntools_required: [returns_stats]\n---\nText\n"
	run := llm.ToolCall{ID: "u1", Name: "skill_what_if", Arguments: `{"years":20}`}
	for result, want := range map[string][]string{
		`{"skill":"what-if","completed":true,"steps":[],"shown":"| case | total |\n|---|---:|\n| poor | 147,115.80 |"}`: {"The steps of the skill `what-if` were run by the program", "| poor | 147,115.80 |"},
		`{"skill":"what-if","completed":false,"steps":[],"error":"step projection: years must be from 1 to 80"}`:        {"years must be from 1 to 80"},
	} {
		c := newChat(t, "returns_stats")
		c.messages = append(c.messages,
			llm.Message{Role: llm.RoleUser, Content: activated("what-if", "20", skill)},
			llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{run}},
			llm.Message{Role: llm.RoleTool, ToolCallID: "u1", ToolName: run.Name, Content: result},
		)
		m := c.next()
		wantEvery(t, m.Content, want...)
		if len(m.ToolCalls) > 0 {
			t.Errorf("it goes on calling: %+v", m.ToolCalls)
		}
	}
}

func TestFollow_ATimeThatCannotBeCarriedIsAskedForWhereTheToolsTakeOne(t *testing.T) {
	m := newChat(t, everyTool...).ask(activated("analyze-trend", "MSFT since mid-2020", trendSkill))
	wantEvery(t, m.Content, "I read “mid-2020” as a time")
	if len(m.ToolCalls) > 0 {
		t.Errorf("it calls %v all the same", shown(m.ToolCalls))
	}
	text := newChat(t, everyTool...).ask(activated("letters", "what MSFT wrote in may of 1.000 shares of SAP", "---\nname: letters\n---\n# Writing\n"))
	wantEvery(t, text.Content, "it lists no tools")
}
