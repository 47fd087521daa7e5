package section_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar/section"
)

func parse(t *testing.T, doc, form string) section.Document {
	t.Helper()
	d, err := section.Parse([]byte(doc), form)
	if err != nil {
		t.Fatalf("Parse(%.60q, %s): %v", doc, form, err)
	}
	return d
}

// text is what a reader of the document gets.
func text(t *testing.T, doc string) string {
	t.Helper()
	return parse(t, doc, "10-K").Text()
}

func read(t *testing.T, d section.Document, item string) section.Text {
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

// items are a document's items in short: "I-1A", "5.02".
func items(d section.Document) []string {
	var out []string
	for _, i := range d.Items() {
		out = append(out, strings.TrimPrefix(i.Part+"-"+i.Item, "-"))
	}
	return out
}

// page is a document of paragraphs.
func page(paragraphs ...string) string {
	return "<html><body><p>" + strings.Join(paragraphs, "</p>\n<p>") + "</p></body></html>"
}

// prose is a paragraph of about n characters.
func prose(n int) string {
	return strings.Repeat("We sell goods in many places. ", n/30+1)
}

// recorded reads a recording in place, and skips the test where there is none.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(root, "fixtures", "market", "sec", name))
	if err != nil {
		t.Skipf("no recording to read: %v; NFA_FIXTURES may name the folder that holds fixtures/market", err)
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
