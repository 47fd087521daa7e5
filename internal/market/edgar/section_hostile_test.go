package edgar_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// A stack overflow ends the program; no recover can prevent it.
func TestParse_ATableOfAnyShapeIsRead(t *testing.T) {
	const many = 20_000
	for name, piece := range map[string]string{
		"a row without end":       "<td>1</td>",
		"cells that stay open":    "<td>1",
		"text between cells":      "1<td></td>",
		"rows without end":        "<tr><td>1</td></tr>",
		"tables within":           "<table><tr><td>1",
		"a cell over a thousand":  "<td colspan=1000 rowspan=1000>1</td>",
		"elements that end early": "<tr><td>1</div></td></p></tr></table><table>",
	} {
		doc, err := edgar.ParseDocument([]byte("<html><body><p>Before</p><table><tr>"+strings.Repeat(piece, many)+"</tr></table><p>After</p></body></html>"), "10-K")
		if err != nil {
			t.Errorf("%s: Parse = %v", name, err)
			continue
		}
		if text := doc.Text(); strings.Count(text, "1") != many || !strings.HasPrefix(text, "Before") {
			t.Errorf("%s: %d of %d cells are in the text", name, strings.Count(text, "1"), many)
		}
	}
}
