package main

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

func TestCheck_FailsAfter120Days(t *testing.T) {
	now := time.Date(2027, 2, 25, 12, 0, 0, 0, time.UTC)
	for asOf, fails := range map[string]bool{"2026-10-28": false, "2026-10-27": true, "": true} {
		if err := check(asOf, now); (err != nil) != fails {
			t.Errorf("%q: %v", asOf, err)
		}
	}
	if _, err := time.Parse(time.DateOnly, catalog.AsOf()); err != nil {
		t.Error(err)
	}
}
