package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// conversations returns what a model says in the scripts, by name.
func conversations() map[string][]llmtest.Turn {
	quote := llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbols":["AAPL"]}`}
	stats := llm.ToolCall{ID: "c2", Name: "returns_stats", Arguments: `{"symbol":"^GSPC","from":"2008-01-01"}`}
	add := llm.ToolCall{ID: "c1", Name: "add", Arguments: `{"a":2,"b":3}`}
	letter := llm.ToolCall{ID: "c1", Name: "read_file", Arguments: `{"path":"letter.txt"}`}
	away := llm.ToolCall{ID: "c2", Name: "web_fetch", Arguments: `{"url":"http://127.0.0.1/?d=Dear+holder"}`}
	report := llm.ToolCall{ID: "c1", Name: "write_report", Arguments: `{"path":"r.md","content":"# Report"}`}
	season := llm.ToolCall{ID: "c1", Name: "skill_season", Arguments: `{"request":"AAPL, please"}`}
	closed := llmtest.Say("AAPL closed at 137.44 USD on 2022-06-28.")
	creates := func(text, evals string) llmtest.Turn {
		arguments, _ := json.Marshal(map[string]string{"skill_md": text, "evals": evals}) // texts always encode
		return llmtest.Call(llm.ToolCall{ID: "c1", Name: "create_skill", Arguments: string(arguments)})
	}
	const weekly = "---\nname: weekly-price\ndescription: Price of one stock\ntools_required: [quote]\nparameters:\n  - {name: symbol, type: symbol, required: true}\n---\nCall `quote` for {{symbol}}.\n"
	weeklyCase := func(price string) string {
		return "cases:\n  - arguments: AAPL\n    turns:\n      - calls: [{tool: quote, arguments: {symbols: [AAPL]}}]\n      - text: AAPL stood at " + price + " USD.\n"
	}
	ready := llmtest.Say("I am ", "ready.")
	ready.Usage = llm.Usage{InputTokens: 1200, OutputTokens: 30}
	priced := llmtest.Say("Hello.")
	priced.Usage = llm.Usage{InputTokens: 1000, CachedTokens: 200, OutputTokens: 50}
	return map[string][]llmtest.Turn{
		"trial":    {ready, llmtest.Call(add)},
		"talks":    {ready, ready},
		"priced":   {priced},
		"hello":    {llmtest.Say("Hello ", "from the server.")},
		"tools":    {llmtest.Call(quote, stats), llmtest.Say("Both ", "are there.")},
		"mistakes": {llmtest.Call(llm.ToolCall{ID: "c1", Name: "qoute", Arguments: `{}`}, llm.ToolCall{ID: "c2", Name: "quote", Arguments: `{"symbols":`}), llmtest.Say("Mended.")},
		"uses":     {llmtest.Call(llm.ToolCall{ID: "c1", Name: "Skill", Arguments: `{"name":"morning"}`}), llmtest.Say("Followed it.")},
		"season":   {llmtest.Call(llm.ToolCall{ID: "c1", Name: "Skill", Arguments: `{"name":"season"}`}), llmtest.Call(season), llmtest.Call(quote), closed, llmtest.Say("The season: AAPL at 137.44 USD.")},
		"/season":  {llmtest.Call(quote), closed, llmtest.Say("The season: AAPL at 137.44 USD.")},
		"deep":     {llmtest.Call(season), llmtest.Call(season), closed, llmtest.Say("Not deeper.")},
		"sneaks":   {llmtest.Call(season), llmtest.Call(letter), llmtest.Call(away), llmtest.Call(report), llmtest.Say("I could not."), llmtest.Say("Refused.")},
		"dated":    {llmtest.Call(llm.ToolCall{ID: "c1", Name: "Skill", Arguments: `{"name":"dated"}`}), llmtest.Say("AAPL closed at 137.44 USD.")},
		"/dated":   {llmtest.Say("AAPL closed at 137.44 USD.")},
		"saves": {
			llmtest.Call(llm.ToolCall{ID: "c1", Name: "Skill", Arguments: `{"name":"skill-creator"}`}),
			creates(strings.Replace(weekly, "weekly-price", "get-price", 1), weeklyCase("137.44")),
			creates(weekly+"steps:\n", weeklyCase("999.99")),
			creates(strings.Replace(weekly, "[quote]", "[qoute]", 1), weeklyCase("137.44")),
			creates(weekly, weeklyCase("137.44")), llmtest.Say("The skill is there."),
		},
		"invents": {llmtest.Say("AAPL trades at 184.25 USD.")},
		"escapes": {llmtest.Say("red \x1b[31malert\x1b]0;title\x07 and \u202ebidi")},
		"leaks":   {llmtest.Call(letter), llmtest.Call(away), llmtest.Say("I read it.")},
		"writes":  {llmtest.Call(report), llmtest.Say("Done with it.")},
		"circles": {llmtest.Call(quote), llmtest.Call(quote), llmtest.Call(quote), llmtest.Call(quote)},
	}
}

// serve implements the script command "serve NAME". It starts a model server that plays the named conversation or
// fault, and points the program to it.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve CONVERSATION|FAULT")
	}
	var replies []llmtest.Reply
	if turns, ok := conversations()[args[0]]; ok {
		replies = llmtest.Answers(turns...)
	} else if replies, ok = llmtest.Faults(llmtest.Say("The whole answer."))[args[0]]; !ok {
		ts.Fatalf("no conversation or fault %q", args[0])
	}
	server := llmtest.StartServer(replies...)
	ts.Defer(server.Close)
	ts.Setenv("NFA_BASE_URL", server.URL)
	ts.Setenv("NFA_API_KEY", "sk-canary-1234567890")
	ts.Setenv("NFA_MODEL", "test-model")
	*ts.Value(serverKey{}).(**llmtest.Server) = server
}

// serverKey is the key of the server that a script started last.
type serverKey struct{}

// requests implements the script command "requests N", which checks the number of requests to the server, or
// "requests FILE", which writes their bodies to a file, one per line.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	server := *ts.Value(serverKey{}).(**llmtest.Server)
	if neg || len(args) != 1 || server == nil {
		ts.Fatalf("usage, after serve: requests N|FILE")
	}
	got := server.Requests()
	if want, err := strconv.Atoi(args[0]); err == nil {
		if len(got) != want {
			ts.Fatalf("%d requests, want %d", len(got), want)
		}
		return
	}
	var bodies []string
	for _, r := range got {
		bodies = append(bodies, string(r.Body))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(bodies, "\n")), 0o600))
}
