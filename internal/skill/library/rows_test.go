package library_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/library"
)

func TestByCategory_AreOrderedAsTheyAreGrouped(t *testing.T) {
	rows := []library.Row{{Name: "bad", Reason: "no name"}, {Name: "c"}, {Name: "b", Category: "Z"}, {Name: "a", Category: "M"}, {Name: "d", Category: "M"}}
	library.ByCategory(rows)
	var got []string
	for _, r := range rows {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"a", "d", "b", "c", "bad"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestRescan_EachSkillComesWholeAgain(t *testing.T) {
	lib := greetingLibrary(t)
	for _, want := range []bool{false, true} {
		if loaded, err := lib.Cache().Load("conversation", "greet"); err != nil || loaded.AlreadyLoaded != want {
			t.Errorf("Load = already %v, %v; want %v", loaded.AlreadyLoaded, err, want)
		}
	}
	if _, err := lib.Rescan(); err != nil {
		t.Fatal(err)
	}
	if loaded, err := lib.Cache().Load("conversation", "greet"); err != nil || loaded.AlreadyLoaded {
		t.Errorf("after Rescan Load = already %v, %v; want all of it", loaded.AlreadyLoaded, err)
	}
}
