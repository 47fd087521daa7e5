package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrintSkills_AreOrderedAsTheyAreGrouped(t *testing.T) {
	rows := []skillJSON{{Name: "bad", Reason: "no name"}, {Name: "c"}, {Name: "b", Category: "Z"}, {Name: "a", Category: "M"}, {Name: "d", Category: "M"}}
	byCategory(rows)
	var got []string
	for _, r := range rows {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"a", "d", "b", "c", "bad"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
