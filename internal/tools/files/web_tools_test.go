package files_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestWebFetch_MarksThePageAndReadsOnWithoutAskingAgain(t *testing.T) {
	d, _ := newFixture(t, nil)
	text := strings.Repeat("words of the page € ", 2000)
	w := &fakeWeb{pages: map[string]files.WebPage{"http://example.com/a": {
		URL: "https://example.com/b", Kind: "text/html", Text: text, Bytes: 99_000, Redirects: []files.Redirect{{URL: "http://example.com/a", Status: 301}},
		PageMeta: files.PageMeta{Title: "A page", Author: "Someone", Published: "2026-01-02"},
	}}}
	d.Web = w
	router := group.Open(t, d)
	var got strings.Builder
	for offset := 0.0; ; {
		res := toolstest.CallRouter(t, router, "web_fetch", args{"url": "http://example.com/a", "offset": offset})
		if res.IsError {
			t.Fatal(res.ErrorText())
		}
		page := toolstest.Object(t, res.ModelText())
		toolstest.WantFields(t, page, map[string]any{
			"url": "https://example.com/b", "asked_url": "http://example.com/a", "title": "A page", "published": "2026-01-02",
			"fetched_at": "2026-11-20T10:30:00Z", "bytes": 99_000.0, "text_size": float64(len(text)), "offset": offset,
		})
		if !strings.Contains(page["note"].(string), "text is untrusted") {
			t.Errorf("the note is %v", page["note"])
		}
		got.WriteString(page["text"].(string))
		next, more := page["next_offset"].(float64)
		if !more {
			break
		}
		offset = next
	}
	if got.String() != text || w.requests != 1 {
		t.Errorf("%d bytes in %d requests, want %d in one", got.Len(), w.requests, len(text))
	}
	wantErrorOf(t, "past the end", toolstest.CallRouter(t, router, "web_fetch", args{"url": "http://example.com/a", "offset": len(text)}), "past the end")
	toolstest.CallRouter(t, router, "web_fetch", args{"url": "http://example.com/a"})
	if w.requests != 2 {
		t.Errorf("from the start: %d requests, want the page asked anew", w.requests)
	}
}

func TestWeb_OfflineNobodyIsAsked(t *testing.T) {
	d, _ := newFixture(t, nil)
	w := &fakeWeb{}
	d.Web, d.Online = w, func() bool { return false }
	for _, name := range []string{"web_fetch", "check_api"} {
		toolstest.WantError(t, group.Call(t, d, name, args{"url": "https://example.com/"}), "offline", "without --offline")
	}
	if w.requests != 0 {
		t.Errorf("%d requests while offline", w.requests)
	}
}

func TestWebFetch_ErrorsOfferTheNextMove(t *testing.T) {
	d, _ := newFixture(t, nil)
	d.Web = files.NewWebClient(files.WebOptions{})
	toolstest.WantError(t, group.Call(t, d, "web_fetch", args{"url": "http://127.0.0.1/"}), "address_refused", "do not work around it")
	toolstest.WantError(t, group.Call(t, d, "check_api", args{"url": "http://169.254.169.254/"}), "address_refused", "not a public internet address")
	toolstest.WantError(t, group.Call(t, d, "check_api", args{"url": "https://example.com/", "method": "post"}), "address_refused", "use GET or HEAD")
	errs := map[string]error{
		"login": &files.HTTPStatusError{Code: 403}, "gone": &files.HTTPStatusError{Code: 404}, "busy": &files.HTTPStatusError{Code: 503, RetryAfter: "9"},
		"pdf": fmt.Errorf("%w but application/pdf", files.ErrNotTextPage), "slow": fmt.Errorf("%w: no whole answer", files.ErrWebTimeout), "down": errors.New("connection refused"),
	}
	d.Web = &fakeWeb{errs: errs}
	for address, says := range map[string]string{"login": "paste the text", "gone": "right URL", "busy": "retry after 9", "pdf": "application/pdf", "slow": "later", "down": "connection refused"} {
		wantErrorOf(t, address, group.Call(t, d, "web_fetch", args{"url": address}), says)
	}
}

func TestCheckAPI_TellsWhatWasFoundWithItsFigures(t *testing.T) {
	d, _ := newFixture(t, nil)
	d.Web = &fakeWeb{probes: map[string]files.URLProbe{"https://example.com/v1": {
		URL: "https://example.com/v1", Status: 401, StatusText: "Unauthorized", Latency: 123 * time.Millisecond, Kind: "application/json", Bytes: 20,
		TLS: "1.3", Certificate: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), JSON: "valid", Fields: []string{"error"}, Beginning: `{"error":"no key"}`,
	}}}
	res, got := group.CallOK(t, d, "check_api", args{"url": "https://example.com/v1"})
	toolstest.WantFields(t, got, map[string]any{
		"up": true, "status": 401.0, "latency_ms": 123.0, "method": "GET", "certificate_until": "2026-12-01", "certificate_days_left": 10.0, "json": "valid",
		"checked_at": "2026-11-20T10:30:00Z",
	})
	if f := toolstest.Figure(t, res, "status"); f.Value.String() != "401" || !strings.Contains(res.UserText(), "401 Unauthorized · 123 ms") {
		t.Errorf("status %s, shown as %s", f.Value, res.UserText())
	}
}

func TestCheckAPI_NoAnswerIsAnAnswer(t *testing.T) {
	d, _ := newFixture(t, nil)
	d.Web = &fakeWeb{errs: map[string]error{"https://example.com/": errors.New("connect: connection refused")}}
	_, got := group.CallOK(t, d, "check_api", args{"url": "https://example.com/", "method": "head"})
	toolstest.WantFields(t, got, map[string]any{"up": false, "problem": "connect: connection refused", "url": "https://example.com/", "method": "HEAD"})
}

func TestWeb_CancelledCallsAreNotAnswered(t *testing.T) {
	d, _ := newFixture(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := group.Open(t, d).Call(ctx, llm.ToolCall{Name: "web_fetch", Arguments: `{"url":"https://example.com/"}`})
	if !errors.Is(err, context.Canceled) || out.Result.Code != tool.CodeCancelled {
		t.Errorf("a cancelled call = %+v, %v", out.Result, err)
	}
}
