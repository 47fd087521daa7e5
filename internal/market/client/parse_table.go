package client

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
)

// NewCSVReader returns a reader of comma-separated values that skips a byte order mark.
func NewCSVReader(body []byte) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	r.TrimLeadingSpace = true
	return r
}

// ParseTable parses comma-separated values into rows by column name. The given columns are
// required.
func ParseTable(body []byte, columns ...string) ([]map[string]string, error) {
	rows, err := NewCSVReader(bytes.TrimSpace(body)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, Malformedf("no table")
	}
	for i, name := range rows[0] {
		rows[0][i] = strings.TrimSpace(name)
	}
	for _, name := range columns {
		if !slices.Contains(rows[0], name) {
			return nil, Malformedf("column %s is missing", name)
		}
	}
	out := make([]map[string]string, 0, len(rows)-1)
	for _, values := range rows[1:] {
		row := make(map[string]string, len(values))
		for i, v := range values {
			row[rows[0][i]] = v
		}
		out = append(out, row)
	}
	return out, nil
}
