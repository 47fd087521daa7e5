package main

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestContact_IsAskedForOnceAndOnlyWhereItIsOfUse(t *testing.T) {
	live := config.Data{Mode: "live"}
	p := &program{home: t.TempDir(), cfg: &config.Config{Data: live}}
	if got := p.contactNotice(); !strings.Contains(got, "nfa config set sec.contact") {
		t.Errorf("first start = %q, want how to set the address", got)
	}
	if got := p.contactNotice(); got != "" {
		t.Errorf("second start = %q, want nothing", got)
	}
	for name, data := range map[string]config.Data{"on the sample": {Mode: "sample"}, "with an address": {Mode: "live", SECContact: "me@example.com"}} {
		p := &program{home: t.TempDir(), cfg: &config.Config{Data: data}}
		if got := p.contactNotice(); got != "" {
			t.Errorf("%s = %q, want nothing", name, got)
		}
	}
}
