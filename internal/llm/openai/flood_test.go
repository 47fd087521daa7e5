package openai_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
)

// flood is a body that repeats the same event until it is closed or limit bytes were read.
type flood struct {
	event  string
	limit  int
	given  int
	rest   string
	closed bool
}

func (f *flood) Read(p []byte) (int, error) {
	if f.given >= f.limit {
		return 0, io.EOF
	}
	if f.rest == "" {
		f.rest = "data: " + f.event + "\n\n"
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	f.given += n
	return n, nil
}

func (f *flood) Close() error { f.closed = true; return nil }

func TestStream_AnAnswerThatNeverEndsIsCutOff(t *testing.T) {
	const most = 4 << 20
	word := quoted(strings.Repeat("word ", 20_000))
	for name, event := range map[string]string{
		"text":              delta(`{"content":` + word + `}`),
		"refusal":           delta(`{"refusal":` + word + `}`),
		"white space":       delta(`{"content":` + quoted(strings.Repeat(" ", 100_000)) + `}`),
		"reasoning":         delta(`{"reasoning_content":` + word + `}`),
		"reasoning details": delta(`{"reasoning_details":[{"type":"reasoning.encrypted","data":` + word + `}]}`),
		"empty details":     delta(`{"reasoning_details":[{}` + strings.Repeat(",{}", 20_000) + `]}`),
		"arguments":         calling(`{"index":0,"id":"c","function":{"name":"n","arguments":` + word + `}}`),
		"names":             calling(`{"index":0,"id":"c","function":{"name":"n"}},{"index":0,"function":{"name":` + word + `}}`),
	} {
		t.Run(name, func(t *testing.T) {
			body := &flood{event: event, limit: 5 * most}
			server := fakeDoerWith(func(*http.Request) (*http.Response, error) {
				return response(http.StatusOK, body), nil
			})
			got, err := collect(t.Context(), newModel(t, server), hello())
			wantKind(t, err, llm.KindTruncated)
			if !strings.Contains(err.Error(), "longer than 4 MiB") {
				t.Errorf("error %q does not say that the answer was too long", err)
			}
			if n := len(got.Text) + len(got.Reasoning); n > most || len(got.Calls) > 0 {
				t.Errorf("%d bytes and %d calls were given out, want no more than %d and none", n, len(got.Calls), most)
			}
			if body.given > most+most/2 || !body.closed || server.count() != 1 {
				t.Errorf("%d bytes read in %d requests, closed %v: want the first one closed at the limit", body.given, server.count(), body.closed)
			}
		})
	}
}

func TestStream_ALongAnswerInSmallPiecesIsWhole(t *testing.T) {
	// Only the answer counts, although its envelope is many times as long.
	piece := delta(`{"content":"word ","reasoning_details":[{"type":"reasoning.text","index":0,"text":"word ","format":"` + strings.Repeat("x", 1000) + `"}]}`)
	const pieces = 5_000
	got, err := read(t, strings.Repeat("data: "+piece+"\n\n", pieces)+events(finish("stop")))
	if err != nil || len(got.Text) != 5*pieces || got.Finish != llm.FinishStop {
		t.Errorf("got %d bytes, finish %q, %v; want all %d", len(got.Text), got.Finish, err, 5*pieces)
	}
}

// The cost of each part must not depend on the number of parts: if each copied the text so far, this many
// would take minutes.
func TestStream_AnAnswerInVeryManyPartsIsRead(t *testing.T) {
	const parts = 200_000
	event := delta(`{"content":["a"` + strings.Repeat(`,"a"`, parts-1) + `]}`)
	server := fakeDoerWith(func(*http.Request) (*http.Response, error) {
		return response(http.StatusOK, io.NopCloser(strings.NewReader("data: "+event+"\n\ndata: [DONE]\n\n"))), nil
	})
	got, err := collect(t.Context(), newModel(t, server), hello())
	if err != nil || got.Text != strings.Repeat("a", parts) {
		t.Errorf("read %d bytes and %v, want one of each of %d parts", len(got.Text), err, parts)
	}
}

func TestStream_EmptyEventsAreNotKept(t *testing.T) {
	const events = 5 << 20 // with a byte kept of each, larger than an event may be
	body := strings.Repeat("data:\n\n", events) + "data: " + delta(`{"content":"a"}`) + "\n\ndata: " + finish("stop") + "\n\ndata: [DONE]\n\n"
	got, err := collect(t.Context(), newModel(t, fakeDoerWith(func(*http.Request) (*http.Response, error) {
		return response(http.StatusOK, io.NopCloser(strings.NewReader(body))), nil
	})), hello())
	if err != nil || got.Text != "a" {
		t.Errorf("got %q, %v; want the answer after the empty events", got.Text, err)
	}
}
