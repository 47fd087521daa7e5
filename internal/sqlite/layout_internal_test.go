package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
)

// The probe runs at every start. It reads the newest row and looks the rest up, whatever the file holds: a
// broker file with 20,000 accounts once made every later start take minutes.
func TestLayout_ProbesReadOneRow(t *testing.T) {
	for name, l := range map[string]layout{"sessions": sessionLayout(), "bars": barsLayout(), "portfolio": portfolioLayout()} {
		db, err := openAs(t.Context(), filepath.Join(t.TempDir(), name+".db"), Options{}, l)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := db.db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+l.probe)
		if err != nil {
			t.Fatal(err)
		}
		scans := 0
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN") {
				scans++
			}
			if scans > 1 || strings.Contains(step, "TEMP B-TREE") || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("the probe of %s does %q", name, step)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		_ = rows.Close()
		_ = db.Close()
	}
}
