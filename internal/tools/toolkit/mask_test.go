package toolkit_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestMaskNumbers_LeavesNoAmount(t *testing.T) {
	for _, row := range []struct {
		name, text, want string
		keep             toolkit.NumberKinds
	}{
		{"a sum", "paid 77777 EUR.", "paid (hidden) EUR.", toolkit.KeepMessageNumbers},
		{"thousands by comma", "77,777.50 USD", "(hidden) USD", toolkit.KeepMessageNumbers},
		{"thousands by apostrophe", "77'777 CHF and 77’777", "(hidden) CHF and (hidden)", toolkit.KeepMessageNumbers},
		{"thousands by space", "77 777,5 EUR, 77\u202f777, 77\u00a0777", "(hidden) EUR, (hidden), (hidden)", toolkit.KeepMessageNumbers},
		{"what nobody sees between", "77\u200b777", "(hidden)", toolkit.KeepMessageNumbers},
		{"a sign with it", "gain (−77777 USD), -5, +5", "gain ((hidden) USD), (hidden), (hidden)", toolkit.KeepMessageNumbers},
		{"beside letters", "EUR77777, €77777, 77777EUR, x7, 7k", "EUR(hidden), €(hidden), (hidden)EUR, x(hidden), (hidden)k", toolkit.KeepMessageNumbers},
		{"other scripts", "７７ ½ ٣٤٥ Ⅷ ²", "(hidden)", toolkit.KeepMessageNumbers},
		{"a power of ten", "1e6", "(hidden)e(hidden)", toolkit.KeepMessageNumbers},
		{"a range", "77-78 shares", "(hidden)-(hidden) shares", toolkit.KeepMessageNumbers},
		{"no number", "a - b: – %", "a - b: – %", toolkit.KeepNoNumbers},
		{"nothing", "", "", toolkit.KeepNoNumbers},

		{"a per cent", "12.5 % of all, +5%, −0,5 %", "12.5 % of all, +5%, −0,5 %", toolkit.KeepPercents},
		{"a per cent and none to stay", "12.5 %", "(hidden) %", toolkit.KeepDates | toolkit.KeepDurations},
		{"a sum before a per cent", "have 77777 12.5 %", "have (hidden) %", toolkit.KeepMessageNumbers},
		{"a sum in per cent of something", "€5 %, 1.234.567 %, ½ %", "€(hidden) %, (hidden) %, (hidden) %", toolkit.KeepMessageNumbers},
		{"a per cent of a word", "5%off", "(hidden)%off", toolkit.KeepMessageNumbers},

		{"a date", "on 2024-06-28, (2024-06-28T20:00:00Z)", "on 2024-06-28, (2024-06-28T20:00:00Z)", toolkit.KeepDates},
		{"a date and none to stay", "2024-06-28", "(hidden)-(hidden)-(hidden)", toolkit.KeepPercents},
		{"no day", "2024-06-31, 7777-06-28", "(hidden)-(hidden)-(hidden), (hidden)-(hidden)-(hidden)", toolkit.KeepMessageNumbers},
		{"a date within more", "2024-06-281; 2024-06-28,5; a2024-06-28", "(hidden)-(hidden)-(hidden); (hidden)-(hidden)-(hidden); a(hidden)-(hidden)-(hidden)", toolkit.KeepMessageNumbers},
		{"a date before a sum", "2024-06-28 77777", "2024-06-28 (hidden)", toolkit.KeepMessageNumbers},

		{"a span", "30 days; 2 years.", "30 days; 2 years.", toolkit.KeepDurations},
		{"a span and none to stay", "30 days", "(hidden) days", toolkit.KeepDates},
		{"what is no span", "77777 days, 1,000 days, $50 years, 5 dayrates", "(hidden) days, (hidden) days, $(hidden) years, (hidden) dayrates", toolkit.KeepMessageNumbers},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := toolkit.MaskNumbers(row.text, row.keep); got != row.want {
				t.Errorf("Masked(%q) = %q, want %q", row.text, got, row.want)
			}
		})
	}
}

func TestMaskNumbers_SparesWhatCannotBeAnAmount(t *testing.T) {
	spared := []string{"0700.HK", "US0378331005", "4:1", `"new":4,"old":1`, "1ng4ypx", "77777", "BTC", "50"}
	for _, row := range []struct{ name, text, want string }{
		{"a symbol with a number beside it", "500 0700.HK, 0700.HK: 12", "(hidden) 0700.HK, 0700.HK: (hidden)"},
		{"a symbol at the end of a sentence", "look at 0700.HK. 5 EUR", "look at 0700.HK. (hidden) EUR"},
		{"an ISIN", "(ISIN US0378331005) 10", "(ISIN US0378331005) (hidden)"},
		{"a ratio", "a split of 4:1 on 2024-06-28", "a split of 4:1 on 2024-06-28"},
		{"a ratio within an amount", "4:12, 14:1, 4:1,000, 1 4:1, 4:1.5, 4:1 000, €4:1", "(hidden):(hidden), (hidden):(hidden), (hidden):(hidden), (hidden):(hidden), (hidden):(hidden), (hidden):(hidden), €(hidden):(hidden)"},
		{"another ratio", "4:2", "(hidden):(hidden)"},
		{"arguments", `{"a":"4:1","new":4,"old":1} {"new":4,"old":12}`, `{"a":"4:1","new":4,"old":1} {"new":(hidden),"old":(hidden)}`},
		{"an identifier", `{"id":"1ng4ypx"} x1ng4ypx 51ng4ypx`, `{"id":"1ng4ypx"} x(hidden)ng(hidden)ypx (hidden)ng(hidden)ypx`},
		{"what may be a sum", "77777 of 50", "(hidden) of (hidden)"},
		{"within a longer word", "0700.HKD 10700.HK", "(hidden).HKD (hidden).HK"},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := toolkit.MaskNumbers(row.text, toolkit.KeepDates, spared...)
			if got != row.want {
				t.Errorf("Masked(%q) = %q, want %q", row.text, got, row.want)
			}
			if again := toolkit.MaskNumbers(got, toolkit.KeepDates, spared...); again != got {
				t.Errorf("masked twice = %q, want %q", again, got)
			}
		})
	}
}

