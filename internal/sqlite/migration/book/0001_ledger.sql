-- The book: accounts, what happened in them, and other names of securities.
-- Decimals are text, digit for digit; days are YYYY-MM-DD; moments are RFC 3339.
-- What is not known or not there is NULL.
PRAGMA application_id = 0x6e666162; -- "nfab"

CREATE TABLE account (
    seq        INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE CHECK (name <> ''),
    cost_basis TEXT NOT NULL CHECK (cost_basis <> ''),
    cash       TEXT NOT NULL CHECK (cash <> ''),
    untaxed    INTEGER NOT NULL DEFAULT 0 CHECK (untaxed IN (0, 1)),
    owner      TEXT
) STRICT;

-- A transaction that was removed keeps its row, with the moment in removed_at.
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

CREATE UNIQUE INDEX transactions_by_id ON transactions (id) WHERE removed_at IS NULL;

-- A line of a broker's file counts once.
CREATE UNIQUE INDEX transactions_by_source ON transactions (account, source, source_id)
    WHERE removed_at IS NULL AND source IS NOT NULL;

-- The lots that a sale, transfer or merger names.
CREATE TABLE lot_pick (
    transaction_seq INTEGER NOT NULL REFERENCES transactions (seq) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    lot             TEXT NOT NULL,
    quantity        TEXT NOT NULL CHECK (quantity GLOB '*[0-9]*' AND quantity NOT GLOB '*[^-0-9.]*'),
    PRIMARY KEY (transaction_seq, position)
) STRICT, WITHOUT ROWID;

-- Names under which securities were recorded, with the symbol that they have now.
CREATE TABLE alias (
    name   TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
    symbol TEXT NOT NULL CHECK (symbol <> '')
) STRICT;

-- What the user has said of securities, and which part of the book each shall have.
CREATE TABLE security (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    class  TEXT,
    region TEXT,
    sector TEXT,
    fee    TEXT CHECK (fee GLOB '*[0-9]*' AND fee NOT GLOB '*[^-0-9.]*'), -- a year, a fraction of one
    said   TEXT CHECK (said IS date(said))
) STRICT;

CREATE TABLE target (
    symbol TEXT NOT NULL PRIMARY KEY CHECK (symbol <> ''),
    weight TEXT NOT NULL CHECK (weight GLOB '*[0-9]*' AND weight NOT GLOB '*[^-0-9.]*') -- a fraction of one
) STRICT;
