package toolkit_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newest returns prices of VTI and BND from Monday 2024-06-24 to Friday 2024-06-28.
func newest(t *testing.T, now string) (toolkit.LatestPrices, *markettest.Source) {
	t.Helper()
	first := toolstest.MustDay("2024-06-24")
	vti := markettest.Daily("VTI", first, "100", "105", "110", "115", "120")
	vti.Provenance.Adjustment, vti.Actions = market.AdjustmentSplit, []market.Action{}
	source := markettest.NewSource(vti, markettest.Daily("BND", first, "50", "50", "50.5", "50.5", "51"))
	return toolkit.LatestPrices{Prices: toolstest.Prices(t, source, now), Quotes: source}, source
}

func wantPrice(t *testing.T, n toolkit.LatestPrices, text, want string) {
	t.Helper()
	if got, err := n.FindPrice(t.Context(), text); err != nil || got.Price.String() != want {
		t.Errorf("Find(%s) = %s of %s, %v, want %s", text, got.Price, got.Provenance.AsOf, err, want)
	}
}

func TestLatestPrices_NoPriceIsOfAfterTheClock(t *testing.T) {
	n, _ := newest(t, "2024-06-28T21:00:00Z")
	wantPrice(t, n, "vti", "120")
	early, _ := newest(t, "2024-06-26T21:00:00Z") // its source still quotes the 28th
	wantPrice(t, early, "VTI", "110")
	n.Replay = true
	wantPrice(t, n, "VTI", "120")
	n.Replay, n.Quotes = false, nil
	wantPrice(t, n, "VTI", "120")
	before, _ := newest(t, "2024-06-20T21:00:00Z")
	if got, err := before.Price(t.Context(), "VTI"); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Price before the first close = %+v, %v, want market.ErrNoData", got, err)
	}
}

func TestLatestPrices_AtAnEarlierDayThePricesAreOfThatDay(t *testing.T) {
	n, _ := newest(t, "2024-06-28T21:00:00Z")
	then := n.At(toolstest.MustDay("2024-06-25"))
	if !then.Replay || !then.Today().Equal(toolstest.MustDay("2024-06-25")) {
		t.Errorf("At = %s, replay %v, want the 25th in a replay", then.Now(), then.Replay)
	}
	wantPrice(t, then, "VTI", "105")
	wantPrice(t, n, "VTI", "120")
	if same := n.At(n.Today()); same.Replay || !same.Now().Equal(n.Now()) {
		t.Errorf("At today = %s, replay %v, want what it was", same.Now(), same.Replay)
	}
}

func TestLatestPrices_EachIsAskedForOnceAndFailsAlone(t *testing.T) {
	for _, row := range []struct {
		name string
		err  error
		want int
	}{{"what a batch leaves out", nil, 2}, {"a batch that fails", market.ErrUnavailable, 3}} {
		t.Run(row.name, func(t *testing.T) {
			n, source := newest(t, "2024-06-28T21:00:00Z")
			b := &toolstest.BatchQuotes{QuoteSource: source, Err: row.err, Omits: []market.Symbol{"BND"}}
			n.Quotes = b
			got, err := n.PriceAll(t.Context(), []market.Symbol{"VTI", "GONE", "BND"})
			if err != nil || len(got) != 3 || got[0].Quote.Price.String() != "120" || !errors.Is(got[1].Err, market.ErrUnknownSymbol) || got[2].Quote.Price.String() != "51" {
				t.Fatalf("Each = %+v, %v, want 120, an unknown symbol and 51", got, err)
			}
			if n := len(b.Singles()); n != row.want {
				t.Errorf("%d requests for one symbol, want %d", n, row.want)
			}
		})
	}
}

func TestLatestPrices_ACancelledCallIsAnError(t *testing.T) {
	n, _ := newest(t, "2024-06-28T21:00:00Z")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := n.PriceAll(ctx, []market.Symbol{"VTI"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Each of a cancelled call = %+v, %v", got, err)
	}
}

func TestPrices_DayOfIsByTheClocksOwnCalendar(t *testing.T) {
	p := toolkit.Prices{Now: toolstest.Clock(t, "2024-06-28T21:00:00-04:00")}
	tokyo := time.Date(2024, 6, 29, 9, 30, 0, 0, time.FixedZone("JST", 9*3600))
	if got := p.DayOf(tokyo); !got.Equal(toolstest.MustDay("2024-06-28")) {
		t.Errorf("DayOf(%s) = %s, want the 28th in New York", tokyo, got)
	}
	if session := toolstest.MustDay("2024-06-28"); !p.DayOf(session).Equal(session) {
		t.Errorf("DayOf(%s) = %s, want the session's own day", session, p.DayOf(session))
	}
}

// failingSource panics with its API key.
type failingSource struct{ market.QuoteSource }

func (failingSource) Quote(context.Context, market.Symbol) (market.Quote, error) { panic("sk-CANARY") }

func (failingSource) Bars(context.Context, market.Symbol, market.Range) (market.Series, error) {
	panic("sk-CANARY")
}

// A panic of a source in a goroutine of the tool becomes a tool error. Otherwise the program would end
// and print the panic value.
func TestNewest_ASourceThatPanicsDoesSoWhereItIsWaitedFor(t *testing.T) {
	n, _ := newest(t, "2024-06-28T21:00:00Z")
	n.Quotes, n.Bars = failingSource{}, failingSource{}
	err := func() (err error) {
		defer crash.Catch(&err)
		_, err = n.PriceAll(t.Context(), []market.Symbol{"VTI", "BND"})
		return err
	}()
	at, ok := errors.AsType[*crash.Site](err)
	if !ok || !strings.Contains(at.Stack(), "toolkit_test.failingSource.") || strings.Contains(err.Error()+at.Stack(), "CANARY") {
		t.Errorf("Each = %v; want it to panic, with the source's place and without its words", err)
	}
}
