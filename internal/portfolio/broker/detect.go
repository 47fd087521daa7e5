package broker

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Detect finds the one format that a file has. None and several are both errors,
// which wrap ErrFormat and name the formats to choose from.
func Detect(formats []Format, f sheet.File) (Format, error) {
	var found []Format
	for _, format := range formats {
		if format.Recognizes(f) {
			found = append(found, format)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Format{}, fmt.Errorf("%s: %w: it is none of %s; any table can be read with a mapping of its columns", f.Name, ErrFormat, names(formats))
	default:
		return Format{}, fmt.Errorf("%s: %w: it may be any of %s; say which", f.Name, ErrFormat, names(found))
	}
}

// Named finds a format by its name.
func Named(formats []Format, name string) (Format, error) {
	for _, format := range formats {
		if strings.EqualFold(format.Name, strings.TrimSpace(name)) {
			return format, nil
		}
	}
	return Format{}, fmt.Errorf("no format %q; there are %s", sheet.Shorten(name), names(formats))
}

func names(formats []Format) string {
	all := make([]string, len(formats))
	for i, format := range formats {
		all[i] = format.Name
	}
	return strings.Join(all, ", ")
}
