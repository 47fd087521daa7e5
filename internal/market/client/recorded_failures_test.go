package client_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// recording is a line in the list of recorded responses.
type recording struct {
	File   string `json:"file"`
	Status int    `json:"status"`
}

// refusals returns the recorded responses with a status other than 200, which are outside the repository.
func refusals(t *testing.T) (folder string, all []recording) {
	t.Helper()
	folder = recordings.Path(t, "market")
	list, err := os.Open(filepath.Join(folder, "MANIFEST.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one recording
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		if one.Status != 200 && filepath.Ext(one.File) != ".http" {
			all = append(all, one)
		}
	}
	if err := lines.Err(); err != nil || len(all) < 10 {
		t.Fatalf("%d recorded refusals, %v", len(all), err)
	}
	return folder, all
}

func TestGet_RecordedRefusalsMeanWhatTheirStatusSays(t *testing.T) {
	folder, all := refusals(t)
	for _, one := range all {
		t.Run(one.File, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(folder, one.File))
			if err != nil {
				t.Fatal(err)
			}
			want := map[int]error{
				401: market.ErrAuth, 402: market.ErrAuth, 403: market.ErrAuth, 404: market.ErrUnknownSymbol,
				422: market.ErrNoData, 429: market.ErrRateLimited, 503: market.ErrUnavailable,
			}[one.Status]
			synctest.Test(t, func(t *testing.T) {
				answer := markettest.Response{Status: one.Status, Body: body}
				_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": answer}), fastPolicy).Get(t.Context(), quote())
				found, ok := errors.AsType[*market.SourceError](err)
				if !ok || want == nil || !errors.Is(err, want) || found.Detail == "" || len(found.Detail) > 800 {
					t.Errorf("Get = %v, want %v with the server's words", err, want)
				}
				t.Log(err)
			})
		})
	}
}

// Their bodies are valid, and only a provider can tell that they contain no data.
func TestGet_RecordedErrorsOfStatus200AreForTheirProviders(t *testing.T) {
	folder, _ := refusals(t)
	for _, file := range []string{"alphavantage-ratelimit.json", "nasdaq-400.json", "finnhub-quote-unknown-200.json"} {
		body, err := os.ReadFile(filepath.Join(folder, "errors", file))
		if err != nil {
			t.Fatal(err)
		}
		r, seen := quote(), 0
		r.Check = func(client.Response) error { seen++; return market.ErrRateLimited }
		_, err = source(markettest.NewScript(map[string]markettest.Response{"/quote": {Body: body}}), fastPolicy).Get(t.Context(), r)
		if !errors.Is(err, market.ErrRateLimited) || seen != 1 {
			t.Errorf("%s: Get = %v after %d looks, want the check's word after one", file, err, seen)
		}
	}
}
