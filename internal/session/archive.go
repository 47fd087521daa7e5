package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// The format of an Archive. The version increases if older programs would misread it.
const (
	ArchiveSchema  = "nfa.session"
	ArchiveVersion = 1
)

// maxArchive is larger than any session, to keep a wrong file from filling memory.
const maxArchive = 256 << 20

// Archive is a single session as a JSON file.
type Archive struct {
	Schema  string  `json:"schema"`
	Version int     `json:"version"`
	Session Session `json:"session"`
	Entries []Entry `json:"entries"`
}

// NewArchive returns an archive of the current version.
func NewArchive(s Session, entries []Entry) Archive {
	if entries == nil {
		entries = []Entry{} // so that JSON has [] and not null
	}
	return Archive{Schema: ArchiveSchema, Version: ArchiveVersion, Session: s, Entries: entries}
}

// ReadArchive parses an Archive. It accepts only entries that a session can have, because the
// result may be saved and sent to a model.
func ReadArchive(r io.Reader) (Archive, error) {
	limited := &io.LimitedReader{R: r, N: maxArchive + 1}
	decoder := json.NewDecoder(limited)
	var a Archive
	err := decoder.Decode(&a)
	switch {
	case limited.N == 0:
		return Archive{}, fmt.Errorf("larger than %d MB", maxArchive>>20)
	case err != nil:
		return Archive{}, fmt.Errorf("parse JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Archive{}, errors.New("data after the end of the session")
	}
	return a, a.check()
}

func (a Archive) check() error {
	switch {
	case a.Schema != ArchiveSchema:
		return fmt.Errorf("the schema is %q, not %q", a.Schema, ArchiveSchema)
	case a.Version < 1:
		return fmt.Errorf("the version is missing")
	case a.Version > ArchiveVersion:
		return fmt.Errorf("version %d is newer than %d, the latest that this version of nfa can read; update nfa", a.Version, ArchiveVersion)
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

// check accepts only entries that the agent writes. The role matters most, because an imported
// system message would outrank the user.
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
		return errors.New("a tool result has no call ID")
	case e.Kind != KindAssistant && len(m.ToolCalls) > 0:
		return fmt.Errorf("a message of kind %s has tool calls", e.Kind)
	}
	return nil
}
