package skillset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skillset"
)

func TestByCategory_AreOrderedAsTheyAreGrouped(t *testing.T) {
	rows := []skillset.Row{{Name: "bad", Reason: "no name"}, {Name: "c"}, {Name: "b", Category: "Z"}, {Name: "a", Category: "M"}, {Name: "d", Category: "M"}}
	skillset.ByCategory(rows)
	var got []string
	for _, r := range rows {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"a", "d", "b", "c", "bad"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestRescan_EachSkillComesWholeAgain(t *testing.T) {
	set := greeting(t)
	for _, want := range []bool{false, true} {
		if loaded, err := set.Loaded().Load("conversation", "greet"); err != nil || loaded.Already != want {
			t.Errorf("Load = already %v, %v; want %v", loaded.Already, err, want)
		}
	}
	if _, err := set.Rescan(); err != nil {
		t.Fatal(err)
	}
	if loaded, err := set.Loaded().Load("conversation", "greet"); err != nil || loaded.Already {
		t.Errorf("after Rescan Load = already %v, %v; want all of it", loaded.Already, err)
	}
}
