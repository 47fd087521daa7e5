package feed_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

func TestCoverage_SaysWhatIsThere(t *testing.T) {
	source := feed.NewSampleSource()
	companies := 0
	instruments, err := source.Instruments(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range instruments {
		q, err := source.Quote(t.Context(), in.Symbol)
		switch {
		case err != nil: // statements only
			continue
		case in.Kind == "equity":
			companies++
		}
		if in.Kind == "equity" || in.Symbol == market.Symbol("^GSPC") {
			if last := q.Provenance.AsOf.Format(time.DateOnly); !strings.Contains(feed.SampleCoverage, last) {
				t.Errorf("%s ends on %s, which %q does not say", in.Symbol, last, feed.SampleCoverage)
			}
		}
	}
	if want := strconv.Itoa(companies) + " companies"; !strings.Contains(feed.SampleCoverage, want) {
		t.Errorf("%q does not say %q", feed.SampleCoverage, want)
	}
}
