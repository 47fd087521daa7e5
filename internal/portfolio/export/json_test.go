package export_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

func TestJSON_NothingOfALedgerIsLost(t *testing.T) {
	l := everyKind()
	var read struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		portfolio.Ledger
	}
	if err := json.Unmarshal([]byte(writeString(t, l, export.FormatJSON)), &read); err != nil {
		t.Fatal(err)
	}
	if read.Format != export.JSONFormat || read.Version != export.JSONVersion {
		t.Errorf("format and version = %q, %d", read.Format, read.Version)
	}
	// Accounts are sorted by name.
	l.Accounts[0], l.Accounts[1] = l.Accounts[1], l.Accounts[0]
	if diff := cmp.Diff(l, read.Ledger); diff != "" {
		t.Errorf("ledger read back (-want +got):\n%s", diff)
	}
}
