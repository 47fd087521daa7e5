package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// readState reads the file at path; a missing one holds nothing. A file that cannot be understood
// is a *stateDecodeError. The values can be changed whatever the error.
func readState(path string) (stateValues, error) {
	empty := stateValues{Trusted: map[string]string{}, Uses: map[string]int{}, LastUsed: map[string]time.Time{}, Reviewed: map[string]string{}}
	text, _, err := atomicfile.Read(path, maxStateBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return empty, nil
	case errors.Is(err, atomicfile.ErrTooLarge):
		return empty, &stateDecodeError{errors.New("larger than 4 MB")}
	case err != nil:
		return empty, fmt.Errorf("reading the decisions about skills: %w", err)
	}
	values, err := decodeState(text)
	if err != nil {
		return empty, &stateDecodeError{err}
	}
	return values, nil
}

func decodeState(text []byte) (stateValues, error) {
	v := stateValues{}
	if err := json.Unmarshal(text, &v.unknown); err != nil {
		return v, err
	}
	if v.unknown == nil {
		return v, errors.New("not a JSON object")
	}
	for name, target := range map[string]any{"disabled": &v.Disabled, "trusted": &v.Trusted, "uses": &v.Uses, "last_used": &v.LastUsed, "reviewed": &v.Reviewed} {
		if raw, ok := v.unknown[name]; ok {
			if err := json.Unmarshal(raw, target); err != nil {
				return v, fmt.Errorf("%s: %w", name, err)
			}
			delete(v.unknown, name)
		}
	}
	if v.Trusted == nil {
		v.Trusted = map[string]string{}
	}
	if v.Uses == nil {
		v.Uses = map[string]int{}
	}
	if v.LastUsed == nil {
		v.LastUsed = map[string]time.Time{}
	}
	if v.Reviewed == nil {
		v.Reviewed = map[string]string{}
	}
	// A person may have edited it.
	for i, name := range v.Disabled {
		v.Disabled[i] = CanonicalName(name)
	}
	slices.Sort(v.Disabled)
	v.Disabled = slices.Compact(v.Disabled)
	return v, nil
}

func (v stateValues) encode() ([]byte, error) {
	if v.Disabled == nil {
		v.Disabled = []string{}
	}
	members := make(map[string]any, len(v.unknown)+5)
	for name, raw := range maps.All(v.unknown) {
		members[name] = raw
	}
	members["disabled"], members["trusted"], members["uses"] = v.Disabled, v.Trusted, v.Uses
	if len(v.LastUsed) > 0 {
		members["last_used"] = v.LastUsed
	}
	if len(v.Reviewed) > 0 {
		members["reviewed"] = v.Reviewed
	}
	text, err := json.MarshalIndent(members, "", "  ")
	return append(text, '\n'), err
}

// write replaces the file in one step, so that a crash leaves the old one or the
// new one.
func (v stateValues) write(path string) error {
	text, err := v.encode()
	if err != nil {
		return err
	}
	// Where the file is a link, as those who keep their settings in a repository
	// make it, the link stays.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return atomicfile.Replace(path, text, 0o600)
}
