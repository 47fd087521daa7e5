package offline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
)

var everyTool = []string{"quote", "price_history", "returns_stats", "calculate", "current_time", "Skill", "read_skill_file"}

const prompt = `You are nfa.

---

## Available skills

Load one with the Skill tool.

- analyze-trend: Reads the trend of a price from its history
- get-price: Gives the newest price of an instrument
- rebalance: Trades back to your targets

Use a skill when the question fits its description.
- Never guess: ask.`

// chat is a conversation with the assistant, as the loop would hold it.
type chat struct {
	t        *testing.T
	model    *offline.Assistant
	tools    []llm.ToolSpec
	messages []llm.Message
}

func newChat(t *testing.T, tools ...string) *chat {
	t.Helper()
	clock := func() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }
	c := &chat{t: t, model: offline.New(offline.Options{Now: clock})}
	for _, name := range tools {
		c.tools = append(c.tools, llm.ToolSpec{Name: name})
	}
	c.messages = []llm.Message{{Role: llm.RoleSystem, Content: prompt}}
	return c
}

// ask sends a question and gives the model's first answer to it.
func (c *chat) ask(question string) llm.Message {
	c.t.Helper()
	c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Content: question})
	return c.next()
}

// give answers the calls of the last message in their order, and gives what the
// model says then.
func (c *chat) give(results ...string) llm.Message {
	c.t.Helper()
	calls := c.messages[len(c.messages)-1].ToolCalls
	if len(calls) != len(results) {
		c.t.Fatalf("%d results for the calls %v", len(results), shown(calls))
	}
	for i, call := range calls {
		c.messages = append(c.messages, llm.Message{
			Role: llm.RoleTool, ToolCallID: call.ID, ToolName: call.Name,
			Content: results[i], IsError: strings.HasPrefix(results[i], `{"error"`),
		})
	}
	return c.next()
}

func (c *chat) next() llm.Message {
	c.t.Helper()
	m := llm.Message{Role: llm.RoleAssistant}
	for chunk, err := range c.model.Stream(context.Background(), llm.Request{Messages: c.messages, Tools: c.tools}) {
		if err != nil {
			c.t.Fatalf("streaming: %v", err)
		}
		m.Content += chunk.Text
		if chunk.ToolCall != nil {
			m.ToolCalls = append(m.ToolCalls, *chunk.ToolCall)
		}
	}
	c.messages = append(c.messages, m)
	return m
}

// shown is calls as a person would write them down.
func shown(calls []llm.ToolCall) []string {
	var out []string
	for _, call := range calls {
		out = append(out, call.Name+call.Arguments)
	}
	return out
}

// answered runs a question whose calls give results, and is the answer's text.
func answered(t *testing.T, question string, results ...string) string {
	t.Helper()
	c := newChat(t, everyTool...)
	c.ask(question)
	m := c.give(results...)
	if len(m.ToolCalls) > 0 {
		t.Fatalf("after the results of %q it calls again: %v", question, shown(m.ToolCalls))
	}
	return m.Content
}

var wantEvery, wantAbsent = golden.Contains, golden.NotContains

// changed is a JSON object with some fields replaced; nil takes one out.
func changed(t *testing.T, object string, fields map[string]any) string {
	t.Helper()
	var all map[string]any
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		if value == absentField {
			delete(all, name)
			continue
		}
		all[name] = value
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const absentField = "\x00absent"

// sp500 is what returns_stats says of the index in the drawn turn.
const sp500 = `{"symbol":"^GSPC","name":"S&P 500","from":"2008-01-02","to":"2020-04-17","observations":3095,"interval":"daily",
"periods_per_year":252,"first_close":"1447.16","last_close":"2874.56","total_return":0.986346,"annual_return":0.057441,
"annual_volatility":0.211862,"max_drawdown":-0.532502,"drawdown_peak_date":"2008-01-02","drawdown_trough_date":"2009-03-09",
"drawdown_recovery_date":"2012-09-13","current_drawdown":-0.151075,"unit":"index points","adjustment":"raw",
"source":"vega-datasets 3.2.1 sp500-2000.csv","as_of":"2020-04-17","flags":["sample"],"warnings":[],
"note":"price index, no dividends; Price index: the dividends of its members are not counted"}`

const sp500History = `{"symbol":"^GSPC","name":"S&P 500","kind":"index","interval":"daily","from":"2008-01-02","to":"2020-04-17","count":3095,
"unit":"index points","adjustment":"raw","source":"vega-datasets 3.2.1 sp500-2000.csv","as_of":"2020-04-17","flags":["sample"],
"note":"Price index: the dividends of its members are not counted","first":{"date":"2008-01-02","close":"1447.16"},
"last":{"date":"2020-04-17","close":"2874.56"},"high":{"date":"2020-02-19","close":"3386.15"},"low":{"date":"2009-03-09","close":"676.53"},"bars":[]}`

const aapl = `{"symbol":"AAPL","name":"Apple Inc.","from":"2010-01-29","to":"2022-06-28","observations":150,"interval":"monthly",
"periods_per_year":12,"first_close":"5.83","last_close":"137.44","total_return":22.574614,"annual_return":0.290000,
"annual_volatility":0.280000,"max_drawdown":-0.329000,"drawdown_peak_date":"2012-09-28","drawdown_trough_date":"2013-06-28",
"drawdown_recovery_date":"2014-08-29","current_drawdown":-0.220000,"currency":"USD","unit":"price","adjustment":"split_div",
"source":"matplotlib 3.6.3 sample_data/Stocks.csv","as_of":"2022-06-28","flags":["sample"],"warnings":["monthly prices: falls within a month are not seen"],
"note":"total return, dividends reinvested; Monthly close adjusted for splits and dividends"}`

func ExampleAssistant_Stream() {
	model := offline.New(offline.Options{})
	req := llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "How has the S&P 500 done since 2008, and how bad did it get?"}},
		Tools:    []llm.ToolSpec{{Name: "price_history"}, {Name: "returns_stats"}},
	}
	for chunk, err := range model.Stream(context.Background(), req) {
		switch {
		case err != nil:
			fmt.Println(err)
		case chunk.ToolCall != nil:
			fmt.Println(chunk.ToolCall.Name, chunk.ToolCall.Arguments)
		case chunk.Finish != "":
			fmt.Println(chunk.Finish)
		}
	}
	// Output:
	// price_history {"symbol":"^GSPC","from":"2008-01-01"}
	// returns_stats {"symbol":"^GSPC","from":"2008-01-01"}
	// tool_calls
}
