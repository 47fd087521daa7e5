package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// recording is a recorded answer of a provider: a line of the manifest.
type recording struct {
	File, Provider, Request string
	Status                  int

	url *url.URL
}

// archive answers as the providers did when the answers were recorded.
type archive struct {
	dir  string
	rows []recording
}

func openArchive(t *testing.T) *archive {
	t.Helper()
	a := &archive{dir: recordings.Path(t, "market")}
	f, err := os.Open(filepath.Join(a.dir, "MANIFEST.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row recording
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("manifest: %v", err)
		}
		// Some have no single address and are only for the tests of their provider.
		method, address, _ := strings.Cut(row.Request, " ")
		address, _, _ = strings.Cut(address, " ")
		if row.url, err = url.Parse(address); err == nil && method == http.MethodGet && strings.HasPrefix(row.url.Path, "/") {
			a.rows = append(a.rows, row)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("manifest: %v", err)
	}
	return a
}

// ServeHTTP answers for the provider at the start of the path. If a path has several recordings, it uses the
// one with the most similar query, because periods never match exactly.
func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if path == "submissions/CIK0001045810.json" {
		_, _ = io.WriteString(w, nvidiaSubmissions)
		return
	}
	if name == "yahoo" && (path == "" || path == "v1/test/getcrumb") {
		http.SetCookie(w, &http.Cookie{Name: "A3", Value: "recorded", Domain: "yahoo.com"})
		_, _ = io.WriteString(w, "crumb")
		return
	}
	if strings.HasPrefix(path, "v10/finance/quoteSummary/") {
		_, _ = io.WriteString(w, a.summary(path, r.URL.Query().Get("modules")))
		return
	}
	folders := map[string]string{"edgar": "sec"}
	if folder, ok := folders[name]; ok {
		name = folder
	}
	best, most := recording{}, -1
	for _, row := range a.rows {
		if row.Provider != name || row.url.Path != "/"+path || row.Status != http.StatusOK {
			continue
		}
		alike := 0
		for key, values := range row.url.Query() {
			if r.URL.Query().Get(key) == values[0] {
				alike++
			}
		}
		if wants := r.URL.Query().Get("interval"); alike > most && row.url.Query().Get("interval") == wants {
			best, most = row, alike
		}
	}
	if most < 0 {
		http.NotFound(w, r)
		return
	}
	body, err := a.body(best.File)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
		return
	}
	_, _ = w.Write(body) // a client that has closed the connection is not an error here
}

// summary joins the recordings of single modules, because Yahoo returns several at once.
func (a *archive) summary(path, modules string) string {
	joined := map[string]json.RawMessage{}
	for _, row := range a.rows {
		if row.url.Path != "/"+path || !strings.Contains(modules, row.url.Query().Get("modules")) {
			continue
		}
		var recorded struct {
			QuoteSummary struct{ Result []map[string]json.RawMessage }
		}
		if body, err := a.body(row.File); err == nil && json.Unmarshal(body, &recorded) == nil && len(recorded.QuoteSummary.Result) > 0 {
			maps.Copy(joined, recorded.QuoteSummary.Result[0])
		}
	}
	text, err := json.Marshal(map[string]any{"quoteSummary": map[string]any{"result": []any{joined}, "error": nil}})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (a *archive) body(name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(a.dir, filepath.FromSlash(name)))
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return text, err
	}
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", name, err)
	}
	return io.ReadAll(r)
}

// recordedRun runs the whole program, with every provider at one address.
type recordedRun struct {
	t    *testing.T
	vars map[string]string
}

func newRecordedRun(t *testing.T, servers http.Handler) recordedRun {
	t.Helper()
	server := httptest.NewServer(servers)
	t.Cleanup(server.Close)
	vars := markettest.NewFakeProviders(clock).Env(server.URL)
	vars["NFA_HOME"], vars["NFA_DATA"], vars["NFA_KEY_STORE"] = t.TempDir(), "live", "file"
	vars["NFA_SEC_CONTACT"] = "tests@example.com"
	return recordedRun{t, vars}
}

// tool calls a tool as its command does and returns its result for the model.
func (p recordedRun) tool(name, arguments string, more ...string) string {
	p.t.Helper()
	var out, stderr bytes.Buffer
	term := terminal{out: &out, err: &stderr, env: func(name string) string { return p.vars[name] }}
	args := append([]string{"tools", "call", name, "--args", arguments, "--json"}, more...)
	if code := run(args, term); code != exitOK {
		p.t.Fatalf("nfa %s = %d: %s%s", strings.Join(args, " "), code, stderr.String(), out.String())
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, out.Bytes()); err != nil {
		p.t.Fatalf("nfa %s: %v: %s", strings.Join(args, " "), err, out.String())
	}
	return compact.String()
}

// nvidiaSubmissions replaces an answer that was not recorded. The test checks data of another answer.
const nvidiaSubmissions = `{"cik":"0001045810","entityType":"operating","sic":"3674","sicDescription":"Semiconductors","name":"NVIDIA CORP",
	"tickers":["NVDA"],"exchanges":["Nasdaq"],"fiscalYearEnd":"0125","stateOfIncorporation":"DE","addresses":{},"formerNames":[],
	"filings":{"recent":{"accessionNumber":[],"filingDate":[],"reportDate":[],"acceptanceDateTime":[],"form":[],"items":[],"primaryDocument":[],"primaryDocDescription":[]},"files":[]}}`

