package offline_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// now is a Monday.
var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func newTool(name, description, keywords, schema string, phrasings ...string) offline.Tool {
	return offline.Tool{
		Document:   search.Document{Name: name, Description: description, Keywords: keywords, Phrasings: phrasings},
		Parameters: func() json.RawMessage { return json.RawMessage(schema) },
	}
}

// object returns a JSON schema: "symbol:string!" is a required text, "years" a number.
func object(properties ...string) string {
	all, required := map[string]any{}, []string{}
	for _, p := range properties {
		name, kind, typed := strings.Cut(strings.TrimSuffix(p, "!"), ":")
		if !typed {
			kind = "number"
		}
		all[name] = map[string]any{"type": kind}
		if strings.HasSuffix(p, "!") {
			required = append(required, name)
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": all, "required": required, "additionalProperties": false})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// testCatalog has one tool of each kind, under the names of the real ones.
func testCatalog() offline.Catalog {
	return offline.Catalog{
		Tools: []offline.Tool{
			newTool("quote", "The latest price of instruments.", "price quote share worth cost 股价 价格 多少钱 行情", object("symbols:array!"),
				"price of <sym>", "how much is <sym>", "<sym>股价"),
			newTool("returns_stats", "How one instrument did over a period.", "return performance did volatility drawdown 回报 收益 涨 跌 表现",
				object("symbol:string!", "range:string", "from:string", "to:string"), "how did <sym> do over <num> years", "return of <sym>", "<sym>过去<num>年涨了多少"),
			newTool("compare_assets", "Compares instruments over a period.", "compare versus against better 比较 对比",
				object("symbols:array!", "range:string", "from:string", "to:string", "benchmark:string"), "compare <sym> and <sym>", "<sym> vs <sym>", "比较<sym>和<sym>"),
			newTool("key_ratios", "Ratios of a company, such as the P/E.", "ratio ratios pe valuation margin 市盈率 估值", object("symbol:string!", "span:string"),
				"P/E of <sym>", "ratios of <sym>", "<sym>的市盈率"),
			newTool("loan_payment", "The payment of a loan.", "loan mortgage payment borrow interest 贷款 房贷 月供",
				object("principal!", "annual_rate!", "years!", "currency:string"), "mortgage of <num> at <pct> for <num> years", "房贷<num>万，利率<pct>，<num>年"),
			newTool("goal_plan", "What to save to reach a goal.", "goal save reach saving 目标 攒", object("target!", "years!", "current", "annual_return"),
				"save <num> in <num> years", "<num>年后攒够<num>万"),
			newTool("calculate", "Works out an arithmetic expression.", "calculate sum percent plus 计算 等于", object("expression:string!"),
				"what is <num> plus <num>", "<pct> of <num>", "<num>的<pct>是多少"),
			newTool("portfolio_positions", "What the user holds.", "portfolio holdings own positions hold 持仓 持有 组合", object("account:string", "at:string"),
				"what do I own", "my holdings", "我持有哪些股票"),
			newTool("add_transaction", "Records a trade that the user made.", "bought sold record trade transaction 买入 卖出 记录",
				object("kind:string!", "symbol:string", "quantity", "price", "amount", "fee", "currency:string", "date:string!", "account:string"),
				"I bought <num> <sym> at <num>", "I sold <num> shares of <sym>", "我买了<num>股<sym>"),
			newTool("fx_rate", "The rate of two currencies.", "exchange rate currency convert dollar euro 汇率 兑换", object("pair:string!", "amount", "date:string"),
				"<num> dollars in euros", "EUR/USD rate", "美元兑人民币汇率"),
		},
	}
}

// instrumentList is a Directory of a few instruments.
type instrumentList []offline.Instrument

func (l instrumentList) Lookup(symbol string) (offline.Instrument, bool) {
	for _, i := range l {
		if i.Symbol == symbol {
			return i, true
		}
	}
	return offline.Instrument{}, false
}

func (l instrumentList) Named(string) []offline.Instrument { return l }

func (l instrumentList) Mentioning(string) []offline.Instrument { return l }

func (l instrumentList) All() []offline.Instrument { return l }

func testInstruments() instrumentList {
	return instrumentList{
		{Symbol: "AAPL", Name: "Apple Inc.", Kind: "stock", Aliases: []string{"苹果"}},
		{Symbol: "MSFT", Name: "Microsoft Corporation", Kind: "stock", Aliases: []string{"微软"}},
		{Symbol: "TSLA", Name: "Tesla, Inc.", Kind: "stock", Aliases: []string{"特斯拉"}},
		{Symbol: "GOOGL", Name: "Alphabet Inc. Class A", Kind: "stock", Aliases: []string{"google", "谷歌"}},
		{Symbol: "NVDA", Name: "NVIDIA Corporation", Kind: "stock", Aliases: []string{"英伟达"}},
		{Symbol: "KO", Name: "The Coca-Cola Company", Kind: "stock", Aliases: []string{"coke", "可口可乐"}},
		{Symbol: "BRK.B", Name: "Berkshire Hathaway Inc.", Kind: "stock"},
		{Symbol: "CAT", Name: "Caterpillar Inc.", Kind: "stock"},
		{Symbol: "NOW", Name: "ServiceNow, Inc.", Kind: "stock"},
		{Symbol: "ALL", Name: "The Allstate Corporation", Kind: "stock"},
		{Symbol: "^GSPC", Name: "S&P 500", Kind: "index", Aliases: []string{"标普500"}},
		{Symbol: "BTC-USD", Name: "Bitcoin", Kind: "crypto", Aliases: []string{"btc", "比特币"}},
	}
}

func newAssistant() *offline.Assistant {
	return offline.New(offline.Options{Now: func() time.Time { return now }, Catalog: testCatalog, Instruments: testInstruments()})
}

// answer is what the assistant says to the last of some messages.
type answer struct {
	text    string
	calls   []llm.ToolCall
	finish  llm.FinishReason
	outcome llm.Outcome
}

// args returns the arguments of the only call; t fails if there is none.
func (a answer) args(t *testing.T) map[string]any {
	t.Helper()
	if len(a.calls) != 1 {
		t.Fatalf("%d calls, text %q", len(a.calls), a.text)
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(a.calls[0].Arguments), &args); err != nil {
		t.Fatal(err)
	}
	return args
}

func send(t *testing.T, m llm.Model, messages ...llm.Message) answer {
	t.Helper()
	var out answer
	for chunk, err := range m.Stream(context.Background(), llm.Request{Messages: messages}) {
		if err != nil {
			t.Fatal(err)
		}
		out.text += chunk.Text
		if chunk.ToolCall != nil {
			out.calls = append(out.calls, *chunk.ToolCall)
		}
		if chunk.Outcome != nil {
			out.outcome, out.finish = *chunk.Outcome, chunk.Finish
		}
	}
	return out
}

// converse sends messages one after the other and returns the answer to the last.
func converse(t *testing.T, m llm.Model, texts ...string) answer {
	t.Helper()
	var messages []llm.Message
	var last answer
	for _, text := range texts {
		messages = append(messages, llm.Message{Role: llm.RoleUser, Content: text})
		last = send(t, m, messages...)
		for _, call := range last.calls {
			messages = append(messages, llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{call}},
				llm.Message{Role: llm.RoleTool, ToolCallID: call.ID, ToolName: call.Name, Content: "{}"})
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: last.text + "."})
	}
	return last
}
