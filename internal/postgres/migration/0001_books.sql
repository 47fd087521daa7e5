-- A book is everything that one person keeps: portfolio, profile, journal, sessions and skills. It
-- is named after the person's role. Row-level security on session_user decides who may open it;
-- the setting nfa.book only says which one a connection has opened.

CREATE TABLE nfa.share (
    book    name NOT NULL DEFAULT session_user,
    grantee name NOT NULL,
    level   text NOT NULL CHECK (level IN ('view', 'edit')),
    PRIMARY KEY (book, grantee)
);

-- opened is the book that this connection has opened.
CREATE FUNCTION nfa.opened() RETURNS name LANGUAGE sql STABLE AS
$$ SELECT coalesce(nullif(current_setting('nfa.book', true), '')::name, session_user) $$;

-- level is 'view', 'edit' or NULL: what the person may do in a book.
CREATE FUNCTION nfa.level(b name) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = nfa, pg_temp AS
$$ SELECT CASE WHEN b = session_user THEN 'edit' ELSE (SELECT level FROM nfa.share WHERE book = b AND grantee = session_user) END $$;

-- readable and writable are the opened book, or NULL if the person may not read or change it.
CREATE FUNCTION nfa.readable() RETURNS name LANGUAGE sql STABLE AS
$$ SELECT CASE WHEN nfa.level(nfa.opened()) IS NOT NULL THEN nfa.opened() END $$;
CREATE FUNCTION nfa.writable() RETURNS name LANGUAGE sql STABLE AS
$$ SELECT CASE WHEN nfa.level(nfa.opened()) = 'edit' THEN nfa.opened() END $$;

