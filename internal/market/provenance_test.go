package market_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestProvenance_FlagsOfAResultAreNotThoseOfAnother(t *testing.T) {
	const stale, delayed, thin = market.FlagStale, market.FlagDelayed, market.FlagThin
	shared := market.Provenance{Flags: append(make([]market.Flag, 0, 8), stale, delayed)}
	more, less := shared.With(thin, stale), shared.Without(stale)
	if diff := cmp.Diff([]market.Flag{stale, delayed, thin}, more.Flags); diff != "" {
		t.Errorf("With (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Flag{delayed}, less.Flags); diff != "" {
		t.Errorf("Without (-want +got):\n%s", diff)
	}
	if none := less.Without(delayed); none.Flags != nil || none.Without(delayed).Flags != nil {
		t.Errorf("without the last one there are %v, want none", none.Flags)
	}
	if diff := cmp.Diff([]market.Flag{stale, delayed}, shared.Flags); diff != "" {
		t.Errorf("the shared result was changed (-want +got):\n%s", diff)
	}
}
