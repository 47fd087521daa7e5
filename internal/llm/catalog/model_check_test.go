package catalog_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// runModelTest tests a model on a server with these replies.
func runModelTest(t *testing.T, replies ...llmtest.Reply) (catalog.ModelTest, *llmtest.Server) {
	t.Helper()
	server := llmtest.StartServer(replies...)
	t.Cleanup(server.Close)
	b := selectorWith(t, map[string]string{"NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m"})
	e, err := b.Choose(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.TestModel(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return got, server
}

func addCall(arguments string) llmtest.Turn {
	return llmtest.Call(llm.ToolCall{ID: "c1", Name: "add", Arguments: arguments})
}

func TestTestModel_MeasuresAnAnswerAndAToolCall(t *testing.T) {
	ready := llmtest.Say("I am ", "ready.")
	ready.Usage = llm.Usage{InputTokens: 12, OutputTokens: 30, CachedTokens: 2}
	got, server := runModelTest(t, llmtest.Answers(ready, addCall(`{"a":2,"b":3}`))...)
	if !got.OK || got.Err() != nil || got.Text.Answer != "I am ready." || got.Text.Usage.Usage != ready.Usage || got.Tool == nil || !got.Tool.OK {
		t.Errorf("tried %+v, tool %+v", got, got.Tool)
	}
	if got.Text.FirstTokenMS <= 0 || got.Text.TotalMS < got.Text.FirstTokenMS {
		t.Errorf("first token after %v ms, whole after %v ms", got.Text.FirstTokenMS, got.Text.TotalMS)
	}
	sent := server.Requests()
	if len(sent) != 2 || strings.Contains(string(sent[0].Body), `"tools"`) || !strings.Contains(string(sent[1].Body), `"name":"add"`) {
		t.Errorf("%d requests: %s", len(sent), sent[len(sent)-1].Body)
	}
}

func TestTestModel_AModelThatCannotCallToolsFails(t *testing.T) {
	for name, row := range map[string]struct {
		second llmtest.Turn
		want   string
	}{
		"talks instead":     {llmtest.Say("5"), "the model did not call the requested tool"},
		"broken arguments":  {addCall(`{"a":2,`), "invalid arguments"},
		"missing arguments": {addCall(`{"a":2}`), "invalid arguments"},
		"another tool":      {llmtest.Call(llm.ToolCall{ID: "c", Name: "plus", Arguments: `{"a":2,"b":3}`}), "the model called plus"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := runModelTest(t, llmtest.Answers(llmtest.Say("Ready."), row.second)...)
			err := got.Err()
			if err == nil || !strings.Contains(err.Error(), row.want) || !got.Text.OK {
				t.Errorf("tried %+v: %v, want %q", got, err, row.want)
			}
		})
	}
}

func TestTestModel_AServersFaultIsItsOwnMessage(t *testing.T) {
	faults := llmtest.Faults(llmtest.Say("Ready."))
	for name, want := range map[string]llm.Kind{
		"401": llm.KindAuth, "context-too-long": llm.KindContextLength, "json-200": llm.KindServer, "html-200": llm.KindServer,
	} {
		t.Run(name, func(t *testing.T) {
			got, server := runModelTest(t, faults[name]...)
			err := got.Err()
			if llm.KindOf(err) != want || strings.Contains(err.Error(), "canary") {
				t.Errorf("failed with %v, want %s", err, want)
			}
			if got.Tool != nil || len(server.Requests()) != 1 {
				t.Errorf("went on after the failure: %d requests", len(server.Requests()))
			}
		})
	}
	for _, name := range []string{"keep-alives", "empty-data", "multi-line-data", "bom", "crlf", "no-done"} {
		t.Run(name, func(t *testing.T) {
			if got, _ := runModelTest(t, faults[name][0], llmtest.Answer(addCall(`{"a":2,"b":3}`))); !got.OK {
				t.Errorf("a stream that can be read fails: %+v", got)
			}
		})
	}
}