// Runs the whole program on recorded answers of Yahoo, the SEC, FRED, the Treasury and the ECB. The figures
// of the companies are from their annual reports: Apple's for fiscal 2023 to 2025, NVIDIA's for fiscal 2024
// to 2026. The others are in the recordings. The total return, computed by hand: Apple closed at 129.04 and
// at 118.69, and paid 0.205 on the last day, reinvested at the previous close, 119.03:
// 118.69 / 129.04 * 1/(1 - 0.205/119.03) - 1.
func TestRecorded_ToolsGiveWhatTheSourcesOnceSaid(t *testing.T) {
	run := newRecordedRun(t, openArchive(t))
	for _, row := range []struct {
		tool, arguments string
		want            []string
	}{
		{"financial_statements", `{"symbol":"AAPL","statement":"income"}`, []string{
			`"source":"sec-edgar"`, `"416161000000","391035000000","383285000000"`, `"112010000000","93736000000","96995000000"`, `"filed":"2025-10-31"`,
		}},
		{"financial_statements", `{"symbol":"AAPL","statement":"per_share"}`, []string{`"7.46","6.08","6.13"`}},
		{"financial_statements", `{"symbol":"NVDA","statement":"income"}`, []string{
			`"source":"sec-edgar"`, `"215938000000","130497000000","60922000000"`, `"120067000000","72880000000","29760000000"`, `"filed":"2026-02-25"`,
		}},
		{"filings", `{"symbol":"AAPL","limit":3}`, []string{`"source":"sec-edgar"`, `"company":"Apple Inc."`, `"filed":"2026-02-26","form":"4","period":"2026-02-24","accession":"0001059235-26-000004"`}},
		{"quote", `{"symbols":["AAPL","MSFT"]}`, []string{
			`"price":"336.91","previous":"333.02","change":"3.89","change_pct":"1.1680980121314035"`, `"price":"389.1","previous":"381.7","change":"7.4","change_pct":"1.9386953104532355"`, `"as_of":"2026-07-27T20:00:01Z"`, `"flags":["stale"]`,
		}},
		{"price_history", `{"symbol":"AAPL","from":"2020-08-31","to":"2020-11-06"}`, []string{
			`"count":49`, `"close":"129.04"`, `"close":"118.69"`, `"price_change_pct":"-8.0207687538747675","total_return_pct":"-7.8620837767618672"`, `"adjustment":"split"`,
		}},
		{"price_history", `{"symbol":"AAPL","interval":"5m","from":"2026-10-05"}`, []string{
			`"interval":"5m","timezone":"America/New_York","from":"2026-10-05 09:30","to":"2026-10-05 09:55","count":6`, `"close":"333.9227"`,
		}},
		{"earnings", `{"symbol":"AAPL"}`, []string{`"next_date":"2025-04-30","next_date_to":"2025-05-05","next_date_is_estimate":true`}},
		{"dividends_splits", `{"symbol":"AAPL","from":"2020-08-31","to":"2020-11-06"}`, []string{
			`"date":"2020-11-06","kind":"dividend","amount":"0.205"`, `"date":"2020-08-31","kind":"split","ratio":"4 for 1"`,
		}},
		{"macro_series", `{"series_id":"DGS10","from":"2024-12-01"}`, []string{
			`"source":"fred"`, `"latest":{"date":"2024-12-31","value":"4.58"}`, `"previous":{"date":"2024-12-30","value":"4.55"}`, `"count":21`,
		}},
		{"yield_curve", `{"curve":"us_treasury","date":"2023-08-31"}`, []string{`"source":"treasury"`, `"4.09"`, `"2023-08-31"`}},
		{"fx_rate", `{"pair":"EUR/USD","date":"2026-04-10"}`, []string{`"source":"ecb"`, `"1.1711"`, `"2026-04-10"`}},
	} {
		got := run.tool(row.tool, row.arguments)
		for _, want := range row.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s %s = %.3000s, want %s", row.tool, row.arguments, got, want)
			}
		}
		if strings.Contains(got, `"sample"`) {
			t.Errorf("%s %s = %.1500s, want nothing of the sample", row.tool, row.arguments, got)
		}
	}
}

// With --as-of, only data known on that day is shown: prices, reports by their filing date, and series.
func TestRecorded_NothingLaterThanTheDayShows(t *testing.T) {
	run := newRecordedRun(t, openArchive(t))
	for _, row := range []struct {
		tool, arguments, day string
		want, later          string
	}{
		{"quote", `{"symbols":["AAPL"]}`, "2020-10-30", `"price":"108.86"`, "2020-11"},
		{"financial_statements", `{"symbol":"AAPL","statement":"income"}`, "2024-06-30", `"383285000000"`, "391035000000"},
		{"macro_series", `{"series_id":"DGS10","from":"2024-01-01"}`, "2024-06-28", `"date":"2024-06-2`, "2024-07"},
	} {
		got := run.tool(row.tool, row.arguments, "--as-of", row.day)
		if !strings.Contains(got, row.want) || strings.Contains(got, row.later) {
			t.Errorf("%s %s as of %s = %.2000s, want %s and nothing of %s", row.tool, row.arguments, row.day, got, row.want, row.later)
		}
	}
}
