package market_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

// C20: the code tells scripts whether to wait, to correct the arguments or to give up.
func TestErrorCode_OfEverySentinel(t *testing.T) {
	for want, errs := range map[string][]error{
		market.CodeUnknownSymbol: {market.ErrUnknownSymbol},
		market.CodeRateLimited:   {market.ErrRateLimited},
		market.CodeUnauthorized:  {market.ErrAuth, market.ErrNotConfigured},
		market.CodeMalformed:     {market.ErrMalformed},
		market.CodeUnavailable:   {market.ErrUnavailable},
		market.CodeNoData:        {market.ErrNoData, market.ErrNotCovered},
	} {
		for _, err := range errs {
			source := &market.SourceError{Source: "yahoo", Op: "quote of AAPL", Err: err}
			for _, e := range []error{err, source, fmt.Errorf("price of AAPL: %w", source)} {
				if got := market.ErrorCode(e); got != want {
					t.Errorf("the code of %q is %q, want %q", e, got, want)
				}
			}
		}
	}
	unreachable := &market.SourceError{Source: "yahoo", Op: "quote of AAPL", Err: market.ErrUnavailable, Unreachable: true}
	if got := unreachable.ErrorCode(); got != market.CodeOffline {
		t.Errorf("the code of a source that cannot be reached is %q", got)
	}
}
