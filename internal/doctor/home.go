package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/cabinet"
	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// Home looks at the folder itself, at the sessions and the book in it, and for databases
// that were set aside. A file that is missing is not made; the folder is.
func Home(ctx context.Context, home string, now func() time.Time) []Finding {
	return append([]Finding{folder(home), sessions(ctx, home), book(ctx, cabinet.BookPath(home), now)}, damaged(home)...)
}

// folder tries to write, because permission bits do not tell about read-only and full
// disks.
func folder(home string) Finding {
	const mend = "make it writable, or choose another with --home or NFA_HOME"
	if err := os.MkdirAll(home, 0o700); err != nil {
		return problem("home", fmt.Sprintf("%s cannot be created: %v", home, err), mend)
	}
	probe, err := os.CreateTemp(home, ".doctor-*")
	if err != nil {
		return problem("home", fmt.Sprintf("%s cannot be written: %v", home, err), mend)
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	return ok("home", home, "")
}

func sessions(ctx context.Context, home string) Finding {
	path := cabinet.DatabasePath(home)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return ok("sessions", "none yet", "")
	}
	var notices []string
	db, err := sqlite.Open(ctx, path, sqlite.Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		return problem("sessions", err.Error(), "")
	}
	defer db.Close()
	all, err := db.Sessions().List(ctx, 0)
	if err != nil {
		return problem("sessions", err.Error(), "")
	}
	if len(notices) > 0 {
		return note("sessions", strings.Join(notices, "; "), "")
	}
	return ok("sessions", fmt.Sprintf("%d in %s", len(all), path), "")
}

// setAside is the name of a damaged database, without those of its journals.
var setAside = pattern.Lazy(`^nfa\.db\.damaged-[0-9]{8}-[0-9]{6}(-[0-9]+)?$`)

// damaged names the databases that were set aside: what is in them is in no session
// list any more.
func damaged(home string) []Finding {
	files, err := os.ReadDir(home)
	if err != nil {
		return nil // folder has said it
	}
	var found []Finding
	for _, file := range files {
		if !setAside().MatchString(file.Name()) {
			continue
		}
		path := filepath.Join(home, file.Name())
		found = append(found, note("sessions", "a damaged database was set aside: "+path,
			"what can still be read of it: sqlite3 FILE .recover; delete it when you miss nothing"))
	}
	return found
}
