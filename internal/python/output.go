package python

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxShownOutput is the number of bytes of invalid output to show.
const maxShownOutput = 200

// parseOutput accepts exactly one JSON value.
func parseOutput(out []byte) (json.RawMessage, error) {
	out = bytes.TrimSpace(out)
	if len(out) == 0 {
		return nil, &OutputError{Reason: "nothing was printed; print one JSON value, for example with json.dump(result, sys.stdout)"}
	}
	if json.Valid(out) && utf8.Valid(out) {
		return out, nil
	}
	return nil, &OutputError{Reason: invalidReason(out), Beginning: outputStart(out)}
}

func invalidReason(out []byte) string {
	if !utf8.Valid(out) {
		return "not UTF-8"
	}
	if literal := nonFinite(out); literal != "" {
		return literal + " is not valid in JSON; use None or a string instead"
	}
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(out))
	err := d.Decode(&value)
	if err == nil {
		return fmt.Sprintf("more data follows the value that ends at byte %d; print only one value", d.InputOffset())
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("%s at byte %d", syntax, syntax.Offset)
	}
	return "it is incomplete"
}

// nonFinite returns the text that Python's json prints for a float that is not a number.
func nonFinite(out []byte) string {
	text, inString := string(out), false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		default:
			for _, literal := range []string{"NaN", "-Infinity", "Infinity"} {
				if strings.HasPrefix(text[i:], literal) {
					return literal
				}
			}
		}
	}
	return ""
}

func outputStart(out []byte) string {
	if len(out) <= maxShownOutput {
		return string(out)
	}
	cut := maxShownOutput
	for cut > 0 && !utf8.RuneStart(out[cut]) {
		cut--
	}
	return string(out[:cut]) + "..."
}
