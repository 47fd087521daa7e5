-- Conversations: a cover each, and their entries in the order they happened.
CREATE TABLE session (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    model      TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_age ON session (updated_at DESC, id DESC);

-- seq counts within a session; a message is JSON as the llm package writes it.
CREATE TABLE entry (
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    message    TEXT NOT NULL,
    display    TEXT,
    PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;
