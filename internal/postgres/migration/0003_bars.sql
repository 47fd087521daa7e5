-- Price history, as in SQLite. Each person saves their own; those who may open a book may read it.

CREATE TABLE nfa.series (
    book     name NOT NULL DEFAULT nfa.opened(),
    source   text COLLATE "C" NOT NULL,
    symbol   text COLLATE "C" NOT NULL,
    revision bigint NOT NULL, -- another one with each change
    cover    json NOT NULL,   -- all of a series but its bars
    PRIMARY KEY (book, source, symbol)
);

CREATE TABLE nfa.bars (
    book   name NOT NULL DEFAULT nfa.opened(),
    source text COLLATE "C" NOT NULL,
    symbol text COLLATE "C" NOT NULL,
    year   integer NOT NULL,
    bars   bytea NOT NULL, -- packed
    PRIMARY KEY (book, source, symbol, year),
    FOREIGN KEY (book, source, symbol) REFERENCES nfa.series (book, source, symbol) ON DELETE CASCADE
);

DO $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['series', 'bars'] LOOP
        EXECUTE format('ALTER TABLE nfa.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE nfa.%I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY read ON nfa.%I FOR SELECT USING (book = (SELECT nfa.readable()))', t);
        EXECUTE format('CREATE POLICY add ON nfa.%I FOR INSERT WITH CHECK (book = session_user AND book = (SELECT nfa.opened()))', t);
        EXECUTE format('CREATE POLICY change ON nfa.%I FOR UPDATE USING (book = session_user AND book = (SELECT nfa.opened())) WITH CHECK (book = session_user AND book = (SELECT nfa.opened()))', t);
        EXECUTE format('CREATE POLICY remove ON nfa.%I FOR DELETE USING (book = session_user AND book = (SELECT nfa.opened()))', t);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON nfa.series, nfa.bars TO nfa_users;
