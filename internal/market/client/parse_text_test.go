package client_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

func TestMalformed_SaysWhat(t *testing.T) {
	err := client.Malformedf("%.3q in place of %s", "MSFT", "AAPL")
	if !errors.Is(err, market.ErrMalformed) || !strings.HasSuffix(err.Error(), `: "MSF" in place of AAPL`) {
		t.Errorf("Malformed = %v", err)
	}
}

func TestDecode_DoesNotQuoteTheBody(t *testing.T) {
	var into struct{ A int }
	err := client.DecodeJSON([]byte(`{"a":"crumb-of-somebody"}`), &into)
	if !errors.Is(err, market.ErrMalformed) || strings.Contains(err.Error(), "crumb") {
		t.Errorf("Decode = %v, want ErrMalformed without the body", err)
	}
	if err := client.DecodeJSON([]byte(`{"a":3}`), &into); err != nil || into.A != 3 {
		t.Errorf("Decode = %v, %v; want 3", into.A, err)
	}
}

func TestLine_IsOneOfPrintableWords(t *testing.T) {
	for _, row := range []struct {
		text string
		most int
		want string
	}{
		{"", 4, ""},
		{" a \t b\r\nc\x00d ", 10, "a b c d"},
		{"\x1b[31mred\x1b[0m", 20, "[31mred [0m"},
		{"left\u202eright\u200bnext", 20, "left right next"},
		{"bro\xffken", 20, "broken"},
		{"äöüß", 4, "äöüß"},
		{"äöüßé", 4, "äöü…"},
		{"ab", 1, "…"},
		{"ab", 0, "…"},
	} {
		if got := client.SingleLine(row.text, row.most); got != row.want {
			t.Errorf("Line(%q, %d) = %q, want %q", row.text, row.most, got, row.want)
		}
	}
}

func TestIsLink_IsOfTheWebAndHasAHost(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.com/a?b=c": true, "http://example.com": true, "HTTPS://EXAMPLE.COM/": true,
		"": false, "example.com": false, "//example.com/a": false, "https:///a": false, "https:a": false, "javascript:alert(1)": false,
		"file:///etc/passwd": false, "ftp://example.com": false, "https://exa mple.com": false, "https://example.com/\x1b[31m": false,
		"https://example.com/" + strings.Repeat("a", 1980): true, "https://example.com/" + strings.Repeat("a", 1981): false,
	} {
		if got := client.IsWebURL(text); got != want {
			t.Errorf("IsLink(%.60q) = %v, want %v", text, got, want)
		}
	}
}

func TestTime_IsByTheFirstLayoutThatFits(t *testing.T) {
	for _, row := range []struct {
		text string
		want time.Time
	}{
		{"2026-09-25T16:00:00-04:00", time.Date(2026, 9, 25, 20, 0, 0, 0, time.UTC)},
		{"2026-09-25", time.Date(2026, 9, 25, 0, 0, 0, 0, time.UTC)},
		{"yesterday", time.Time{}},
		{"", time.Time{}},
	} {
		if got := client.ParseTime(row.text, time.RFC3339, time.DateOnly); got != row.want {
			t.Errorf("Time(%q) = %v, want %v", row.text, got, row.want)
		}
	}
}

func TestUnix_IsOfTwoCenturies(t *testing.T) {
	for _, row := range []struct {
		seconds int64
		want    time.Time // zero: refused
	}{
		{1, time.Date(1970, 1, 1, 0, 0, 1, 0, time.UTC)},
		{1790366400, time.Date(2026, 9, 25, 20, 0, 0, 0, time.UTC)},
		{7258118399, time.Date(2199, 12, 31, 23, 59, 59, 0, time.UTC)},
		{7258118400, time.Time{}}, {0, time.Time{}}, {-1, time.Time{}}, {1790366400000, time.Time{}}, {1<<63 - 1, time.Time{}}, {-1 << 63, time.Time{}},
	} {
		if got, ok := client.UnixTime(row.seconds); got != row.want || ok == row.want.IsZero() {
			t.Errorf("Unix(%d) = %v, %v; want %v", row.seconds, got, ok, row.want)
		}
	}
}

func TestCIK_HasTenDigitsOrIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"320193": "0000320193", "0000320193": "0000320193", " 320193 ": "0000320193",
		"": "", "None": "", "-": "", "12a": "", "00000320193": "", "３": "",
	} {
		if got := client.PadCIK(text); got != want {
			t.Errorf("CIK(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzLine_IsFitForAScreen(f *testing.F) {
	f.Add("\x1b]0;title\x07 two\n lines \u202e", 7)
	f.Add("\xff\xfe", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = min(max(most, 1), 1000)
		got := client.SingleLine(text, most)
		if utf8.RuneCountInString(got) > most || !utf8.ValidString(got) || got != strings.TrimSpace(got) ||
			strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("Line(%q, %d) = %q", text, most, got)
		}
		if client.IsWebURL(text) && strings.ContainsAny(text, "\x00\n\r\x1b") {
			t.Errorf("IsLink(%q) = true", text)
		}
	})
}
