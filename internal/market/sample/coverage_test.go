package sample_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
)

func TestCoverage_SaysWhatIsThere(t *testing.T) {
	source := sample.New()
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
			if last := q.Provenance.AsOf.Format(time.DateOnly); !strings.Contains(sample.Coverage, last) {
				t.Errorf("%s ends on %s, which %q does not say", in.Symbol, last, sample.Coverage)
			}
		}
	}
	if want := strconv.Itoa(companies) + " companies"; !strings.Contains(sample.Coverage, want) {
		t.Errorf("%q does not say %q", sample.Coverage, want)
	}
}
