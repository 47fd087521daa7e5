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

// The schemas are what the migrations make of an empty file, as schemaObjects lists it. A test
// compares them.
var (
	//go:embed schema.sql
	sessionSchema string
	//go:embed schema_bars.sql
	barsSchema string
	//go:embed schema_book.sql
	portfolioSchema string
)

// layout is what the files of one purpose have in common.
type layout struct {
	contents string // for the user, where it is lost
	folder   string // of its migrations
	schema   string
	probe    string // reads what the next change will touch

	// applicationID is the application_id that the first migration writes, 0 where it writes
	// none: it keeps a file of another purpose from being migrated to this one.
	applicationID uint32
	// irreplaceable is what nobody can say again: a damaged file is refused and not set
	// aside.
	irreplaceable bool
	// beforeMigrate is called when what the file holds is about to be migrated, with the
	// schema that it has.
	beforeMigrate func(ctx context.Context, pool *sql.DB, have int) error
}

func sessionLayout() layout {
	return layout{
		contents: "the sessions and the stored skills", folder: "migration", schema: sessionSchema,
		probe: `SELECT seq FROM entry
			WHERE session_id = (SELECT id FROM session ORDER BY updated_at DESC LIMIT 1) ORDER BY seq DESC LIMIT 1`,
	}
}

func barsLayout() layout {
	return layout{
		contents: "the kept prices", folder: "migration/bars", schema: barsSchema,
		probe: `SELECT b.year FROM series s JOIN bars b USING (source, symbol) LIMIT 1`,
	}
}

func portfolioLayout() layout {
	return layout{
		contents: "the book", folder: "migration/book", schema: portfolioSchema, applicationID: 0x6e666162, irreplaceable: true,
		probe: `SELECT t.amount FROM account a LEFT JOIN transactions t ON t.account = a.name ORDER BY t.seq DESC LIMIT 1`,
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