-- books lists the books that the person may open.
CREATE FUNCTION nfa.books() RETURNS TABLE (book name, level text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = nfa, pg_temp AS
$$ SELECT session_user::name, 'edit' UNION ALL SELECT s.book, s.level FROM nfa.share s WHERE s.grantee = session_user AND s.book <> session_user ORDER BY 1 $$;

-- A change of the portfolio locks its row here, so that changes are made one after the other.
CREATE TABLE nfa.book (
    book    name PRIMARY KEY DEFAULT nfa.opened(),
    version bigint NOT NULL
);

-- One row for each saved change, so that a client whose connection was cut can look for it.
CREATE TABLE nfa.change (
    id   uuid PRIMARY KEY,
    book name NOT NULL DEFAULT nfa.opened(),
    at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE nfa.account (
    book       name NOT NULL DEFAULT nfa.opened(),
    seq        bigint GENERATED ALWAYS AS IDENTITY,
    name       text COLLATE "C" NOT NULL CHECK (name <> ''),
    cost_basis text NOT NULL CHECK (cost_basis <> ''),
    cash       text NOT NULL CHECK (cash <> ''),
    untaxed    integer NOT NULL DEFAULT 0 CHECK (untaxed IN (0, 1)),
    owner      text,
    PRIMARY KEY (book, name)
);

CREATE TABLE nfa.alias (
    book   name NOT NULL DEFAULT nfa.opened(),
    name   text COLLATE "C" NOT NULL CHECK (name <> ''),
    symbol text COLLATE "C" NOT NULL CHECK (symbol <> ''),
    PRIMARY KEY (book, name)
);

CREATE TABLE nfa.security (
    book     name NOT NULL DEFAULT nfa.opened(),
    symbol   text COLLATE "C" NOT NULL CHECK (symbol <> ''),
    class    text,
    region   text,
    sector   text,
    fee      numeric,
    said     date,
    exchange text,
    currency text,
    PRIMARY KEY (book, symbol)
);

CREATE TABLE nfa.target (
    book   name NOT NULL DEFAULT nfa.opened(),
    symbol text COLLATE "C" NOT NULL CHECK (symbol <> ''),
    weight numeric NOT NULL,
    PRIMARY KEY (book, symbol)
);

CREATE TABLE nfa.transactions (
    book         name NOT NULL DEFAULT nfa.opened(),
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    id           text COLLATE "C" NOT NULL CHECK (id <> ''),
    date         date NOT NULL,
    time         text,
    kind         text NOT NULL CHECK (kind <> ''),
    account      text COLLATE "C" NOT NULL,
    symbol       text,
    isin         text,
    name         text,
    quantity     numeric,
    price        numeric,
    currency     text,
    amount       numeric,
    fee          numeric,
    tax          numeric,
    cost_unknown integer NOT NULL DEFAULT 0 CHECK (cost_unknown IN (0, 1)),
    acquired     date,
    to_account   text COLLATE "C",
    to_symbol    text,
    to_currency  text,
    to_amount    numeric,
    new          numeric,
    old          numeric,
    cost_part    numeric,
    short        integer NOT NULL DEFAULT 0 CHECK (short IN (0, 1)),
    note         text,
    source       text,
    source_id    text,
    recorded_at  text NOT NULL,
    removed_at   text,
    PRIMARY KEY (book, seq),
    FOREIGN KEY (book, account) REFERENCES nfa.account (book, name),
    FOREIGN KEY (book, to_account) REFERENCES nfa.account (book, name),
    CHECK ((source IS NULL) = (source_id IS NULL))
);
CREATE UNIQUE INDEX transactions_by_id ON nfa.transactions (book, id) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX transactions_by_source ON nfa.transactions (book, account, source, source_id)
    WHERE removed_at IS NULL AND source IS NOT NULL;

CREATE TABLE nfa.lot_pick (
    book            name NOT NULL DEFAULT nfa.opened(),
    transaction_seq bigint NOT NULL,
    position        integer NOT NULL,
    lot             text,
    quantity        numeric NOT NULL,
    PRIMARY KEY (book, transaction_seq, position),
    FOREIGN KEY (book, transaction_seq) REFERENCES nfa.transactions (book, seq) ON DELETE CASCADE
);

CREATE TABLE nfa.watch (
    book   name NOT NULL DEFAULT nfa.opened(),
    symbol text COLLATE "C" NOT NULL CHECK (symbol <> ''),
    added  date NOT NULL,
    note   text,
    PRIMARY KEY (book, symbol)
);

CREATE TABLE nfa.watch_target (
    book     name NOT NULL DEFAULT nfa.opened(),
    symbol   text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    side     text NOT NULL CHECK (side IN ('above', 'below')),
    price    numeric NOT NULL,
    currency text NOT NULL,
    PRIMARY KEY (book, symbol, position),
    FOREIGN KEY (book, symbol) REFERENCES nfa.watch (book, symbol) ON DELETE CASCADE
);

CREATE TABLE nfa.decision (
    book       name NOT NULL DEFAULT nfa.opened(),
    id         text COLLATE "C" NOT NULL CHECK (id <> ''),
    date       date NOT NULL,
    action     text NOT NULL,
    thesis     text NOT NULL,
    disproof   text NOT NULL,
    review_on  date,
    confidence numeric,
    closed     date,
    outcome    text,
    PRIMARY KEY (book, id)
);

CREATE TABLE nfa.decision_mark (
    book        name NOT NULL DEFAULT nfa.opened(),
    decision_id text COLLATE "C" NOT NULL,
    position    integer NOT NULL,
    symbol      text NOT NULL,
    price       numeric,
    currency    text,
    as_of       date,
    source      text,
    PRIMARY KEY (book, decision_id, position),
    FOREIGN KEY (book, decision_id) REFERENCES nfa.decision (book, id) ON DELETE CASCADE
);

-- json, not jsonb: documents and messages come back byte for byte.
CREATE TABLE nfa.document (
    book       name NOT NULL DEFAULT nfa.opened(),
    kind       text NOT NULL CHECK (kind <> ''),
    name       text COLLATE "C" NOT NULL,
    content    json NOT NULL,
    changed_at text NOT NULL,
    PRIMARY KEY (book, kind, name)
);

CREATE TABLE nfa.session (
    book       name NOT NULL DEFAULT nfa.opened(),
    id         text COLLATE "C" NOT NULL,
    title      text NOT NULL,
    model      text NOT NULL,
    created_at bigint NOT NULL, -- microseconds since 1970, UTC
    updated_at bigint NOT NULL,
    agent      text NOT NULL DEFAULT '',
    messages   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (book, id)
);
CREATE INDEX session_by_age ON nfa.session (book, updated_at DESC, id DESC);

CREATE TABLE nfa.entry (
    book       name NOT NULL DEFAULT nfa.opened(),
    session_id text COLLATE "C" NOT NULL,
    seq        bigint NOT NULL,
    at         bigint NOT NULL,
    kind       text NOT NULL,
    message    json NOT NULL,
    display    json,
    PRIMARY KEY (book, session_id, seq),
    FOREIGN KEY (book, session_id) REFERENCES nfa.session (book, id) ON DELETE CASCADE
);

-- Who writes a session, until when.
CREATE TABLE nfa.lease (
    book       name NOT NULL DEFAULT nfa.opened(),
    session_id text COLLATE "C" NOT NULL,
    holder     uuid NOT NULL,
    until      timestamptz NOT NULL,
    PRIMARY KEY (book, session_id)
);

CREATE TABLE nfa.skill (
    book       name NOT NULL DEFAULT nfa.opened(),
    name       text COLLATE "C" NOT NULL,
    content    text NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (book, name)
);

ALTER TABLE nfa.share ENABLE ROW LEVEL SECURITY; -- not FORCE: nfa.level must read it
CREATE POLICY own ON nfa.share USING (book = session_user) WITH CHECK (book = session_user);

-- Who may view a book sees its portfolio and watchlist. Sessions, profile, journal and skills are
-- for those who may edit it.
DO $$
DECLARE
    t    text;
    seen text;
BEGIN
    FOREACH t IN ARRAY ARRAY['book', 'change', 'account', 'alias', 'security', 'target', 'transactions', 'lot_pick', 'watch', 'watch_target',
        'decision', 'decision_mark', 'document', 'session', 'entry', 'lease', 'skill'] LOOP
        seen := CASE WHEN t IN ('change', 'decision', 'decision_mark', 'document', 'session', 'entry', 'lease', 'skill') THEN 'writable' ELSE 'readable' END;
        EXECUTE format('ALTER TABLE nfa.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE nfa.%I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY read ON nfa.%I FOR SELECT USING (book = (SELECT nfa.%I()))', t, seen);
        EXECUTE format('CREATE POLICY add ON nfa.%I FOR INSERT WITH CHECK (book = (SELECT nfa.writable()))', t);
        EXECUTE format('CREATE POLICY change ON nfa.%I FOR UPDATE USING (book = (SELECT nfa.writable())) WITH CHECK (book = (SELECT nfa.writable()))', t);
        EXECUTE format('CREATE POLICY remove ON nfa.%I FOR DELETE USING (book = (SELECT nfa.writable()))', t);
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA nfa TO nfa_users;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA nfa TO nfa_users;
REVOKE INSERT, UPDATE, DELETE ON nfa.migration FROM nfa_users;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nfa FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA nfa TO nfa_users;
