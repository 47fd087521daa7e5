package main

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app/screens"
)

func TestBanner_AsksForTheSECContactOnceAndOnlyWhereItIsOfUse(t *testing.T) {
	const advice = "nfa config set sec.contact"
	a := newSessionProgram(t)
	if got := screens.Banner(a, nil).Notice; strings.Contains(got, advice) {
		t.Errorf("on the sample = %q, want nothing of an address", got)
	}
	a.Market.Mode.SampleOnly = false
	a.Config.Data.SECContact = "me@example.com"
	if got := screens.Banner(a, nil).Notice; strings.Contains(got, advice) {
		t.Errorf("with an address = %q, want nothing of one", got)
	}
	a.Config.Data.SECContact = ""
	if got := screens.Banner(a, nil).Notice; !strings.Contains(got, advice) {
		t.Errorf("first start = %q, want how to set the address", got)
	}
	if got := screens.Banner(a, nil).Notice; strings.Contains(got, advice) {
		t.Errorf("second start = %q, want nothing of an address", got)
	}
}
