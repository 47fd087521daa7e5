package investor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Version is of the JSON document of a profile. It grows when an older program
// could no longer keep all of what a document says.
const Version = 1

const largestDocument = 1 << 20

// stripped is a Profile without its methods.
type stripped Profile

type document struct {
	Version int `json:"version"`
	stripped
}

// MarshalJSON writes the profile with its version.
func (p Profile) MarshalJSON() ([]byte, error) {
	return json.Marshal(document{Version: Version, stripped: stripped(p)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Nothing is dropped silently: fields
// that are not known, a newer version (ErrNewer) and values that no answer gives
// are refused, and p then is as it was. The errors are ErrNewer and ErrDocument.
func (p *Profile) UnmarshalJSON(data []byte) error {
	if len(data) > largestDocument {
		return fmt.Errorf("%w: larger than 1 MB", ErrDocument)
	}
	var head struct {
		Version *int `json:"version"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDocument, err)
	case head.Version == nil:
		return fmt.Errorf("%w: it has no version", ErrDocument)
	case *head.Version > Version:
		return fmt.Errorf("%w: it has version %d and this program reads up to %d; use a newer nfa", ErrNewer, *head.Version, Version)
	case *head.Version < 1:
		return fmt.Errorf("%w: there is no version %d", ErrDocument, *head.Version)
	}
	var read document
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("%w: %s", ErrDocument, strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something stands after its end", ErrDocument)
	}
	profile := Profile(read.stripped)
	if err := profile.Validate(); err != nil {
		return err
	}
	*p = profile
	return nil
}
