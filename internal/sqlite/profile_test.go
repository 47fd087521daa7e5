package sqlite_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
)

func TestPortfolioStore_KeepsOneProfile(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	if p, ok, err := b.Profile(t.Context()); ok || err != nil {
		t.Errorf("Profile of nobody = %+v, %t, %v", p, ok, err)
	}
	want := investor.Profile{BirthYear: 1980, HorizonYear: 2045, UpdatedAt: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	for _, p := range []investor.Profile{{BirthYear: 1979}, want} {
		if err := b.SaveProfile(t.Context(), p); err != nil {
			t.Fatalf("SaveProfile = %v", err)
		}
	}
	b.Close()
	got, ok, err := openPortfolio(t, path).Profile(t.Context())
	if diff := cmp.Diff(want, got); !ok || err != nil || diff != "" {
		t.Errorf("Profile = %t, %v (-want +got):\n%s", ok, err, diff)
	}
}

func TestPortfolioStore_AProfileOfANewerProgramStays(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	if err := b.SaveProfile(t.Context(), investor.Profile{BirthYear: 1980}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	execute(t, path, `UPDATE document SET content = '{"version": 99, "mood": "calm"}'`)
	b = openPortfolio(t, path)
	if _, _, err := b.Profile(t.Context()); !errors.Is(err, investor.ErrNewerVersion) {
		t.Errorf("Profile = %v, want ErrNewer", err)
	}
	if err := b.SaveProfile(t.Context(), investor.Profile{BirthYear: 1981}); !errors.Is(err, investor.ErrNewerVersion) {
		t.Errorf("SaveProfile over it = %v, want ErrNewer", err)
	}
	b.Close()
	if got := ask(t, path, "SELECT content ->> 'mood' FROM document"); got != "calm" {
		t.Errorf("the document now has the mood %q", got)
	}
}
