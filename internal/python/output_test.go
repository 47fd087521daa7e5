package python_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestParseOutput_SaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ out, want string }{
		"nothing":          {" \n", "nothing was printed"},
		"NaN":              {`{"a": NaN}`, "NaN is not valid in JSON"},
		"Infinity":         {`[1, Infinity]`, "Infinity is not valid"},
		"minus Infinity":   {`-Infinity`, "-Infinity is not valid"},
		"NaN as text only": {`{"a": "NaN"`, "it is incomplete"},
		"two values":       {"1\n2", "more data follows the value that ends at byte 1"},
		"print of a dict":  {`{'a': 1}`, "invalid character"},
		"Latin-1":          {"\"\xfc\"", "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := python.ParseOutput([]byte(c.out))
			var bad *python.OutputError
			if !errors.As(err, &bad) || !strings.Contains(bad.Reason, c.want) {
				t.Errorf("ParseOutput(%q) = %v, want %q", c.out, err, c.want)
			}
		})
	}
}

func TestParseOutput_TheBeginningIsShort(t *testing.T) {
	_, err := python.ParseOutput([]byte(strings.Repeat("ü", 5000)))
	var bad *python.OutputError
	if !errors.As(err, &bad) || len(bad.Beginning) > 210 || !utf8.ValidString(bad.Beginning) {
		t.Errorf("ParseOutput = %v, want a short beginning of whole characters", err)
	}
}

func FuzzParseOutput(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, "NaN", `"\"NaN`, "1 2", "", "\xff", `["\\", -Infinity]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		value, err := python.ParseOutput(out)
		var bad *python.OutputError
		switch {
		case err == nil && !json.Valid(value):
			t.Errorf("accepted %q", out)
		case err != nil && json.Valid(out) && utf8.Valid(out):
			t.Errorf("refused %q: %v", out, err)
		case err != nil && (!errors.As(err, &bad) || bad.Reason == ""):
			t.Errorf("no reason: %v", err)
		}
	})
}
