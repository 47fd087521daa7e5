package edgar_test

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func parseDocument(t *testing.T, doc, form string) edgar.Document {
	t.Helper()
	d, err := edgar.ParseDocument([]byte(doc), form)
	if err != nil {
		t.Fatalf("Parse(%.60q, %s): %v", doc, form, err)
	}
	return d
}

// documentText returns the text of a document as readers see it.
func documentText(t *testing.T, doc string) string {
	t.Helper()
	return parseDocument(t, doc, "10-K").Text()
}

func readSection(t *testing.T, d edgar.Document, item string) edgar.Section {
	t.Helper()
	wanted, err := market.ParseFilingItem(item)
	if err != nil {
		t.Fatal(err)
	}
	found, err := d.Section(wanted)
	if err != nil {
		t.Fatalf("Section(%s): %v", item, err)
	}
	return found
}

// itemNames returns short names of a document's items: "I-1A", "5.02".
func itemNames(d edgar.Document) []string {
	var out []string
	for _, i := range d.Items() {
		out = append(out, strings.TrimPrefix(i.Part+"-"+i.Item, "-"))
	}
	return out
}

// htmlPage returns a document of paragraphs.
func htmlPage(paragraphs ...string) string {
	return "<html><body><p>" + strings.Join(paragraphs, "</p>\n<p>") + "</p></body></html>"
}

// paragraphs returns a paragraph of about n characters.
func paragraphs(n int) string {
	return strings.Repeat("We sell goods in many places. ", n/30+1)
}

// sectionRecording reads a recording, and skips the test if there is none.
func sectionRecording(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.Open(recordings.Path(t, "market", "sec", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if from, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	all, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
