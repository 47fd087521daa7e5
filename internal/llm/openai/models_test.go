package openai_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

func dollars(s string) decimal.NullDecimal {
	if s == "" {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.RequireFromString(s))
}

func TestParseModelList_EveryDialectIsUnderstood(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []openai.ListedModel
	}{
		{"plain", `{"object":"list","data":[{"id":"b"},{"id":"a"},{"id":"a"}]}`, []openai.ListedModel{{Model: "a"}, {Model: "b"}}},
		{"bare array", `[{"id":"x","context_length":131072,"pricing":{"input":0.88,"output":0.9}}]`,
			[]openai.ListedModel{{Model: "x", Window: 131072, Input: dollars("0.88"), Output: dollars("0.9")}}},
		{"by the token", `{"data":[{"id":"d/x","context_length":64000,"pricing":{"prompt":"0.00000014","completion":"0.00000028","input_cache_read":"0.0000000028"}}]}`,
			[]openai.ListedModel{{Model: "d/x", Window: 64000, Input: dollars("0.14"), Output: dollars("0.28"), Cached: dollars("0.0028")}}},
		{"prices that are none", `{"data":[{"id":"auto","pricing":{"prompt":"-1","completion":"-1"}},{"id":"free","pricing":{"prompt":"0","completion":"0"}},{"id":"half","pricing":{"prompt":"0.1"}}]}`,
			[]openai.ListedModel{{Model: "auto"}, {Model: "free"}, {Model: "half"}}},
		{"of vLLM", `{"data":[{"id":"q","max_model_len":32768}]}`, []openai.ListedModel{{Model: "q", Window: 32768}}},
		{"of llama.cpp", `{"data":[{"id":"q.gguf","meta":{"n_ctx":8192,"n_ctx_train":131072}}]}`, []openai.ListedModel{{Model: "q.gguf", Window: 8192}}},
		{"prefixed", `{"data":[{"id":"models/gemini-2.5-pro"}]}`, []openai.ListedModel{{Model: "gemini-2.5-pro"}}},
		{"hostile", `{"data":[{"id":"a\u001b[31m"},{"id":"two words"},{"id":7},null,3,{"id":"ok","context_length":"many","meta":[],"pricing":{"prompt":"1e999999999","completion":"1"}}]}`, []openai.ListedModel{{Model: "ok"}}},
		{"numbers that would fill the memory", `{"data":[{"id":"a","max_model_len":1e-999999999},{"id":"b","context_length":"1e-999999999"},{"id":"c","pricing":{"input":1e-999999999,"output":1}}]}`,
			[]openai.ListedModel{{Model: "a"}, {Model: "b"}, {Model: "c"}}},
		{"with the day it ends", `{"data":[{"id":"a","shutdown_date":1797033599},{"id":"b","shutdown_date":"2026-12-11"},{"id":"c","shutdown_date":"2026-12-11T23:00:00Z"},{"id":"d","shutdown_date":"soon"},{"id":"e","shutdown_date":-5},{"id":"f","shutdown_date":null}]}`,
			[]openai.ListedModel{{Model: "a", Ends: "2026-12-11"}, {Model: "b", Ends: "2026-12-11"}, {Model: "c", Ends: "2026-12-11"}, {Model: "d"}, {Model: "e"}, {Model: "f"}}},
		{"empty", `{"data":[]}`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := openai.ParseModelList([]byte(row.text))
			if !ok {
				t.Fatal("not taken for a list")
			}
			if diff := cmp.Diff(row.want, got, cmp.Comparer(sameMoney)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{``, `{}`, `{"error":"no"}`, `<html>`, `"x"`, `{"data":null}`} {
		if got, ok := openai.ParseModelList([]byte(text)); ok {
			t.Errorf("%s was taken for a list: %v", text, got)
		}
	}
}

func sameMoney(a, b decimal.NullDecimal) bool {
	return a.Valid == b.Valid && a.Decimal.Equal(b.Decimal)
}

func FuzzParseModelList(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"a","context_length":1e9,"pricing":{"prompt":"1e-7","completion":"0.1"}}]}`))
	f.Add([]byte(`[{"id":"b","meta":{"n_ctx":-5}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		models, _ := openai.ParseModelList(text)
		for _, o := range models {
			if o.Model == "" || strings.ContainsAny(o.Model, " \n\x1b") || o.Window < 0 {
				t.Errorf("offer %+v", o)
			}
			if o.Input.Valid != o.Output.Valid || o.Input.Valid && o.Input.Decimal.Sign() <= 0 {
				t.Errorf("%s costs %v and %v", o.Model, o.Input, o.Output)
			}
		}
	})
}

// recordingDoer records the request for a list.
type recordingDoer struct {
	answer func(*http.Request) (*http.Response, error)
	got    *http.Request
}

func (a *recordingDoer) Do(req *http.Request) (*http.Response, error) {
	a.got = req
	return a.answer(req)
}

func listModels(ctx context.Context, doer openai.Doer) ([]openai.ListedModel, error) {
	return openai.ListModels(ctx, openai.Config{
		Provider: "test", BaseURL: "https://llm.example/v1/", APIKey: canary, HTTPClient: doer, Header: http.Header{"X-Api-Key": {canary}},
	})
}

func TestOffers_AsksOnceWithTheKey(t *testing.T) {
	doer := &recordingDoer{answer: status(200, `{"data":[{"id":"m"}]}`)}
	got, err := listModels(t.Context(), doer)
	if err != nil || len(got) != 1 || got[0].Model != "m" {
		t.Fatalf("ParseModelList = %v, %v", got, err)
	}
	if doer.got.URL.String() != "https://llm.example/v1/models" || doer.got.Header.Get("Authorization") != "Bearer "+canary || doer.got.Header.Get("X-Api-Key") != canary {
		t.Errorf("asked %s with %v", doer.got.URL, doer.got.Header)
	}
}

func TestOffers_FailuresHaveTheMeaningsOfAStream(t *testing.T) {
	for kind, answer := range map[llm.Kind]func(*http.Request) (*http.Response, error){
		llm.KindAuth:    status(401, `{"error":{"message":"no such key `+canary+`"}}`),
		llm.KindServer:  status(200, `<html><title>hello</title></html>`),
		llm.KindNetwork: failing(io.ErrUnexpectedEOF),
	} {
		_, err := listModels(t.Context(), &recordingDoer{answer: answer})
		wantKind(t, err, kind)
	}
	endless := &recordingDoer{answer: func(*http.Request) (*http.Response, error) {
		return response(200, io.NopCloser(io.MultiReader(strings.NewReader("["), zeros{}))), nil
	}}
	_, err := listModels(t.Context(), endless)
	wantKind(t, err, llm.KindServer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := listModels(ctx, &recordingDoer{answer: failing(context.Canceled)}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