func TestMaskEach_LeavesItsTextsAsTheyWere(t *testing.T) {
	texts := []string{"7 EUR", "none"}
	if got := toolkit.MaskEach(texts, toolkit.KeepMessageNumbers); got[0] != "(hidden) EUR" || got[1] != "none" || texts[0] != "7 EUR" {
		t.Errorf("MaskedAll = %q of %q", got, texts)
	}
}

func TestMaskError_KeepsWhatAnErrorIsAndNotItsAmounts(t *testing.T) {
	err := fmt.Errorf("selling 77777 of 5 on 2024-06-28: %w", market.ErrNoData)
	got := toolkit.MaskError(err, toolkit.KeepMessageNumbers)
	want := "selling (hidden) of (hidden) on 2024-06-28: " + market.ErrNoData.Error() + " (" + toolkit.AmountsHiddenNote + ")"
	if !errors.Is(got, market.ErrNoData) || got.Error() != want {
		t.Errorf("Discreet = %q, want %q", got, want)
	}
	again := toolkit.MaskError(fmt.Errorf("again 5: %w", got), toolkit.KeepMessageNumbers)
	if again.Error() != "again (hidden): "+want {
		t.Errorf("Discreet of it = %q, want the sentence once", again)
	}
	if toolkit.MaskError(nil, toolkit.KeepMessageNumbers) != nil {
		t.Error("Discreet(nil) is an error")
	}
}

// stays are the only ways in which a number may be left.
var stays = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}(Z|[-+][0-9:]{5}))?|[0-9]+([.,][0-9]+)?\s?%|\b[0-9]{1,4} (day|week|month|year)s?\b`)

// Whatever stands around an amount and however it is written, no digit of it is left;
// and whatever a text says, no number is left but those that may be.
func FuzzMasked(f *testing.F) {
	for _, seed := range []struct {
		before, after, divider string
		amount                 uint64
	}{
		{"", "", ",", 77777}, {"have ", " EUR", " ", 1}, {"5 % of −", " of 2024-06-28", "\u202f", 1e18}, {"x", "x", "'", 77}, {"2024-06-", "-01", ".", 12345678},
		{"٣", "½ %", "\u200b", 5}, {"a\xff", "\xffb", "_", 1234}, {"12.5 % ", " 30 days", "’", 999999}, {"T20:00:00Z ", "k", "", 60}, {"77777 ", " %", " ", 10},
	} {
		f.Add(seed.before, seed.after, seed.divider, seed.amount)
	}
	number := func(s string) bool { return strings.ContainsFunc(s, unicode.IsNumber) }
	f.Fuzz(func(t *testing.T, before, after, divider string, amount uint64) {
		// Of what is spared no part is an amount: with it taken out, nothing else is left.
		for _, spared := range []string{"4:1", "0700.HK"} {
			got := toolkit.MaskNumbers(before+" "+spared+" "+after, toolkit.KeepNoNumbers, spared)
			if number(strings.ReplaceAll(got, spared, "")) {
				t.Errorf("Masked(%q), %s spared = %q", before+" "+spared+" "+after, spared, got)
			}
		}
		text := before + grouped(amount, divider) + after
		if got := toolkit.MaskNumbers(text, toolkit.KeepNoNumbers); number(got) {
			t.Errorf("Masked(%q, nothing) = %q", text, got)
		}
		got := toolkit.MaskNumbers(text, toolkit.KeepMessageNumbers)
		if number(stays.ReplaceAllString(got, "")) {
			t.Errorf("Masked(%q, said) = %q", text, got)
		}
		if again := toolkit.MaskNumbers(got, toolkit.KeepMessageNumbers); again != got {
			t.Errorf("Masked(%q) twice = %q", got, again)
		}
		// With no number and no per cent around it, the amount is all there is.
		alone := func(r rune) rune {
			if unicode.IsNumber(r) || r == '%' {
				return -1
			}
			return r
		}
		text = strings.Map(alone, before) + grouped(amount, divider) + " EUR" + strings.Map(alone, after)
		if got := toolkit.MaskNumbers(text, toolkit.KeepMessageNumbers); number(got) && !number(divider) && !strings.Contains(divider, "%") {
			t.Errorf("Masked(%q, said) = %q, which tells of %d", text, got, amount)
		}
	})
}

// grouped writes an amount with its thousands divided.
func grouped(amount uint64, divider string) string {
	if amount < 1000 {
		return fmt.Sprint(amount)
	}
	return grouped(amount/1000, divider) + divider + fmt.Sprintf("%03d", amount%1000)
}
