package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// CheckHome checks the folder, its sessions, its portfolio, and whether damaged databases were set
// aside. It creates the folder if it is missing, but no file.
func CheckHome(ctx context.Context, home string, now func() time.Time) []Finding {
	return append([]Finding{checkFolder(home), checkSessions(ctx, home), checkPortfolio(ctx, PortfolioPath(home), now)}, checkDamaged(home)...)
}

// checkFolder writes a test file, because permission bits do not show read-only and full disks.
func checkFolder(home string) Finding {
	const fix = "make the folder writable, or choose another with --home or NFA_HOME"
	if err := os.MkdirAll(home, 0o700); err != nil {
		return problemFinding("home", fmt.Sprintf("cannot create %s: %v", home, err), fix)
	}
	probe, err := os.CreateTemp(home, ".doctor-*")
	if err != nil {
		return problemFinding("home", fmt.Sprintf("cannot write to %s: %v", home, err), fix)
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	return okFinding("home", home, "")
}

func checkSessions(ctx context.Context, home string) Finding {
	path := DatabasePath(home)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return okFinding("sessions", "none yet", "")
	}
	var notices []string
	db, err := sqlite.Open(ctx, path, sqlite.Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		return problemFinding("sessions", err.Error(), "")
	}
	defer db.Close()
	all, err := db.Sessions().List(ctx, 0)
	if err != nil {
		return problemFinding("sessions", err.Error(), "")
	}
	if len(notices) > 0 {
		return noteFinding("sessions", strings.Join(notices, "; "), "")
	}
	return okFinding("sessions", fmt.Sprintf("%d in %s", len(all), path), "")
}

// damagedName matches the name of a damaged database, but not those of its journals.
var damagedName = lazyregexp.New(`^nfa\.db\.damaged-[0-9]{8}-[0-9]{6}(-[0-9]+)?$`)

// checkDamaged reports damaged databases that were set aside, because their sessions are not listed
// anywhere else.
func checkDamaged(home string) []Finding {
	files, err := os.ReadDir(home)
	if err != nil {
		return nil // already reported by checkFolder
	}
	var found []Finding
	for _, file := range files {
		if !damagedName().MatchString(file.Name()) {
			continue
		}
		path := filepath.Join(home, file.Name())
		found = append(found, noteFinding("sessions", "a damaged database was moved to "+path,
			"recover its contents with sqlite3 FILE .recover, or delete the file"))
	}
	return found
}
