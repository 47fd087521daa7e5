package widget_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestDetectCharset_DependsOnTerminalAndLocale(t *testing.T) {
	for _, tt := range []struct {
		name   string
		env    map[string]string
		system string
		want   chart.Charset
	}{
		{"nothing is said", nil, "linux", chart.CharsetBraille},
		{"UTF-8", map[string]string{"LANG": "de_DE.UTF-8"}, "linux", chart.CharsetBraille},
		{"UTF-8 as Linux writes it", map[string]string{"LANG": "C.utf8"}, "linux", chart.CharsetBraille},
		{"another encoding", map[string]string{"LANG": "de_DE.ISO-8859-1"}, "linux", chart.CharsetASCII},
		{"the locale C", map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "linux", chart.CharsetASCII},
		{"LC_CTYPE goes before LANG", map[string]string{"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, "darwin", chart.CharsetBraille},
		{"an empty one is none", map[string]string{"LC_ALL": "", "LANG": "en_US.UTF-8"}, "linux", chart.CharsetBraille},
		{"the console of Linux", map[string]string{"TERM": "linux", "LANG": "en_US.UTF-8"}, "linux", chart.CharsetASCII},
		{"the console of Windows", nil, "windows", chart.CharsetBlock},
		{"Windows Terminal", map[string]string{"WT_SESSION": "1"}, "windows", chart.CharsetBraille},
		{"another terminal on Windows", map[string]string{"TERM_PROGRAM": "WezTerm"}, "windows", chart.CharsetBraille},
	} {
		if got := widget.DetectCharset(func(name string) string { return tt.env[name] }, tt.system); got != tt.want {
			t.Errorf("%s: LikelyCharset = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestHasNonUTF8Locale_IsFalseWithoutALocale(t *testing.T) {
	for locale, want := range map[string]bool{"": false, "C": true, "POSIX": true, "en_US.UTF-8": false, "C.utf8": false, "ja_JP.eucJP": true} {
		env := map[string]string{"LANG": locale}
		if got := widget.HasNonUTF8Locale(func(name string) string { return env[name] }); got != want {
			t.Errorf("of LANG=%s OtherEncoding = %t, want %t", locale, got, want)
		}
	}
}
