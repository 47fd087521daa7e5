package openai_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// FuzzStream checks that, whatever bytes a server sends, the stream ends in an answer or an error, the same
// one however the bytes are split into packets.
func FuzzStream(f *testing.F) {
	f.Add([]byte(events(delta(`{"content":"<think>a</think>b"}`), calling(`{"index":0,"id":"c","function":{"name":"n","arguments":"{}"}}`), finish("stop"))))
	f.Add([]byte("\ufeff: c\r\n\r\ndata: {\"choices\":\r\ndata: [{\"delta\":{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"x\"}]}}]}\r\n\r\n"))
	f.Add([]byte(`{"error":{"message":"x","code":429,"metadata":{"raw":"y"}}}`))
	f.Add([]byte("<html><title>x"))
	f.Add([]byte("data: [1]\n\ndata: [DONE]"))
	f.Fuzz(func(t *testing.T, body []byte) {
		// Small pieces are collected, which would take seconds byte by byte.
		synctest.Test(t, func(t *testing.T) { checkStream(t, body) })
	})
}

func checkStream(t *testing.T, body []byte) {
	t.Helper()
	whole, wholeErr := play(t, bytes.NewReader(body))
	cut, cutErr := play(t, iotest.OneByteReader(bytes.NewReader(body)))
	ids := cmpopts.IgnoreFields(llm.ToolCall{}, "ID")
	if diff := cmp.Diff(whole, cut, ids); diff != "" || (wholeErr == nil) != (cutErr == nil) || llm.KindOf(wholeErr) != llm.KindOf(cutErr) {
		t.Fatalf("whole ends with %v, byte by byte with %v:\n%s", wholeErr, cutErr, diff)
	}
	if wholeErr != nil {
		if llm.KindOf(wholeErr) == "" || whole.Finish != "" || len(whole.Calls) > 0 {
			t.Fatalf("error %v after %+v", wholeErr, whole)
		}
		return
	}
	seen := map[string]bool{}
	for _, c := range whole.Calls {
		if c.ID == "" || seen[c.ID] {
			t.Fatalf("calls without ids of their own: %+v", whole.Calls)
		}
		seen[c.ID] = true
	}
	if whole.Finish == "" || (whole.Finish == llm.FinishToolCalls) != (len(whole.Calls) > 0) && whole.Finish != llm.FinishLength && whole.Finish != llm.FinishContentFilter {
		t.Fatalf("finish %q with %d calls", whole.Finish, len(whole.Calls))
	}
}

func play(t testing.TB, body io.Reader) (answer, error) {
	t.Helper()
	server := fakeDoerWith(func(*http.Request) (*http.Response, error) {
		return response(http.StatusOK, io.NopCloser(body)), nil
	})
	return collect(t.Context(), newModel(t, server, once), hello())
}

// longStream returns this many megabytes of ordinary events.
func longStream(megabytes int) (body string, n int) {
	event := `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1777319903,"model":"some/model","choices":[{"index":0,"delta":{"role":"assistant","content":" word"},"finish_reason":null}]}`
	n = megabytes * 1e6 / len("data: "+event+"\n\n")
	return strings.Repeat("data: "+event+"\n\n", n) + events(finish("stop")), n
}

// BenchmarkStream measures the decoder's speed and its cost per event; a model writes some 30 to 300 of
// them a second.
func BenchmarkStream(b *testing.B) {
	for _, megabytes := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("MB=%d", megabytes), func(b *testing.B) {
			body, n := longStream(megabytes)
			m := newModel(b, fakeDoerWith(stream(body)))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range m.Stream(b.Context(), hello()) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
		})
	}
}

func BenchmarkStream_Recorded(b *testing.B) {
	var body []byte
	for _, path := range recorded(b) {
		if strings.HasPrefix(filepath.Base(path), "openrouter-kimi") {
			one, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			body = append(body, bytes.ReplaceAll(one, []byte("data: [DONE]\n"), nil)...)
		}
	}
	m := newModel(b, fakeDoerWith(stream(string(body))), func(c *openai.Config) { c.Retry.Tries = 1 })
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range m.Stream(b.Context(), hello()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
