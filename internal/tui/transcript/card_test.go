package transcript

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestCard_ShowsItsStateWithoutColor(t *testing.T) {
	st := widget.NewStyles(markdown.PlainTheme())
	for _, tt := range []struct {
		name  string
		card  card
		width int
		want  []string
	}{
		{"running", card{label: "Price", name: "quote", arguments: `{"symbol":"AAPL"}`}, 40, []string{"● Price      AAPL"}},
		{"done", card{label: "Price", result: tool.Result{Title: "AAPL", Summary: "70.70 USD"}, state: cardDone, took: 3 * time.Millisecond}, 44,
			[]string{"✓ Price      AAPL          70.70 USD    3 ms"}},
		{"without a label", card{name: "mcp_files_read_all", state: cardDone}, 40, []string{"✓ Read all"}},
		{"failed", card{label: "Price", result: tool.Result{Title: "APPL", Summary: "no such symbol"}, failure: "no symbol APPL; did you mean AAPL?", state: cardFailed, took: time.Second}, 30,
			[]string{"✗ Price      APPL          1 s", "  No symbol APPL; did you mean", "  AAPL?"}},
		{"failed, and the answer says why", card{label: "Price", result: tool.Result{Title: "ZZZZ", Summary: "no such symbol"}, failureStated: true, failure: "no symbol ZZZZ", state: cardFailed, took: time.Second}, 60,
			[]string{"✗ Price      ZZZZ                     no such symbol     1 s"}},
		{"a long failure is cut", card{label: "Q", failure: strings.Repeat("word ", 40), state: cardFailed}, 20,
			[]string{"✗ Q", "  Word word word", "  word word word", "  word word word…"}},
		{"interrupted", card{label: "Backtest", state: cardInterrupted}, 30, []string{"! Backtest         interrupted"}},
		{"skill", card{skill: "get-price", state: cardDone}, 30, []string{"✓ Skill      get-price  loaded"}},
		{"opened without more to show", card{label: "Price", name: "quote", result: tool.Result{Title: "AAPL"}, state: cardDone, open: true}, 20, []string{"▾ Price      AAPL", "  │ AAPL", "  │ ", "  │ quote"}},
		{"summary before title", card{label: "Prices", result: tool.Result{Title: "^GSPC · 2008 to 2020 · daily", Summary: "3,095 closes"}, state: cardDone}, 40,
			[]string{"✓ Prices     ^GSPC · 2008…  3,095 closes"}},
		{"key figures", card{result: tool.Result{Keys: []tool.KeyFigure{{Text: "70.70 USD"}, {Text: "-1.27 (-0.47%)", Sign: -1}}, About: tool.KeyAbout{Subject: "AAPL", Dated: "2020-04-17 close"}}, state: cardDone, asFigures: true}, 60,
			[]string{"AAPL  70.70 USD  -1.27 (-0.47%)   2020-04-17 close"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.card.draw(st, tt.width)); diff != "" {
				t.Errorf("drawn (-want +got):\n%s", diff)
			}
		})
	}
}
