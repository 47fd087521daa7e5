package importer

import (
	"fmt"
	"strings"
)

// Detect finds the one format that a file has. None and several are both errors,
// which wrap ErrFormat and name the formats to choose from.
func Detect(formats []Format, f File) (Format, error) {
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
		return Format{}, fmt.Errorf("%s: %w: it is none of %s; any table can be read with a mapping of its columns", f.Name, ErrFormat, formatNames(formats))
	default:
		return Format{}, fmt.Errorf("%s: %w: it may be any of %s; say which", f.Name, ErrFormat, formatNames(found))
	}
}

// FindFormat finds a format by its name.
func FindFormat(formats []Format, name string) (Format, error) {
	for _, format := range formats {
		if strings.EqualFold(format.Name, strings.TrimSpace(name)) {
			return format, nil
		}
	}
	return Format{}, fmt.Errorf("no format %q; there are %s", Shorten(name), formatNames(formats))
}

func formatNames(formats []Format) string {
	all := make([]string, len(formats))
	for i, format := range formats {
		all[i] = format.Name
	}
	return strings.Join(all, ", ")
}
