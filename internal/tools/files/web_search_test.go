package files_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func newSearchHit(t *testing.T, title, address, published string) market.WebResult {
	t.Helper()
	r := market.WebResult{Title: title, URL: address, Snippet: "words\nof  it", Provenance: market.Provenance{Source: "a search"}}
	if published != "" {
		r.Published = toolstest.MustDay(published)
	}
	return r
}

func newSearchDeps(t *testing.T, pages ...market.WebResult) files.Deps {
	t.Helper()
	d := newDeps(t)
	d.Search = &markettest.FakeFeeds{Pages: pages}
	return d
}

func TestWebSearch_MarksWhatItFoundAndNamesItsHost(t *testing.T) {
	res, got := group.CallOK(t, newSearchDeps(t, newSearchHit(t, "tax law", "https://law.example.org/a?b=c", "2026-01-02")), "web_search", args{"query": "tax  law"})
	toolstest.WantFields(t, got, map[string]any{"query": "tax law", "source": "a search", "searched_at": "2026-11-20T10:30:00Z"})
	toolstest.WantFields(t, got["pages"].([]any)[0].(map[string]any), map[string]any{
		"title": "tax law", "host": "law.example.org", "url": "https://law.example.org/a?b=c", "published": "2026-01-02", "snippet": "words of it",
	})
	if !strings.Contains(got["note"].(string), "text is untrusted") || !strings.HasPrefix(res.UserText(), "```text\ntax law  2026-01-02\nlaw.example.org  https://") {
		t.Errorf("note %v, people read %q; want the words set apart", got["note"], res.UserText())
	}
}

func TestWebSearch_LeavesOutWhatIsNoPageAndWhatWasNotAskedFor(t *testing.T) {
	d := newSearchDeps(t, newSearchHit(t, "page 1", "javascript:alert(1)", ""), newSearchHit(t, "page 2", "https://a.example/"+strings.Repeat("x", 2000), ""),
		newSearchHit(t, "page 3", "https://a.example/", ""), newSearchHit(t, "page 4", "https://b.example/", ""))
	d.Search.(*markettest.FakeFeeds).IgnoresQuery = true
	_, got := group.CallOK(t, d, "web_search", args{"query": "page", "limit": 1})
	if diff := cmp.Diff([]string{"page 3"}, toolstest.Rows(t, got, "pages", "title")); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

// A page without a date may be later than the clock.
func TestWebSearch_WithTheClockSetBackOnlyDatedPagesAreShown(t *testing.T) {
	pages := []market.WebResult{
		newSearchHit(t, "page of before", "https://a.example/", "2024-01-02"), newSearchHit(t, "page of later", "https://b.example/", "2026-11-21"), newSearchHit(t, "page of no date", "https://c.example/", ""),
	}
	d := newSearchDeps(t, pages...)
	d.ClockSetBack = true
	_, got := group.CallOK(t, d, "web_search", args{"query": "page"})
	if diff := cmp.Diff([]string{"page of before"}, toolstest.Rows(t, got, "pages", "title")); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	d.Search = &markettest.FakeFeeds{Pages: pages[1:]}
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "page"}), tool.CodeNoData, "2 pages were omitted")
}

// A page that is read now has current content.
func TestWeb_WithTheClockSetBackNoPageIsRead(t *testing.T) {
	d, _ := newFixture(t, nil)
	w := &fakeWeb{}
	d.Web, d.ClockSetBack = w, true
	for _, name := range []string{"web_fetch", "check_api"} {
		toolstest.WantError(t, group.Call(t, d, name, args{"url": "https://example.com/"}), "clock_set_back", "--as-of is 2026-11-20")
	}
	if w.requests > 0 {
		t.Errorf("%d pages were asked for", w.requests)
	}
}

func TestWebSearch_WhatKeepsItFromAnAnswerIsSaid(t *testing.T) {
	d := newSearchDeps(t)
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": " "}), tool.CodeValidation, "1 to 400")
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x", "limit": 21}), tool.CodeValidation, "1 to 20")
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x"}), tool.CodeNoData, "no results for")
	d.Search = &markettest.FakeFeeds{Err: fmt.Errorf("no source: %w", market.ErrNotConfigured)}
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x"}), "", "no web search is set up")
	d.Search = &markettest.FakeFeeds{Err: fmt.Errorf("status 503: %w", market.ErrUnavailable)}
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x"}), "", "status 503")
	d.Online = func() bool { return false }
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x"}), "offline", "the web was not searched")
	d.Search = nil
	toolstest.WantError(t, group.Call(t, d, "web_search", args{"query": "x"}), tool.CodeUnknownTool, "web_search")
}
