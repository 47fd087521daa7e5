package app

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/mcpserver"
)

var protocolVersions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// connectMCP starts a server on sample data and connects a host to it. answer is what the user of
// the host answers to a question; "" means that the host cannot ask, "later" that the test answers.
func connectMCP(t testing.TB, version, tools string, write bool, answer string, asked *[]string) *mcp.ClientSession {
	t.Helper()
	home := t.TempDir()
	a, err := Open(t.Context(), Options{
		CommandLine: CommandLine{Home: home, Flags: map[string]string{"offline": "true"}}, Env: func(name string) string { return map[string]string{"NFA_SHARE_AMOUNTS": "false"}[name] },
		Now: func() time.Time { return assistantNow }, Approver: mcpserver.Approver{}, Warn: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.MCPServer(tools, write)
	if err != nil {
		t.Fatal(err)
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(context.WithoutCancel(t.Context()), toServer, fromServer) }()
	options := &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: answer == "later"}}
	if answer != "" {
		options.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if asked != nil {
				*asked = append(*asked, req.Params.Message)
			}
			return &mcp.ElicitResult{Action: answer}, nil
		}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).
		Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = fromClient.Close()
		<-ended
		a.Close()
	})
	return session
}

func callMCP(t testing.TB, s *mcp.ClientSession, name string, args any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return res
}

func textOf(res *mcp.CallToolResult) string {
	var out []string
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			out = append(out, text.Text)
		}
	}
	return strings.Join(out, "\n")
}

