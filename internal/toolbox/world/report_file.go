package world

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// htmlReport makes a page of Markdown. HTML in it is left out, and the page may
// load and run nothing: pictures and scripts would tell others who opens it.
func htmlReport(markdown string) ([]byte, error) {
	var body bytes.Buffer
	converter := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	if err := converter.Convert([]byte(markdown), &body); err != nil {
		return nil, fmt.Errorf("making HTML of the report: %w", err)
	}
	title := "Report"
	if m := firstHeading.FindStringSubmatch(markdown); m != nil {
		title = m[1]
	}
	return fmt.Appendf(nil, reportPage, html.EscapeString(title), body.String()), nil
}

var firstHeading = regexp.MustCompile(`(?m)^# +(.+?) *#*$`)

const reportPage = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; }
th, td { padding: .2rem .6rem; border: 1px solid #999; }
</style>
</head>
<body>
%s</body>
</html>
`

// plainNumber is what may begin with a sign and is no formula.
var plainNumber = regexp.MustCompile(`^[+-]?[0-9][0-9.,' ]*([eE][+-]?[0-9]+)?\s*%?$`)

// csvReport checks that the content is CSV with as many fields in every row, and
// that no field is one that a spreadsheet would run as a formula.
func csvReport(content string) ([]byte, error) {
	r := csv.NewReader(strings.NewReader(content))
	for row := 1; ; row++ {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return []byte(ended(content)), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the content is not CSV: %w; quote fields that hold commas, quotes or newlines", err)
		}
		for _, field := range fields {
			text := strings.TrimSpace(field)
			if text != "" && strings.ContainsRune("=@+-", rune(text[0])) && text != "-" && !plainNumber.MatchString(text) {
				return nil, fmt.Errorf("row %d: a spreadsheet would run %q as a formula; begin it with a letter", row, present.Abridged(text))
			}
		}
	}
}
