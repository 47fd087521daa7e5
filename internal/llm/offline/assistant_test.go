package offline_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
)

var _ llm.Model = (*offline.Assistant)(nil)

func userSays(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: text}}, Tools: []llm.ToolSpec{{Name: "quote"}, {Name: "returns_stats"}}}
}

func chunks(t *testing.T, req llm.Request) []llm.Chunk {
	t.Helper()
	var out []llm.Chunk
	for chunk, err := range offline.New(offline.Options{}).Stream(context.Background(), req) {
		if err != nil {
			t.Fatalf("streaming: %v", err)
		}
		out = append(out, chunk)
	}
	return out
}

func TestStream_TextComesByTheWordAndEndsWithStop(t *testing.T) {
	got := chunks(t, userSays("help"))
	last := got[len(got)-1]
	if last.Finish != llm.FinishStop || last.Usage == nil || *last.Usage != (llm.Usage{}) {
		t.Errorf("last chunk = %+v, want stop with a usage of zero", last)
	}
	if len(got) < 50 {
		t.Errorf("%d chunks, want a stream of words", len(got))
	}
	for _, c := range got[:len(got)-1] {
		if c.Text == "" || len(c.Text) > 64 || c.Finish != "" || !utf8.ValidString(c.Text) {
			t.Errorf("chunk %+v, want a short piece of text", c)
		}
	}
}

func TestStream_LongWordsAreCutBetweenRunes(t *testing.T) {
	for _, c := range chunks(t, userSays("price of "+strings.Repeat("Ä", 30))) {
		if !utf8.ValidString(c.Text) || len(c.Text) > 64 {
			t.Errorf("piece %q", c.Text)
		}
	}
}

func TestStream_CallsComeWholeWithIDsOfTheirOwn(t *testing.T) {
	c := newChat(t, everyTool...)
	seen := map[string]bool{}
	for range 3 {
		for _, call := range c.ask("compare AAPL and MSFT").ToolCalls {
			if call.ID == "" || seen[call.ID] {
				t.Errorf("ID %q of %s was used before", call.ID, call.Name)
			}
			seen[call.ID] = true
		}
		c.give(aapl, aapl)
	}
	got := chunks(t, userSays("AAPL price"))
	if len(got) != 2 || got[0].ToolCall == nil || got[1].Finish != llm.FinishToolCalls {
		t.Errorf("chunks = %+v, want a call and the finish", got)
	}
}

func TestStream_ACancelledContextEndsItWithItsError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	model := offline.New(offline.Options{})
	n := 0
	var last error
	for _, err := range model.Stream(ctx, userSays("help")) {
		n++
		last = err
		if n == 3 {
			cancel()
		}
	}
	if n != 4 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d chunks, last error %v; want three, then context.Canceled", n, last)
	}
	for chunk, err := range model.Stream(ctx, userSays("help")) {
		if !errors.Is(err, context.Canceled) || chunk.Text != "" {
			t.Errorf("of a dead context: %+v, %v", chunk, err)
		}
	}
}

func TestStream_LeavingEarlyIsAllowed(t *testing.T) {
	for _, question := range []string{"help", "compare AAPL and MSFT"} {
		for range offline.New(offline.Options{}).Stream(context.Background(), userSays(question)) {
			break
		}
	}
}

func TestStream_OddConversations(t *testing.T) {
	call := llm.ToolCall{ID: "1", Name: "quote", Arguments: "{"}
	for name, messages := range map[string][]llm.Message{
		"none":                 nil,
		"only a system prompt": {{Role: llm.RoleSystem, Content: prompt}},
		"only results":         {{Role: llm.RoleTool, Content: `{"quotes":[]}`}},
		"a result of no call":  {{Role: llm.RoleUser, Content: "AAPL price"}, {Role: llm.RoleTool, ToolName: "quote", Content: "{}"}},
		"calls without result": {{Role: llm.RoleUser, Content: "AAPL price"}, {Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{call}}},
		"an unknown tool":      {{Role: llm.RoleUser, Content: "AAPL price"}, {Role: llm.RoleTool, ToolName: "mystery", Content: `{"a":1}`}},
		"an empty result":      {{Role: llm.RoleUser, Content: "AAPL price"}, {Role: llm.RoleTool, ToolName: "quote", Content: `{"quotes":[]}`}},
		"an error in plain":    {{Role: llm.RoleUser, Content: "AAPL price"}, {Role: llm.RoleTool, ToolName: "quote", Content: "boom", IsError: true}},
	} {
		t.Run(name, func(t *testing.T) {
			text := ""
			for _, c := range chunks(t, llm.Request{Messages: messages}) {
				text += c.Text
				if c.ToolCall != nil {
					t.Errorf("it calls %s", c.ToolCall.Name)
				}
			}
			if strings.TrimSpace(text) == "" {
				t.Error("it says nothing")
			}
		})
	}
}

func TestStream_AMegabyteIsAnsweredInTime(t *testing.T) {
	for name, text := range map[string]string{
		"one word":   strings.Repeat("x", 1<<20),
		"capitals":   strings.Repeat("AAPL ", 1<<18),
		"digits":     strings.Repeat("1+", 1<<19),
		"newlines":   strings.Repeat("\n \n", 1<<18),
		"controls":   strings.Repeat("\x00\x1b[2J\u202e", 1<<17),
		"activation": `The user activated the skill "x" with: ` + strings.Repeat("\n<skill >\n\n</skill>", 1<<15),
		"broken":     strings.Repeat("\xff\xfe", 1<<19),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			chunks(t, userSays(text))
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// BenchmarkPlan is what the assistant costs at each step of a turn; the first
// one of a process also compiles the patterns.
func BenchmarkPlan(b *testing.B) {
	model := offline.New(offline.Options{})
	req := userSays("How has the S&P 500 done since 2008, and how bad did it get?")
	for b.Loop() {
		for _, err := range model.Stream(context.Background(), req) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
