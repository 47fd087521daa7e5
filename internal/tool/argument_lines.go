package tool

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// plainName is the name of an argument that needs no quotes.
var plainName = lazyregexp.New(`^[\w-]+$`)

// ArgumentLines returns the arguments of a call for people: a line "name: value" for each value, in the
// order of raw, including repeated names. A value in an object is named "outer.inner", one in a list "list
// 1"; text of several lines follows its name. The caller must escape invisible characters.
func ArgumentLines(raw string) []string {
	w := argumentWriter{d: json.NewDecoder(strings.NewReader(raw))}
	w.d.UseNumber()
	if err := w.add(""); err != nil || !w.ended() {
		return []string{"arguments: " + raw}
	}
	return w.lines
}

type argumentWriter struct {
	d     *json.Decoder
	lines []string
}

func (w *argumentWriter) ended() bool {
	_, err := w.d.Token()
	return err == io.EOF
}

// add adds the next value. name is "" for the arguments themselves.
func (w *argumentWriter) add(name string) error {
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	switch value := token.(type) {
	case json.Delim:
		return w.addMembers(name, value)
	case string:
		w.addText(name, value)
	case nil:
		w.lines = append(w.lines, name+": null")
	default:
		w.lines = append(w.lines, fmt.Sprintf("%s: %v", name, value))
	}
	return nil
}

// addMembers adds the rest of an object or a list.
func (w *argumentWriter) addMembers(name string, open json.Delim) error {
	if !w.d.More() && name != "" {
		w.lines = append(w.lines, name+": empty")
	}
	for i := 1; w.d.More(); i++ {
		member := fmt.Sprint(name, " ", i)
		if open == '{' {
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			member = key.(string)
			if !plainName().MatchString(member) {
				member = `"` + member + `"`
			}
			if name != "" {
				member = name + "." + member
			}
		}
		if err := w.add(member); err != nil {
			return err
		}
	}
	_, err := w.d.Token()
	return err
}

func (w *argumentWriter) addText(name, text string) {
	switch lines := strings.Split(text, "\n"); {
	case text == "" || strings.TrimSpace(text) != text && len(lines) == 1:
		w.lines = append(w.lines, name+`: "`+text+`"`)
	case len(lines) == 1:
		w.lines = append(w.lines, name+": "+text)
	default:
		w.lines = append(w.lines, fmt.Sprintf("%s: %d lines", name, len(lines)))
		for _, line := range lines {
			w.lines = append(w.lines, "  | "+line)
		}
	}
}
