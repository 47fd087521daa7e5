-- table entry on entry
CREATE TABLE entry (
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    message    TEXT NOT NULL,
    display    TEXT,
    PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

-- table session on session
CREATE TABLE session (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    model      TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    updated_at INTEGER NOT NULL
, agent TEXT NOT NULL DEFAULT '', messages INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

-- index session_by_age on session
CREATE INDEX session_by_age ON session (updated_at DESC, id DESC);

-- table skill on skill
CREATE TABLE skill (
    name       TEXT NOT NULL PRIMARY KEY, -- canonical, as the skill package writes names
    content    TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    changed_at INTEGER NOT NULL
) STRICT;

-- index sqlite_autoindex_skill_1 on skill
