package draw_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/chart/plot"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

func TestLikelyCharset_GoesByTheTerminalAndItsLocale(t *testing.T) {
	for _, tt := range []struct {
		name   string
		env    map[string]string
		system string
		want   plot.Charset
	}{
		{"nothing is said", nil, "linux", plot.Braille},
		{"UTF-8", map[string]string{"LANG": "de_DE.UTF-8"}, "linux", plot.Braille},
		{"UTF-8 as Linux writes it", map[string]string{"LANG": "C.utf8"}, "linux", plot.Braille},
		{"another encoding", map[string]string{"LANG": "de_DE.ISO-8859-1"}, "linux", plot.ASCII},
		{"the locale C", map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "linux", plot.ASCII},
		{"LC_CTYPE goes before LANG", map[string]string{"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, "darwin", plot.Braille},
		{"an empty one is none", map[string]string{"LC_ALL": "", "LANG": "en_US.UTF-8"}, "linux", plot.Braille},
		{"the console of Linux", map[string]string{"TERM": "linux", "LANG": "en_US.UTF-8"}, "linux", plot.ASCII},
		{"the console of Windows", nil, "windows", plot.Block},
		{"Windows Terminal", map[string]string{"WT_SESSION": "1"}, "windows", plot.Braille},
		{"another terminal on Windows", map[string]string{"TERM_PROGRAM": "WezTerm"}, "windows", plot.Braille},
	} {
		if got := draw.LikelyCharset(func(name string) string { return tt.env[name] }, tt.system); got != tt.want {
			t.Errorf("%s: LikelyCharset = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestOtherEncoding_IsWhatTheLocaleSaysAndNothingWhereItIsNotSet(t *testing.T) {
	for locale, want := range map[string]bool{"": false, "C": true, "POSIX": true, "en_US.UTF-8": false, "C.utf8": false, "ja_JP.eucJP": true} {
		env := map[string]string{"LANG": locale}
		if got := draw.OtherEncoding(func(name string) string { return env[name] }); got != want {
			t.Errorf("of LANG=%s OtherEncoding = %t, want %t", locale, got, want)
		}
	}
}
