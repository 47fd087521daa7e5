package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Errors of a store.
var (
	ErrNotFound = errors.New("no such session")              // no session with that ID
	ErrNoTurn   = errors.New("the session has no such turn") // the session has fewer turns
)

// Session is the metadata of a stored session.
type Session struct {
	ID        string    `json:"id"` // sorted by time, safe in file names and on command lines
	Title     string    `json:"title"`
	Model     string    `json:"model"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Agent     string    `json:"agent"`    // the last agent used; "" if not recorded
	Messages  int       `json:"messages"` // from the user
}

// Add updates the metadata for an appended entry. All stores use it, so that they do not differ.
func (s *Session) Add(e Entry) {
	if e.At.After(s.UpdatedAt) {
		s.UpdatedAt = e.At
	}
	if e.Kind != KindUser {
		return
	}
	s.Messages++
	// The only part of a Display that other packages may read.
	var calls struct {
		Profile string `json:"profile"`
	}
	if json.Unmarshal(e.Display, &calls) == nil && calls.Profile != "" {
		s.Agent = calls.Profile
	}
}

// Kind is the kind of an Entry.
type Kind string

// Kinds of entries. The transcript is append-only: an AssistantMessage replaces the deltas before
// it, so that a store may drop them.
const (
	KindUser      Kind = "user"            // the user's input
	KindDelta     Kind = "assistant_delta" // text already shown of a message not finished yet
	KindAssistant Kind = "assistant"       // a complete or interrupted assistant message with its tool calls
	KindTool      Kind = "tool"            // the result of one call
	KindNote      Kind = "note"            // shown to the user, never sent to the model
	// KindSummary replaces, for the model, everything before it except the last KeptTurns messages
	// of the user and what followed them. The replaced entries stay in the transcript.
	KindSummary Kind = "summary"
)

// KeptTurns is the number of turns that a summary leaves unchanged.
const KeptTurns = 2

// Entry is one event of a session, ordered by Seq.
type Entry struct {
	Seq     int64       `json:"seq"`
	At      time.Time   `json:"at"`
	Kind    Kind        `json:"kind"`
	Message llm.Message `json:"message"`
	// Display is what the screen needs to show the entry again, as JSON of the writer's choice
	// (agent.Display). The model never sees it.
	Display json.RawMessage `json:"display,omitempty"`
}

// Store saves sessions durably.
//
// Append returns once the entries survive the death of the process. The entries of one call are
// saved all or not at all, and the store assigns Seq. When Append writes a KindAssistant entry it
// removes, in the same transaction, the KindDelta entries that it replaces: those after the last
// KindUser, KindAssistant or KindTool. Older ones are all that is left of an interrupted message,
// and stay. Append also updates the session's metadata: UpdatedAt advances to the latest At and
// never decreases.
//
// Times have microsecond precision, in UTC. Two processes may use one store; Locks keep them from
// writing one session at the same time.
type Store interface {
	// Create saves a new session with its first entries, all or nothing. Agent and Messages are
	// set from the entries.
	Create(ctx context.Context, s Session, entries ...Entry) error
	Append(ctx context.Context, id string, entries ...Entry) error
	// Load returns ErrNotFound for an unknown ID.
	Load(ctx context.Context, id string) (Session, []Entry, error)
	// List returns the last used first; limit 0 means all.
	List(ctx context.Context, limit int) ([]Session, error)
	// Delete returns ErrNotFound for an unknown ID.
	Delete(ctx context.Context, id string) error
}
