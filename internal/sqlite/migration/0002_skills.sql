-- Skills that wait for a skills folder that can be written, the SKILL.md alone.
CREATE TABLE skill (
    name       TEXT NOT NULL PRIMARY KEY, -- canonical, as the skill package writes names
    content    TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    changed_at INTEGER NOT NULL
) STRICT;
