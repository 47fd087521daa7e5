package agent

import "testing"

func TestContainsNumber_IsNoPartOfALongerNumber(t *testing.T) {
	for _, row := range []struct {
		text, number string
		want         bool
	}{
		{"| 137.44 | -11.18 |", "137.44", true}, {"as of 2022.", "2022", true}, {"1, 2 and 3", "1", true},
		{"1,234", "1", false}, {"0.15", "15", false}, {"21", "1", false}, {"12.5%", "12", false}, {"", "1", false}, {"21 and 1", "1", true},
	} {
		if got := containsNumber(row.text, row.number); got != row.want {
			t.Errorf("containsNumber(%q, %q) = %v", row.text, row.number, got)
		}
	}
}

func TestWithoutTables_KeepsThePlaces(t *testing.T) {
	const text = "Worth 5 USD.\n\n| a | 7 |\n| b | 8 |\nSource 9\n"
	if got, want := withoutTables(text), "Worth 5 USD.\n\n         \n         \nSource 9\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
