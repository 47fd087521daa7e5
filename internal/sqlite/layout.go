package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

//go:embed migration/*.sql migration/bars/*.sql migration/book/*.sql
var migrations embed.FS

// The schemas are the result of all migrations on an empty file, as listed by schemaObjects. A test
// compares them.
var (
	//go:embed schema.sql
	sessionSchema string
	//go:embed schema_bars.sql
	barsSchema string
	//go:embed schema_book.sql
	portfolioSchema string
)

// layout describes all files of one kind.
type layout struct {
	contents string // for messages to the user
	folder   string // of its migrations
	schema   string
	probe    string // reads the data that the next change will use

	// applicationID is the application_id that the first migration writes, or 0. It keeps a file of
	// another kind from being migrated to this one.
	applicationID uint32
	// irreplaceable means that the user cannot enter the data again: a damaged file is refused and
	// not set aside.
	irreplaceable bool
	// beforeMigrate is called before a file with data is migrated, with its current schema.
	beforeMigrate func(ctx context.Context, pool *sql.DB, have int) error
}

func sessionLayout() layout {
	return layout{
		contents: "sessions and stored skills", folder: "migration", schema: sessionSchema,
		probe: `SELECT seq FROM entry
			WHERE session_id = (SELECT id FROM session ORDER BY updated_at DESC LIMIT 1) ORDER BY seq DESC LIMIT 1`,
	}
}

func barsLayout() layout {
	return layout{
		contents: "saved prices", folder: "migration/bars", schema: barsSchema,
		probe: `SELECT b.year FROM series s JOIN bars b USING (source, symbol) LIMIT 1`,
	}
}

func portfolioLayout() layout {
	return layout{
		contents: "the portfolio", folder: "migration/book", schema: portfolioSchema, applicationID: 0x6e666162, irreplaceable: true,
		probe: `SELECT t.amount, a.cash FROM transactions t LEFT JOIN account a ON a.name = t.account ORDER BY t.seq DESC LIMIT 1`,
	}
}

// scripts lists the migrations in order.
func (l layout) scripts() ([]string, error) {
	files, err := fs.Glob(migrations, l.folder+"/*.sql") // sorted by name
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	return files, nil
}
