package investor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Version is the version of the JSON document. It increases when an older nfa could not keep all
// data of a document.
const Version = 1

const maxDocument = 1 << 20

// profileFields is a Profile without its methods.
type profileFields Profile

type profileDocument struct {
	Version int `json:"version"`
	profileFields
}

// MarshalJSON writes the profile with its version.
func (p Profile) MarshalJSON() ([]byte, error) {
	return json.Marshal(profileDocument{Version: Version, profileFields: profileFields(p)})
}

// UnmarshalJSON reads a document of MarshalJSON. Nothing is dropped silently: unknown fields, a
// newer version (ErrNewerVersion) and invalid values are errors, and p is then unchanged. The
// errors are ErrNewerVersion and ErrInvalidDocument.
func (p *Profile) UnmarshalJSON(data []byte) error {
	if len(data) > maxDocument {
		return fmt.Errorf("%w: larger than 1 MB", ErrInvalidDocument)
	}
	var head struct {
		Version *int `json:"version"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	case head.Version == nil:
		return fmt.Errorf("%w: missing version", ErrInvalidDocument)
	case *head.Version > Version:
		return fmt.Errorf("%w: version %d, but this version of nfa reads only versions up to %d; update nfa", ErrNewerVersion, *head.Version, Version)
	case *head.Version < 1:
		return fmt.Errorf("%w: unknown version %d", ErrInvalidDocument, *head.Version)
	}
	var read profileDocument
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("%w: %s", ErrInvalidDocument, strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: unexpected data after its end", ErrInvalidDocument)
	}
	profile := Profile(read.profileFields)
	if err := profile.Validate(); err != nil {
		return err
	}
	*p = profile
	return nil
}
