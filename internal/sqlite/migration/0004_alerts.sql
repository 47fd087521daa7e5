-- Alert rules of the user. AUTOINCREMENT, because alerts in the log name rules that were removed.
CREATE TABLE alert_rule (
    n            INTEGER PRIMARY KEY AUTOINCREMENT, -- the ID is r and n
    owner        TEXT NOT NULL DEFAULT '',
    text         TEXT NOT NULL CHECK (text <> ''),
    channels     TEXT NOT NULL DEFAULT '', -- separated by commas; '' is all
    created_at   INTEGER NOT NULL,         -- microseconds since 1970, UTC
    paused_until INTEGER,                  -- 0 is for good
    once         INTEGER NOT NULL DEFAULT 0 CHECK (once IN (0, 1))
) STRICT;

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

-- A row for each channel, and one for the log with the channel ''.
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

CREATE INDEX alert_by_age ON alert_outbox (channel, created_at);
