CREATE TABLE series (
    source   TEXT NOT NULL,
    symbol   TEXT NOT NULL,
    revision INTEGER NOT NULL, -- another one with each change
    cover    TEXT NOT NULL,    -- JSON: all of a series but its bars
    PRIMARY KEY (source, symbol)
) STRICT, WITHOUT ROWID;

CREATE TABLE bars (
    source TEXT NOT NULL,
    symbol TEXT NOT NULL,
    year   INTEGER NOT NULL,
    bars   BLOB NOT NULL, -- packed, see pack.go
    PRIMARY KEY (source, symbol, year),
    FOREIGN KEY (source, symbol) REFERENCES series (source, symbol) ON DELETE CASCADE
) STRICT;
