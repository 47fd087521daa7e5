package agent

import (
	"fmt"
	"slices"
	"testing"
)

func TestToolset_AppendsAndRemovesTheLeastRecentlyUsedFiveAtOnce(t *testing.T) {
	core := []string{"find_tools", "quote"}
	var s toolset
	for i := range 6 {
		s.load([]string{fmt.Sprint("t", i)}, core, 8)
	}
	s.load([]string{"t0", "quote"}, core, 8) // used again; a core tool is never loaded
	if got, want := loadedNames(s), []string{"t0", "t1", "t2", "t3", "t4", "t5"}; !slices.Equal(got, want) {
		t.Fatalf("loaded %v, want %v in the order of loading", got, want)
	}
	s.load([]string{"t6"}, core, 8)
	if got, want := loadedNames(s), []string{"t0", "t6"}; !slices.Equal(got, want) {
		t.Errorf("at the most %v, want %v: five removed at once, those not used for longest", got, want)
	}
}

func TestToolset_NeverHoldsMoreThanTheMost(t *testing.T) {
	for most := 2; most < 12; most++ {
		core := []string{"find_tools", "quote"}
		var s toolset
		for i := range 40 {
			s.load([]string{fmt.Sprint("t", i%17)}, core, most)
			if n := len(core) + len(s.loaded); n > most {
				t.Fatalf("%d tools after %d loads, want at most %d", n, i+1, most)
			}
		}
	}
}

func loadedNames(s toolset) []string {
	var names []string
	for _, l := range s.loaded {
		names = append(names, l.name)
	}
	return names
}

func TestRequestProfile_FollowsFromTheWindow(t *testing.T) {
	for window, want := range map[int]string{0: "large", 32_000: "large", 31_999: "small", 6_000: "small", 5_999: "tiny", 4_096: "tiny"} {
		if got := RequestProfileFor("auto", window).Name; got != want {
			t.Errorf("a window of %d is %s, want %s", window, got, want)
		}
	}
	if got := RequestProfileFor("small", 1_000_000).Name; got != "small" {
		t.Errorf("the named profile is %s, want small", got)
	}
}
