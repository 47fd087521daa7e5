package sqlite

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed migration/*.sql migration/bars/*.sql
var migrations embed.FS

// The schemas are what the migrations make of an empty file, as describe writes
// it. A test keeps them true.
var (
	//go:embed schema.sql
	sessionSchema string
	//go:embed schema_bars.sql
	barsSchema string
)

// layout is what the files of one purpose have in common.
type layout struct {
	holds  string // for the user, where it is lost
	folder string // of its migrations
	schema string
	probe  string // reads what the next change will touch
}

func sessionLayout() layout {
	return layout{
		holds: "the sessions and the stored skills", folder: "migration", schema: sessionSchema,
		probe: `SELECT seq FROM entry
			WHERE session_id = (SELECT id FROM session ORDER BY updated_at DESC LIMIT 1) ORDER BY seq DESC LIMIT 1`,
	}
}

func barsLayout() layout {
	return layout{
		holds: "the kept prices", folder: "migration/bars", schema: barsSchema,
		probe: `SELECT b.year FROM series s JOIN bars b USING (source, symbol) LIMIT 1`,
	}
}

// scripts lists the migrations in their order.
func (l layout) scripts() ([]string, error) {
	files, err := fs.Glob(migrations, l.folder+"/*.sql") // sorted by name
	if err != nil {
		return nil, fmt.Errorf("listing migrations: %w", err)
	}
	return files, nil
}
