-- table account on account
CREATE TABLE account (
    seq        INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE CHECK (name <> ''),
    cost_basis TEXT NOT NULL CHECK (cost_basis <> ''),
    cash       TEXT NOT NULL CHECK (cash <> ''),
    untaxed    INTEGER NOT NULL DEFAULT 0 CHECK (untaxed IN (0, 1)),
    owner      TEXT
) STRICT;

-- index sqlite_autoindex_account_1 on account

-- table alias on alias
CREATE TABLE alias (
    name   TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
    symbol TEXT NOT NULL CHECK (symbol <> '')
) STRICT;

-- index sqlite_autoindex_alias_1 on alias

-- table decision on decision
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

-- index sqlite_autoindex_decision_1 on decision

-- table decision_mark on decision_mark
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

-- table document on document
CREATE TABLE document (
    kind       TEXT NOT NULL CHECK (kind <> ''),
    name       TEXT NOT NULL,
    content    TEXT NOT NULL CHECK (json_valid(content)),
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT;

-- index sqlite_autoindex_document_1 on document

-- table lot_pick on lot_pick
CREATE TABLE lot_pick (
    transaction_seq INTEGER NOT NULL REFERENCES transactions (seq) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    lot             TEXT NOT NULL,
    quantity        TEXT NOT NULL CHECK (quantity GLOB '*[0-9]*' AND quantity NOT GLOB '*[^-0-9.]*'),
    PRIMARY KEY (transaction_seq, position)
) STRICT, WITHOUT ROWID;

-- table security on security
CREATE TABLE security (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    class  TEXT,
    region TEXT,
    sector TEXT,
    fee    TEXT CHECK (fee GLOB '*[0-9]*' AND fee NOT GLOB '*[^-0-9.]*'), -- a year, a fraction of one
    said   TEXT CHECK (said IS date(said))
, exchange TEXT, currency TEXT) STRICT;

-- index sqlite_autoindex_security_1 on security

-- table target on target
CREATE TABLE target (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    weight TEXT NOT NULL CHECK (weight GLOB '*[0-9]*' AND weight NOT GLOB '*[^-0-9.]*') -- a fraction of one
) STRICT;

-- index sqlite_autoindex_target_1 on target

-- table transactions on transactions
CREATE TABLE transactions (
    seq          INTEGER PRIMARY KEY, -- in the order in which they were recorded
    id           TEXT NOT NULL CHECK (id <> ''),
    date         TEXT NOT NULL CHECK (date IS date(date)),
    time         TEXT,
    kind         TEXT NOT NULL CHECK (kind <> ''),
    account      TEXT NOT NULL REFERENCES account (name),
    symbol       TEXT,
    isin         TEXT,
    name         TEXT,
    quantity     TEXT CHECK (quantity GLOB '*[0-9]*' AND quantity NOT GLOB '*[^-0-9.]*'),
    price        TEXT CHECK (price GLOB '*[0-9]*' AND price NOT GLOB '*[^-0-9.]*'), -- of one
    currency     TEXT,
    amount       TEXT CHECK (amount GLOB '*[0-9]*' AND amount NOT GLOB '*[^-0-9.]*'), -- before fee and tax
    fee          TEXT CHECK (fee GLOB '*[0-9]*' AND fee NOT GLOB '*[^-0-9.]*'),
    tax          TEXT CHECK (tax GLOB '*[0-9]*' AND tax NOT GLOB '*[^-0-9.]*'),
    cost_unknown INTEGER NOT NULL DEFAULT 0 CHECK (cost_unknown IN (0, 1)),
    acquired     TEXT CHECK (acquired IS date(acquired)),
    to_account   TEXT REFERENCES account (name),
    to_symbol    TEXT,
    to_currency  TEXT,
    to_amount    TEXT CHECK (to_amount GLOB '*[0-9]*' AND to_amount NOT GLOB '*[^-0-9.]*'),
    new          TEXT CHECK (new GLOB '*[0-9]*' AND new NOT GLOB '*[^-0-9.]*'),
    old          TEXT CHECK (old GLOB '*[0-9]*' AND old NOT GLOB '*[^-0-9.]*'),
    cost_part    TEXT CHECK (cost_part GLOB '*[0-9]*' AND cost_part NOT GLOB '*[^-0-9.]*'),
    short        INTEGER NOT NULL DEFAULT 0 CHECK (short IN (0, 1)),
    note         TEXT,
    source       TEXT,
    source_id    TEXT,
    recorded_at  TEXT NOT NULL,
    removed_at   TEXT,
    CHECK ((source IS NULL) = (source_id IS NULL))
) STRICT;

-- index transactions_by_id on transactions
CREATE UNIQUE INDEX transactions_by_id ON transactions (id) WHERE removed_at IS NULL;

-- index transactions_by_source on transactions
CREATE UNIQUE INDEX transactions_by_source ON transactions (account, source, source_id)
    WHERE removed_at IS NULL AND source IS NOT NULL;

-- table watch on watch
CREATE TABLE watch (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    added  TEXT NOT NULL CHECK (added IS date(added)),
    note   TEXT
) STRICT;

-- index sqlite_autoindex_watch_1 on watch

-- table watch_target on watch_target
CREATE TABLE watch_target (
    symbol   TEXT NOT NULL REFERENCES watch (symbol) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    side     TEXT NOT NULL CHECK (side IN ('above', 'below')),
    price    TEXT NOT NULL CHECK (price GLOB '*[0-9]*' AND price NOT GLOB '*[^-0-9.]*'),
    currency TEXT NOT NULL,
    PRIMARY KEY (symbol, position)
) STRICT, WITHOUT ROWID;
