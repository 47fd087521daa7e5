package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart/plot"
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
		if got := likelyCharset(func(name string) string { return tt.env[name] }, tt.system); got != tt.want {
			t.Errorf("%s: likelyCharset = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestChartWords_AreSymbolsRangeAndKind(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  map[string]any
	}{
		{[]string{"VTI"}, map[string]any{"symbol": "VTI"}},
		{[]string{"VTI", "5y"}, map[string]any{"symbol": "VTI", "range": "5y"}},
		{[]string{"VTI", "candles"}, map[string]any{"symbol": "VTI", "kind": "candles"}},
		{[]string{"VTI", "candles", "YTD"}, map[string]any{"symbol": "VTI", "kind": "candles", "range": "YTD"}},
		{[]string{"VTI", "5x", "line"}, map[string]any{"symbol": "VTI", "kind": "line", "range": "5x"}},
		{[]string{"AAPL,MSFT", "max"}, map[string]any{"symbol": "AAPL,MSFT", "range": "max"}},
		{[]string{"AAPL,", "MSFT", ",VTI", "max"}, map[string]any{"symbol": "AAPL,MSFT,VTI", "range": "max"}},
		// What is too much is told to the tool, which refuses it: nothing is dropped.
		{[]string{"VTI", "5y", "1y"}, map[string]any{"symbol": "VTI", "range": "5y", "kind": "1y"}},
		{[]string{"VTI", "line", "area"}, map[string]any{"symbol": "VTI", "kind": "line area"}},
	} {
		if diff := cmp.Diff(tt.want, chartWords(tt.words)); diff != "" {
			t.Errorf("chartWords(%q) (-want +got):\n%s", tt.words, diff)
		}
	}
}
