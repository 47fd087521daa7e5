package edgar_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// Paths of the SEC's servers.
const (
	tickersPath     = "/files/company_tickers.json"
	submissionsPath = "/submissions/CIK0000001234.json"
	olderPath       = "/submissions/CIK0000001234-submissions-001.json"
	factsPath       = "/api/xbrl/companyfacts/CIK0000001234.json"
	folder          = "/Archives/edgar/data/1234/"
	reportPath      = folder + "000095017024000004/exm-10k.htm"
	formPath        = folder + "000095017024000008/form4.xml"
	amendedPath     = folder + "000095017024000009/amended.xml"
	currentPath     = "/cgi-bin/browse-edgar"
	masterPath      = "/Archives/edgar/full-index/2024/QTR1/master.gz"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recording returns a recorded response of the SEC, or skips the test if there is none.
func recording(t testing.TB, name string) []byte {
	t.Helper()
	text := recordings.Read(t, "market", "sec", name)
	if filepath.Ext(name) != ".gz" {
		return text
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(unpacked); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// gzipped returns text in the form of an index file.
func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// newScript returns an SEC with one company whose filings are all available.
func newScript(t testing.TB) *markettest.Script {
	t.Helper()
	answers := map[string]markettest.Response{
		masterPath: {Body: gzipped(t, "Description: Master Index\n\nCIK|Company Name|Form Type|Date Filed|Filename\n--------\n"+
			"1234|Example Corp|10-K|2024-02-01|edgar/data/1234/0000950170-24-000004.txt\n"+
			"5678|Exemplary Lumber|10-K|2024-02-02|edgar/data/5678/0000950170-24-000033.txt\n")},
	}
	for path, name := range map[string]string{
		tickersPath: "company_tickers.json", submissionsPath: "submissions.json", olderPath: "older.json", factsPath: "facts.json",
		reportPath: "exm-10k.htm", formPath: "form4.xml", amendedPath: "amended.xml", currentPath: "current.atom",
	} {
		answers[path] = markettest.Response{Body: testdata(t, name)}
	}
	// The SEC's response for files that its archive does not have.
	for _, year := range []string{"2024", "1999"} {
		for _, quarter := range []string{"1", "2", "3", "4"} {
			path := "/Archives/edgar/full-index/" + year + "/QTR" + quarter + "/master.gz"
			if _, there := answers[path]; !there {
				answers[path] = markettest.Response{Status: 403, Body: []byte("<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>")}
			}
		}
	}
	return markettest.NewScript(answers)
}

func now() time.Time { return time.Date(2024, time.June, 3, 12, 0, 0, 0, time.UTC) }

func source(t testing.TB, script *markettest.Script) *edgar.Source {
	t.Helper()
	return edgar.New(client.New(client.Options{Transport: script, Now: now}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Contact: "jane@example.com", Now: now})
}

func date(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestSource_KeepsTheContractOfFilings(t *testing.T) {
	markettest.RunFilings(t, func(t *testing.T) markettest.FilingSubject {
		return markettest.FilingSubject{
			Source: source(t, newScript(t)), Listed: "EXM", Accession: "0000950170-24-000004", Item: market.FilingItem{Part: "I", Item: "1A"},
		}
	})
}
