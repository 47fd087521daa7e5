-- What a list of sessions says of each, without reading what is in it.
ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT ''; -- whom the user asked last
ALTER TABLE session ADD COLUMN messages INTEGER NOT NULL DEFAULT 0; -- of the user

UPDATE session SET
    messages = (SELECT count(*) FROM entry WHERE session_id = session.id AND kind = 'user'),
    agent = coalesce((SELECT CASE WHEN json_valid(display) THEN json_extract(display, '$.profile') END
        FROM entry WHERE session_id = session.id AND kind = 'user' ORDER BY seq DESC LIMIT 1), '');
