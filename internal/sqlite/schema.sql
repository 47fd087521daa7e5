-- table alert_outbox on alert_outbox
CREATE TABLE alert_outbox (
    alert_id   TEXT NOT NULL,
    channel    TEXT NOT NULL,
    body       TEXT NOT NULL CHECK (json_valid(body)),
    created_at INTEGER NOT NULL,
    hold_until INTEGER NOT NULL DEFAULT 0,
    tries      INTEGER NOT NULL DEFAULT 0,
    next_try   INTEGER NOT NULL DEFAULT 0, -- -1 after it failed for good
    sent_at    INTEGER NOT NULL DEFAULT 0,
    error      TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (alert_id, channel)
) STRICT, WITHOUT ROWID;

-- index alert_by_age on alert_outbox
CREATE INDEX alert_by_age ON alert_outbox (channel, created_at);

-- table alert_rule on alert_rule
CREATE TABLE alert_rule (
    n            INTEGER PRIMARY KEY AUTOINCREMENT, -- the ID is r and n
    owner        TEXT NOT NULL DEFAULT '',
    text         TEXT NOT NULL CHECK (text <> ''),
    channels     TEXT NOT NULL DEFAULT '', -- separated by commas; '' is all
    created_at   INTEGER NOT NULL,         -- microseconds since 1970, UTC
    paused_until INTEGER,                  -- 0 is for good
    once         INTEGER NOT NULL DEFAULT 0 CHECK (once IN (0, 1))
) STRICT;

-- table alert_state on alert_state
CREATE TABLE alert_state (
    rule_id    TEXT NOT NULL,
    subject    TEXT NOT NULL,
    armed      INTEGER NOT NULL CHECK (armed IN (0, 1)),
    last_as_of INTEGER NOT NULL,
    last_value TEXT NOT NULL,
    edge       INTEGER NOT NULL,
    problem    TEXT NOT NULL DEFAULT '', -- why the last evaluation gave no figure
    PRIMARY KEY (rule_id, subject)
) STRICT, WITHOUT ROWID;

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

-- table sqlite_sequence on sqlite_sequence
CREATE TABLE sqlite_sequence(name,seq);
