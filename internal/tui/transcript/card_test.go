package transcript

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
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
		{"running", card{name: "quote", arguments: `{"symbol":"AAPL"}`}, 40, []string{"● quote  AAPL"}},
		{"done", card{name: "quote", title: "AAPL", summary: "70.70 USD", state: cardDone, took: 3 * time.Millisecond}, 40,
			[]string{"✓ quote  AAPL            70.70 USD  3 ms"}},
		{"failed", card{name: "quote", title: "APPL", summary: "no symbol APPL", failure: "no symbol APPL; did you mean AAPL?", state: cardFailed, took: time.Second}, 30,
			[]string{"✗ quote  APPL              1 s", "  no symbol APPL; did you mean", "  AAPL?"}},
		{"a long failure is cut", card{name: "q", failure: strings.Repeat("word ", 40), state: cardFailed}, 20,
			[]string{"✗ q", "  word word word", "  word word word", "  word word word…"}},
		{"interrupted", card{name: "backtest", state: cardInterrupted}, 30, []string{"! backtest         interrupted"}},
		{"skill", card{skill: "get-price", state: cardDone}, 30, []string{"✓ skill loaded  get-price"}},
		{"opened without more to show", card{name: "quote", title: "AAPL", state: cardDone, open: true}, 20, []string{"▾ quote  AAPL", "  │ AAPL"}},
		{"summary before title", card{name: "price_history", title: "^GSPC · 2008 to 2020 · daily", summary: "3,095 bars", state: cardDone}, 40,
			[]string{"✓ price_history  ^GSPC · 20…  3,095 bars"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.card.draw(st, tt.width)); diff != "" {
				t.Errorf("drawn (-want +got):\n%s", diff)
			}
		})
	}
}
