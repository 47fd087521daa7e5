-- JSON by kind and name: how a file's columns are read, who the investor is.
CREATE TABLE document (
    kind       TEXT NOT NULL CHECK (kind <> ''),
    name       TEXT NOT NULL,
    content    TEXT NOT NULL CHECK (json_valid(content)),
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT;

-- What the user watches, with the prices at which they want to look.
CREATE TABLE watch (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    added  TEXT NOT NULL CHECK (added IS date(added)),
    note   TEXT
) STRICT;

CREATE TABLE watch_target (
    symbol   TEXT NOT NULL REFERENCES watch (symbol) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    side     TEXT NOT NULL CHECK (side IN ('above', 'below')),
    price    TEXT NOT NULL CHECK (price GLOB '*[0-9]*' AND price NOT GLOB '*[^-0-9.]*'),
    currency TEXT NOT NULL,
    PRIMARY KEY (symbol, position)
) STRICT, WITHOUT ROWID;

-- What the user decided, with the prices of the time. Position 0 is the benchmark.
CREATE TABLE decision (
    id         TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    date       TEXT NOT NULL CHECK (date IS date(date)),
    action     TEXT NOT NULL,
    thesis     TEXT NOT NULL,
    disproof   TEXT NOT NULL,
    review_on  TEXT CHECK (review_on IS date(review_on)),
    confidence TEXT CHECK (confidence GLOB '*[0-9]*' AND confidence NOT GLOB '*[^-0-9.]*'),
    closed     TEXT CHECK (closed IS date(closed)),
    outcome    TEXT
) STRICT;

CREATE TABLE decision_mark (
    decision_id TEXT NOT NULL REFERENCES decision (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    symbol      TEXT NOT NULL,
    price       TEXT CHECK (price GLOB '*[0-9]*' AND price NOT GLOB '*[^-0-9.]*'),
    currency    TEXT,
    as_of       TEXT CHECK (as_of IS date(as_of)),
    source      TEXT,
    PRIMARY KEY (decision_id, position)
) STRICT, WITHOUT ROWID;
