package openai_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// fixtures returns the folder of recorded streams.
func fixtures(t testing.TB) string {
	t.Helper()
	return recordings.Path(t, "llm-streams")
}

func recorded(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(fixtures(t), "*.sse"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("recorded streams: %v, %d found", err, len(paths))
	}
	return paths
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expected is the result of an independent client for a recorded stream.
type expected struct {
	Content   string
	Reasoning string
	ToolCalls []llm.ToolCall   `json:"tool_calls"`
	Finish    llm.FinishReason `json:"finish_reason"`
	Usage     *struct{ Prompt, Completion int }
}

func TestStream_RecordedStreamsGiveWhatTheReferenceClientRead(t *testing.T) {
	for _, path := range recorded(t) {
		base := strings.TrimSuffix(path, ".sse")
		t.Run(filepath.Base(base), func(t *testing.T) {
			var want expected
			if err := json.Unmarshal(readFile(t, base+".expected.json"), &want); err != nil {
				t.Fatal(err)
			}
			got, err := read(t, string(readFile(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			seen := expected{Content: got.Text, Reasoning: got.Reasoning, ToolCalls: got.Calls, Finish: got.Finish}
			if got.Usage != nil {
				seen.Usage = &struct{ Prompt, Completion int }{got.Usage.InputTokens, got.Usage.OutputTokens}
			}
			ignore := cmpopts.IgnoreFields(llm.ToolCall{}, "Extra")
			if diff := cmp.Diff(want, seen, ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("stream read otherwise than by the reference (-reference +nfa):\n%s", diff)
			}
		})
	}
}

// The follow-up request of each recorded pair contains the first answer as another client sent it back to
// the same server, which accepted it.
func TestRequest_RecordedAnswersGoBackAsTheServerTookThem(t *testing.T) {
	checked := 0
	for _, path := range recorded(t) {
		next := strings.TrimSuffix(path, "0.sse") + "1.request.json"
		if _, err := os.Stat(next); err != nil || !strings.HasSuffix(path, "-0.sse") {
			continue
		}
		checked++
		t.Run(filepath.Base(path), func(t *testing.T) {
			first, err := read(t, string(readFile(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			server := fakeDoerWith(stream(events(finish("stop"))))
			_, err = collect(t.Context(), newModel(t, server), llm.Request{Messages: []llm.Message{{
				Role: llm.RoleAssistant, Content: first.Text, Reasoning: first.Reasoning, ToolCalls: first.Calls, Extra: first.Extra,
			}}})
			if err != nil {
				t.Fatal(err)
			}
			got, want := assistantOf(t, server.bodies[0]), assistantOf(t, readFile(t, next))
			// The text around the calls is from another run.
			for _, name := range []string{"role", "tool_calls", "reasoning_content"} {
				if value, ok := want[name]; ok && !cmp.Equal(value, got[name]) {
					t.Errorf("%s (-accepted +nfa):\n%s", name, cmp.Diff(value, got[name]))
				}
			}
			// The other client loses the first fragment of a text.
			lossy := cmp.Comparer(func(x, y string) bool { return strings.HasSuffix(x, y) || strings.HasSuffix(y, x) })
			if value, ok := want["reasoning_details"]; ok && !cmp.Equal(value, got["reasoning_details"], lossy) {
				t.Errorf("reasoning_details (-accepted +nfa):\n%s", cmp.Diff(value, got["reasoning_details"]))
			}
		})
	}
	if checked == 0 {
		t.Fatal("no recorded pair was found")
	}
}

func assistantOf(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var req struct{ Messages []map[string]any }
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatal(err)
	}
	for _, m := range req.Messages {
		if m["role"] == "assistant" {
			return m
		}
	}
	t.Fatalf("no assistant message in %s", body)
	return nil
}
