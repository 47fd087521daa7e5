package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// The form of an Archive. A version is counted up when an older program would
// misread what is written.
const (
	ArchiveSchema  = "nfa.session"
	ArchiveVersion = 1
)

// maxArchive is more than any conversation holds: a wrong file should not fill
// the memory.
const maxArchive = 256 << 20

// Archive is a session by itself, as a file of JSON.
type Archive struct {
	Schema  string  `json:"schema"`
	Version int     `json:"version"`
	Session Session `json:"session"`
	Entries []Entry `json:"entries"`
}

// NewArchive is an archive of this form and version.
func NewArchive(s Session, entries []Entry) Archive {
	if entries == nil {
		entries = []Entry{} // [] and not null
	}
	return Archive{Schema: ArchiveSchema, Version: ArchiveVersion, Session: s, Entries: entries}
}

// ReadArchive reads what was written from an Archive. It accepts nothing that a
// conversation could not have come to: what it gives may be kept, and sent to a
// model.
func ReadArchive(r io.Reader) (Archive, error) {
	limited := &io.LimitedReader{R: r, N: maxArchive + 1}
	decoder := json.NewDecoder(limited)
	var a Archive
	err := decoder.Decode(&a)
	switch {
	case limited.N == 0:
		return Archive{}, fmt.Errorf("it is larger than %d MB", maxArchive>>20)
	case err != nil:
		return Archive{}, fmt.Errorf("reading it as JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Archive{}, errors.New("there is more in it than one session")
	}
	return a, a.check()
}

func (a Archive) check() error {
	switch {
	case a.Schema != ArchiveSchema:
		return fmt.Errorf("its schema is %q, not %q", a.Schema, ArchiveSchema)
	case a.Version < 1:
		return fmt.Errorf("it has no version")
	case a.Version > ArchiveVersion:
		return fmt.Errorf("it is of version %d, this program reads %d: update nfa", a.Version, ArchiveVersion)
	case !ValidID(a.Session.ID):
		return fmt.Errorf("%q is not a session ID", a.Session.ID)
	}
	for i, e := range a.Entries {
		if err := e.check(); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return nil
}

// check holds an entry to what the loop writes. The role matters most: what comes
// in as a system message would outrank the user.
func (e Entry) check() error {
	roles := map[Kind]llm.Role{
		KindUser: llm.RoleUser, KindDelta: llm.RoleAssistant, KindAssistant: llm.RoleAssistant,
		KindTool: llm.RoleTool, KindSummary: llm.RoleUser,
	}
	want, sent := roles[e.Kind]
	m := e.Message
	switch {
	case !sent && e.Kind != KindNote:
		return fmt.Errorf("unknown kind %q", e.Kind)
	case sent && m.Role != want:
		return fmt.Errorf("a message of kind %s has the role %q, not %q", e.Kind, m.Role, want)
	case e.Kind == KindTool && strings.TrimSpace(m.ToolCallID) == "":
		return errors.New("a result names no call")
	case e.Kind != KindAssistant && len(m.ToolCalls) > 0:
		return fmt.Errorf("a message of kind %s calls tools", e.Kind)
	}
	return nil
}
