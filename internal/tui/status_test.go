package tui

import "testing"

func TestHeader_ShrinksToAWordAtEachEnd(t *testing.T) {
	h := &header{st: ThemePlain.styles(), banner: Banner{Program: "nfa 0.1", Motto: "not financial advice", Folder: "~/book", Mode: "offline"}}
	for width, want := range map[int]string{
		60: "nfa 0.1  not financial advice                ~/book  offline",
		40: "nfa                              offline",
		12: "nfa",
		2:  "n…",
	} {
		h.SetSize(width)
		if got := h.View(); got != want {
			t.Errorf("header at %d = %q, want %q", width, got, want)
		}
	}
}

func TestStatus_TheDataWordIsTheLastToGo(t *testing.T) {
	s := &statusLine{st: ThemePlain.styles(), status: Status{Model: "openai/gpt-4o", Agent: "advisor", Data: "SAMPLE DATA"}}
	for width, want := range map[int]string{
		70: "openai/gpt-4o · advisor · SAMPLE DATA               / commands  ? help",
		40: "SAMPLE DATA                       ? help",
		12: "SAMPLE DATA",
	} {
		s.SetSize(width)
		if got := s.View(); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
	s.status.Data = ""
	s.SetSize(30)
	if got, want := s.View(), "openai/gpt-4o           ? help"; got != want {
		t.Errorf("status without data = %q, want %q", got, want)
	}
	s.warning = "press Ctrl+C again to quit"
	if got := s.View(); got != s.warning {
		t.Errorf("status with a warning = %q", got)
	}
}
