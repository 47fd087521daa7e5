package reference_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestParseISIN_Valid(t *testing.T) {
	for text, want := range map[string]reference.ISIN{
		"US0378331005":    "US0378331005", // Apple, the example of ISO 6166
		"AU0000XVGZA3":    "AU0000XVGZA3", // Treasury Corporation of Victoria, with letters within
		"GB0002634946":    "GB0002634946", // BAE Systems
		"us0378331005":    "US0378331005",
		"US 037833100 5 ": "US0378331005", "US-037833100-5": "US0378331005",
	} {
		got, err := reference.ParseISIN(text)
		if err != nil || got != want {
			t.Errorf("ParseISIN(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestParseISIN_MistypedOnesAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "US037833100", "US03783310055", "US0378331004", "US0378331050", "U50378331005",
		"US037833100X", "AAPL", "ÜS0378331005", "US0378331\x00005", strings.Repeat("US", 100),
	} {
		if got, err := reference.ParseISIN(text); !errors.Is(err, reference.ErrInvalidISIN) {
			t.Errorf("ParseISIN(%q) = %q, %v; want ErrInvalidISIN", text, got, err)
		}
	}
}

func FuzzParseISIN(f *testing.F) {
	for _, seed := range []string{"US0378331005", "ie00b3rbwm25", "", "US 0378331005", "\xffS0378331005", "AA0000000000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		isin, err := reference.ParseISIN(text)
		if err != nil {
			return
		}
		if again, err := reference.ParseISIN(string(isin)); err != nil || again != isin || len(isin) != 12 {
			t.Fatalf("ParseISIN(%q) = %q, which reads as %q, %v", text, isin, again, err)
		}
	})
}

func TestMIC_IsNamedByTheSuffix(t *testing.T) {
	for sym, want := range map[market.Symbol]string{
		"VOD.L": "XLON", "SAP.DE": "XETR", "MC.PA": "XPAR", "7203.T": "XTKS", "0700.HK": "XHKG", "BHP.AX": "XASX",
		"RY.TO": "XTSE", "NESN.SW": "XSWX", "SAP.F": "XFRA", "NOVO-B.CO": "XCSE", "5483.TWO": "ROCO",
	} {
		if mic, ok := reference.MICOf(sym); !ok || mic != want {
			t.Errorf("MIC(%s) = %q, %v; want %q", sym, mic, ok, want)
		}
	}
	for _, sym := range []market.Symbol{"", "AAPL", "BRK.B", "^GSPC", "X.", "BTC-USD", "A.XYZ"} {
		if mic, ok := reference.MICOf(sym); ok {
			t.Errorf("MIC(%q) = %q, want none", sym, mic)
		}
	}
}

func TestSuffix_AndNameOfAnExchange(t *testing.T) {
	for mic, want := range map[string][2]string{
		"XLON": {".L", "London Stock Exchange"}, "XNYS": {"", "NYSE"}, "XETR": {".DE", "Xetra"}, "XHKG": {".HK", "Hong Kong"},
	} {
		suffix, ok := reference.Suffix(mic)
		name, named := reference.ExchangeName(mic)
		if !ok || !named || suffix != want[0] || name != want[1] {
			t.Errorf("Suffix and ExchangeName of %s = %q, %q; want %q", mic, suffix, name, want)
		}
	}
	if suffix, ok := reference.Suffix("XXXX"); ok {
		t.Errorf("Suffix(XXXX) = %q, want none", suffix)
	}
}
