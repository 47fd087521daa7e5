package main

import "testing"

func TestSlashWords_TakesACommandApart(t *testing.T) {
	for _, row := range []struct {
		text, name, words string
		ok                bool
	}{
		{"/get-price AAPL MSFT", "get-price", "AAPL MSFT", true},
		{"  /get-price  ", "get-price", "", true},
		{"/skill:help me", "help", "me", true},
		{"/summarize-file\n\nline one\nline two", "summarize-file", "line one\nline two", true},
		{"/etc/hosts", "etc/hosts", "", false},
		{"/", "", "", false},
		{"price of /x", "", "", false},
		{"/价格 茅台", "价格", "茅台", true},
	} {
		name, words, ok := slashWords(row.text)
		if ok != row.ok || ok && (name != row.name || words != row.words) {
			t.Errorf("slashWords(%q) = %q, %q, %v", row.text, name, words, ok)
		}
	}
}
