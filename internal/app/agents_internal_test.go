package app

import "testing"

func TestUnknownToolsWarning_IsOneLine(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"news"}, "no tool news; nfa tools lists them"},
		{[]string{"fx_rate", "news"}, "no tools fx_rate, news; nfa tools lists them"},
	} {
		if got := unknownToolsWarning(tt.names); got != tt.want {
			t.Errorf("unknownToolsWarning(%q) = %q, want %q", tt.names, got, tt.want)
		}
	}
}
