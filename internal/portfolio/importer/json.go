package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// jsonReader reads JSON value by value and tracks line numbers.
type jsonReader struct {
	*json.Decoder
	text     string
	at, line int // position up to which lines were counted
}

func newJSONReader(text string) *jsonReader {
	return &jsonReader{Decoder: json.NewDecoder(strings.NewReader(text)), text: text, line: 1}
}

// isJSONObject reports whether a file begins like a JSON object.
func isJSONObject(f File) bool { return strings.HasPrefix(strings.TrimLeft(f.Text, " \t\r\n"), "{") }

// nextLine returns the line on which the next value begins.
func (r *jsonReader) nextLine() int {
	next := int(r.InputOffset())
	for next < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[next]) >= 0 {
		next++
	}
	r.line += strings.Count(r.text[r.at:next], "\n")
	r.at = next
	return r.line
}

func (r *jsonReader) expect(want json.Delim) error {
	token, err := r.Token()
	if err == nil && token != want {
		err = fmt.Errorf("%q is missing", want)
	}
	return err
}

// list reads an array of at most most elements. Errors of the element function are returned with their line
// number.
func (r *jsonReader) list(most int, element func(line int, raw json.RawMessage) error) error {
	if open, err := r.Token(); err != nil || open != json.Delim('[') {
		return errors.New("not a list")
	}
	for n := 0; r.More(); n++ {
		line := r.nextLine()
		if n == most {
			return fmt.Errorf("line %d: %w: more than %d elements", line, ErrTooLarge, n)
		}
		var raw json.RawMessage
		err := r.Decode(&raw)
		if err == nil {
			err = element(line, raw)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return r.expect(']')
}
