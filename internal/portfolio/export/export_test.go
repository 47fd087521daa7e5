package export_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

func TestWrite_TheOrderOfRecordingChangesNothing(t *testing.T) {
	for _, f := range export.Formats() {
		t.Run(string(f), func(t *testing.T) {
			straight, turned := everyKind(), everyKind()
			slices.Reverse(turned.Transactions)
			slices.Reverse(turned.Accounts)
			if a, b := writeString(t, straight, f), writeString(t, turned, f); a != b {
				t.Errorf("Write of the same ledger in two orders = two texts:\n%s\n%s", a, b)
			}
		})
	}
}

func TestWrite_InvalidLedgerIsNotWritten(t *testing.T) {
	for _, f := range export.Formats() {
		t.Run(string(f), func(t *testing.T) {
			l := everyKind()
			l.Transactions[3].Note = "a line\nand =another"
			var out strings.Builder
			if err := export.Write(&out, l, f); !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), "a04") {
				t.Errorf("Write = %v, want ErrInvalid of a04", err)
			}
			if out.Len() > 0 {
				t.Errorf("Write left %q before the error", out.String())
			}
		})
	}
}

func TestWrite_AnUnknownFormatIsRefused(t *testing.T) {
	if err := export.Write(&strings.Builder{}, everyKind(), "xlsx"); !errors.Is(err, export.ErrFormat) || !strings.Contains(err.Error(), "csv") {
		t.Errorf("Write(xlsx) = %v, want ErrFormat with the formats that there are", err)
	}
}

type limitedWriter struct{ remaining int }

var errNoSpace = errors.New("no space left")

func (d *limitedWriter) Write(p []byte) (int, error) {
	if d.remaining -= len(p); d.remaining < 0 {
		return 0, errNoSpace
	}
	return len(p), nil
}

func TestWrite_AFullDiskIsSaid(t *testing.T) {
	long := everyKind()
	for i := range 2000 {
		one := long.Transactions[0]
		one.ID, one.Date = "d"+strconv.Itoa(i), one.Date.AddDate(0, 0, i)
		long.Transactions = append(long.Transactions, one)
	}
	for _, f := range export.Formats() {
		for _, space := range []int{0, 70000} {
			if err := export.Write(&limitedWriter{space}, long, f); !errors.Is(err, errNoSpace) {
				t.Errorf("Write(%s) with space for %d = %v, want %v", f, space, err, errNoSpace)
			}
		}
	}
}

func TestWrite_AnEmptyLedger(t *testing.T) {
	for f, want := range map[export.Format]string{
		export.FormatCSV:    strings.Join(export.Header(), ",") + "\n",
		export.FormatJSON:   "{\"format\":\"nfa ledger\",\"version\":1,\"accounts\":[],\n\"transactions\":[],\n\"aliases\":{},\"securities\":[],\"targets\":[]}\n",
		export.FormatLedger: "; 0 transactions of 0 accounts. Special characters in names and notes are written as %XX.\n",
	} {
		if got := writeString(t, portfolio.Ledger{}, f); got != want {
			t.Errorf("Write(%s) of nothing = %q, want %q", f, got, want)
		}
	}
}