// nfa mcp <requests.jsonl
func TestMCP_RequestsBeforeTheEndOfTheInputAreAnswered(t *testing.T) {
	a, err := Open(t.Context(), Options{
		CommandLine: CommandLine{Home: t.TempDir(), Flags: map[string]string{"offline": "true"}}, Env: func(string) string { return "" },
		Now: func() time.Time { return assistantNow }, Approver: mcpserver.Approver{}, Warn: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	server, err := a.MCPServer("core", false)
	if err != nil {
		t.Fatal(err)
	}
	requests := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"quote","arguments":{"symbols":["AAPL"]}}}
`
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- server.Run(t.Context(), io.NopCloser(strings.NewReader(requests)), fromServer)
		_ = fromServer.Close()
	}()
	answers, err := io.ReadAll(toClient)
	if text := string(answers); err != nil || !strings.Contains(text, `"protocolVersion"`) || !strings.Contains(text, "137.44") {
		t.Errorf("answers %s, %v", text, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Run = %v", err)
	}
}

func TestMCP_EveryVersionListsAndCalls(t *testing.T) {
	for _, version := range protocolVersions {
		t.Run(version, func(t *testing.T) {
			s := connectMCP(t, version, "core", false, "", nil)
			if got := s.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("speaks %s", got)
			}
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := json.Marshal(list)
			if len(raw) > 16<<10 || len(list.Tools) < 10 {
				t.Errorf("%d tools in %d bytes", len(list.Tools), len(raw))
			}
			for _, tool := range list.Tools {
				if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
					t.Errorf("%s: %+v", tool.Name, tool.Annotations)
				}
			}
			res := callMCP(t, s, "quote", map[string]any{"symbols": []string{"AAPL"}})
			value, _ := res.StructuredContent.(map[string]any)
			figures, _ := value["figures"].([]any)
			if res.IsError || !strings.Contains(textOf(res), "137.44 USD") || len(figures) == 0 {
				t.Errorf("quote: %s, %v", textOf(res), res.StructuredContent)
			}
			found := textOf(callMCP(t, s, "find_tools", map[string]any{"query": "monthly payment of a mortgage"}))
			if !strings.Contains(found, `"loan_payment"`) || !strings.Contains(found, `"annual_rate"`) {
				t.Errorf("find_tools: %s", found)
			}
			paid := callMCP(t, s, "call_tool", map[string]any{"name": "loan_payment", "arguments": map[string]any{"principal": 300000, "annual_rate": 0.06, "years": 30}})
			if paid.IsError || !strings.Contains(textOf(paid), "1798.65") && !strings.Contains(textOf(paid), "1,798.65") {
				t.Errorf("loan_payment: %s", textOf(paid))
			}
			if res := callMCP(t, s, "quote", map[string]any{"symbols": 7}); !res.IsError {
				t.Errorf("wrong arguments: %s", textOf(res))
			}
		})
	}
}

func TestMCP_OffersNothingThatWritesOrReadsFiles(t *testing.T) {
	s := connectMCP(t, "2025-11-25", "all", false, "accept", nil)
	for _, name := range []string{"read_file", "list_files", "web_fetch", "write_report", "add_transaction", "Skill", "nope", "find_tools"} {
		if res := callMCP(t, s, "call_tool", map[string]any{"name": name, "arguments": map[string]any{}}); !res.IsError {
			t.Errorf("%s was called: %s", name, textOf(res))
		}
	}
	// A tool that reads with these arguments and writes with others.
	if res := callMCP(t, s, "watchlist", map[string]any{"action": "add", "symbol": "AAPL"}); !res.IsError || !strings.Contains(textOf(res), "--write") {
		t.Errorf("the watchlist was changed: %s", textOf(res))
	}
	if res := callMCP(t, s, "watchlist", nil); !strings.Contains(textOf(res), "empty") {
		t.Errorf("the watchlist: %s", textOf(res))
	}
}

func TestMCP_AChangeIsShownAndAccepted(t *testing.T) {
	buy := map[string]any{"kind": "buy", "symbol": "AAPL", "quantity": 3, "price": 100, "currency": "USD", "date": "2022-03-01"}
	for _, version := range protocolVersions {
		for answer, made := range map[string]bool{"accept": true, "decline": false, "cancel": false, "": false} {
			t.Run(version+" "+answer, func(t *testing.T) {
				var asked []string
				s := connectMCP(t, version, "core", true, answer, &asked)
				res := callMCP(t, s, "call_write_tool", map[string]any{"name": "add_transaction", "arguments": buy})
				if res.IsError == made {
					t.Errorf("result: %s", textOf(res))
				}
				if answer != "" && (len(asked) != 1 || !strings.Contains(asked[0], "AAPL") || !strings.Contains(asked[0], "3")) {
					t.Errorf("asked %q", asked)
				}
				held := textOf(callMCP(t, s, "portfolio_positions", nil))
				if strings.Contains(held, `"AAPL"`) != made {
					t.Errorf("positions: %s", held)
				}
				if made && (strings.Contains(held, "300") || strings.Contains(held, `"quantity"`)) {
					t.Errorf("amounts are not hidden: %s", held)
				}
			})
		}
	}
}

func TestMCP_AnApprovalCountsForItsCallOnly(t *testing.T) {
	s := connectMCP(t, "2026-07-28", "core", true, "later", nil)
	call := func(args map[string]any, state string) *mcp.CallToolResult {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "call_write_tool", Arguments: map[string]any{"name": "watchlist", "arguments": args}, RequestState: state,
			InputResponses: mcp.InputResponseMap{"approve": &mcp.ElicitResult{Action: "accept"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	for _, state := range []string{"", "forged", "AAAA.AAAA"} {
		if res := call(map[string]any{"action": "add", "symbol": "AAPL"}, state); !res.IsError {
			t.Errorf("state %q: %s", state, textOf(res))
		}
	}
	add := map[string]any{"action": "add", "symbol": "AAPL"}
	question := callMCP(t, s, "call_write_tool", map[string]any{"name": "watchlist", "arguments": add})
	if question.RequestState == "" || len(question.InputRequests) != 1 {
		t.Fatalf("no question: %+v", question)
	}
	if res := call(map[string]any{"action": "add", "symbol": "MSFT"}, question.RequestState); !res.IsError || !strings.Contains(textOf(res), "does not belong to this call") {
		t.Errorf("other arguments: %s", textOf(res))
	}
	if res := call(add, question.RequestState); res.IsError {
		t.Errorf("the approved call: %s", textOf(res))
	}
}

func TestMCP_Resources(t *testing.T) {
	s := connectMCP(t, "2025-11-25", "core", false, "", nil)
	for uri, want := range map[string]string{"nfa://watchlist": "", "nfa://skills/get-price": "Get a price", "nfa://skills/nope": "", "nfa://reports/..%2fconfig.yaml": "", "nfa://reports/none.md": ""} {
		res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if want == "" {
			if err == nil {
				t.Errorf("%s: %s", uri, res.Contents[0].Text)
			}
			continue
		}
		if err != nil || !strings.Contains(res.Contents[0].Text, want) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

// Whatever the arguments are, a result matches the schema of its tool.
func TestMCP_ResultsMatchTheirSchemas(t *testing.T) {
	s := connectMCP(t, "2025-11-25", "all", false, "", nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	good, schemas := 0, 0
	for _, tool := range list.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		schemas++
		output := jsonSchema(t, tool.OutputSchema)
		resolved, err := output.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		for range 12 {
			args := randomArguments(random, jsonSchema(t, tool.InputSchema))
			res := callMCP(t, s, tool.Name, args)
			if res.IsError {
				continue
			}
			good++
			if err := resolved.Validate(res.StructuredContent); err != nil {
				t.Errorf("%s %v: %v", tool.Name, args, err)
			}
		}
	}
	if good < 25 || schemas < 35 {
		t.Errorf("%d results of %d tools with a schema were checked", good, schemas)
	}
}

func jsonSchema(t testing.TB, v any) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(v)
	var s jsonschema.Schema
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// randomArguments makes arguments of the right types, with plausible texts.
func randomArguments(random *rand.Rand, s *jsonschema.Schema) map[string]any {
	args := map[string]any{}
	for name, p := range s.Properties {
		required := strings.Contains(" "+strings.Join(s.Required, " ")+" ", " "+name+" ")
		if required || random.IntN(3) == 0 {
			args[name] = randomValue(random, name, p)
		}
	}
	return args
}

func randomValue(random *rand.Rand, name string, s *jsonschema.Schema) any {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	kind := s.Type
	if kind == "" && len(s.Types) > 0 {
		kind = s.Types[0]
	}
	switch kind {
	case "number":
		return []float64{0.01, 0.05, 1, 12, 100, 2500, -3}[random.IntN(7)]
	case "integer":
		return random.IntN(40)
	case "boolean":
		return random.IntN(2) == 0
	case "array":
		item := s.Items
		if item == nil {
			item = &jsonschema.Schema{Type: "string"}
		}
		return []any{randomValue(random, name, item), randomValue(random, name, item)}
	case "object":
		return randomArguments(random, s)
	}
	switch {
	case strings.HasPrefix(name, "symbol"), name == "benchmark":
		return pick("AAPL", "MSFT", "^GSPC", "IBM", "ZZZZ")
	case name == "range":
		return pick("1y", "5y", "ytd", "max")
	case name == "from":
		return pick("2015", "2018-03-01")
	case name == "to":
		return pick("2019", "2020-01-31")
	case name == "currency":
		return pick("USD", "EUR")
	case name == "expression":
		return pick("1/3", "(2+3)*4", "5%")
	case len(s.Enum) > 0:
		return s.Enum[random.IntN(len(s.Enum))]
	}
	return pick("AAPL", "income", "call", "2020-01-01", "1")
}

// What the host's model has read of the portfolio does not leave in the words of a later call.
func TestMCP_PrivateWordsNeedApproval(t *testing.T) {
	var asked []string
	s := connectMCP(t, "2025-11-25", "all", true, "accept", &asked)
	buy := map[string]any{"kind": "buy", "symbol": "AAPL", "quantity": 3, "price": 100, "currency": "USD", "date": "2022-03-01", "account": "zebrafinch-9981"}
	if res := callMCP(t, s, "add_transaction", buy); res.IsError {
		t.Fatalf("add_transaction: %s", textOf(res))
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "nfa://portfolio"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		query string
		asks  int
	}{{"apple", 0}, {"71234567 zebrafinch-9981", 1}} {
		asked = nil
		callMCP(t, s, "search_symbol", map[string]any{"query": row.query})
		if len(asked) != row.asks || row.asks > 0 && !strings.Contains(asked[0], row.query) {
			t.Errorf("%s was sent after the questions %q, want %d", row.query, asked, row.asks)
		}
	}
}
