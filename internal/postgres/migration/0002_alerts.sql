-- Alert rules, their state and the messages, as in SQLite.

CREATE TABLE nfa.alert_rule (
    book         name NOT NULL DEFAULT nfa.opened(),
    n            bigint NOT NULL, -- the ID is r and n
    text         text NOT NULL CHECK (text <> ''),
    channels     text NOT NULL DEFAULT '',
    created_at   bigint NOT NULL, -- microseconds since 1970, UTC
    paused_until bigint,
    once         integer NOT NULL DEFAULT 0 CHECK (once IN (0, 1)),
    PRIMARY KEY (book, n)
);

CREATE TABLE nfa.alert_state (
    book       name NOT NULL DEFAULT nfa.opened(),
    rule_id    text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL,
    armed      integer NOT NULL CHECK (armed IN (0, 1)),
    last_as_of bigint NOT NULL,
    last_value text NOT NULL,
    edge       integer NOT NULL,
    problem    text NOT NULL DEFAULT '',
    PRIMARY KEY (book, rule_id, subject)
);

CREATE TABLE nfa.alert_outbox (
    book       name NOT NULL DEFAULT nfa.opened(),
    alert_id   text COLLATE "C" NOT NULL,
    channel    text COLLATE "C" NOT NULL, -- '' is the log
    body       json NOT NULL,
    created_at bigint NOT NULL,
    hold_until bigint NOT NULL DEFAULT 0,
    tries      integer NOT NULL DEFAULT 0,
    next_try   bigint NOT NULL DEFAULT 0, -- -1 after it failed for good
    sent_at    bigint NOT NULL DEFAULT 0,
    error      text NOT NULL DEFAULT '',
    PRIMARY KEY (book, alert_id, channel)
);
CREATE INDEX alert_by_age ON nfa.alert_outbox (book, channel, created_at);

-- last_rule is the highest number that a rule of the book ever had: the log names removed rules.
CREATE TABLE nfa.last_rule (
    book name PRIMARY KEY DEFAULT nfa.opened(),
    n    bigint NOT NULL
);

CREATE FUNCTION nfa.number_rule() RETURNS trigger LANGUAGE plpgsql SET search_path = nfa, pg_temp AS
$$ BEGIN
    IF NEW.n IS NULL THEN
        SELECT coalesce(max(l.n), 0) + 1 INTO NEW.n FROM nfa.last_rule l WHERE l.book = NEW.book;
    END IF;
    INSERT INTO nfa.last_rule (book, n) VALUES (NEW.book, NEW.n)
        ON CONFLICT (book) DO UPDATE SET n = greatest(last_rule.n, excluded.n);
    RETURN NEW;
END $$;
CREATE TRIGGER number_rule BEFORE INSERT ON nfa.alert_rule FOR EACH ROW EXECUTE FUNCTION nfa.number_rule();

DO $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['alert_rule', 'alert_state', 'alert_outbox', 'last_rule'] LOOP
        EXECUTE format('ALTER TABLE nfa.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE nfa.%I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY own ON nfa.%I USING (book = (SELECT nfa.writable())) WITH CHECK (book = (SELECT nfa.writable()))', t);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON nfa.alert_rule, nfa.alert_state, nfa.alert_outbox, nfa.last_rule TO nfa_users;
GRANT EXECUTE ON FUNCTION nfa.number_rule() TO nfa_users;
