package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// What callers tell apart.
var (
	ErrNotFound = errors.New("no such session")              // the store has none of that ID
	ErrNoTurn   = errors.New("the session has no such turn") // it has fewer
)

// Session is the metadata of a stored conversation.
type Session struct {
	ID        string    `json:"id"` // time-ordered, safe in a file name and on a command line
	Title     string    `json:"title"`
	Model     string    `json:"model"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Agent     string    `json:"agent"`    // whom the user asked last; "" where that was not recorded
	Messages  int       `json:"messages"` // of the user
}

// Add updates the metadata with an entry that is appended. It counts for all stores, so that they
// do not differ.
func (s *Session) Add(e Entry) {
	if e.At.After(s.UpdatedAt) {
		s.UpdatedAt = e.At
	}
	if e.Kind != KindUser {
		return
	}
	s.Messages++
	// The one thing in a Display that its writer does not keep to itself.
	var calls struct {
		Profile string `json:"profile"`
	}
	if json.Unmarshal(e.Display, &calls) == nil && calls.Profile != "" {
		s.Agent = calls.Profile
	}
}

// Kind says what an Entry records.
type Kind string

// The kinds of entry. The transcript is append-only: an AssistantMessage stands
// in for the deltas before it, so that a store may drop those.
const (
	KindUser      Kind = "user"            // what the user sent
	KindDelta     Kind = "assistant_delta" // text already shown of a message not finished yet
	KindAssistant Kind = "assistant"       // a finished (or cut) assistant message with its tool calls
	KindTool      Kind = "tool"            // the result of one call
	KindNote      Kind = "note"            // shown to the user, never sent to the model
	// KindSummary is sent to the model in the place of all that came before it,
	// except for the last KeptTurns messages of the user and what followed them.
	// What it stands for stays in the transcript.
	KindSummary Kind = "summary"
)

// KeptTurns is how many turns a summary leaves as they were.
const KeptTurns = 2

// Entry is one thing that happened, in the order of Seq.
type Entry struct {
	Seq     int64       `json:"seq"`
	At      time.Time   `json:"at"`
	Kind    Kind        `json:"kind"`
	Message llm.Message `json:"message"`
	// Display is what the screen needs to draw the entry again and the model
	// never sees, as JSON of the writer's choosing (agent.Display).
	Display json.RawMessage `json:"display,omitempty"`
}

// Store keeps sessions durably.
//
// Append returns once the entries survive the death of the process; entries of
// one call are kept all or not at all, and Seq is given by the store. When
// Append writes a KindAssistant entry it removes, in the same transaction, the
// KindDelta entries that it stands in for: those after the last KindUser,
// KindAssistant or KindTool. Older ones are all that is left of a message that
// was cut, and stay. Append adds the entries to the cover: UpdatedAt moves on to
// the latest At, never back.
//
// Times are kept to the microsecond, in UTC. Two processes may use one store;
// Locks keep them from writing one session at a time.
type Store interface {
	// Create keeps a new session with the entries it begins with, all of it or
	// nothing. Agent and Messages are those of the entries.
	Create(ctx context.Context, s Session, entries ...Entry) error
	Append(ctx context.Context, id string, entries ...Entry) error
	// Load returns ErrNotFound for an unknown ID.
	Load(ctx context.Context, id string) (Session, []Entry, error)
	// List returns the last used first; limit 0 means all.
	List(ctx context.Context, limit int) ([]Session, error)
	// Delete returns ErrNotFound for an unknown ID.
	Delete(ctx context.Context, id string) error
}
