package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Skills stores skills.
type Skills struct{ engine Engine }

var _ skill.Store = Skills{}

// NewSkills returns the skills that an engine holds. Unlike a session, a skill is hard to recreate,
// so the engine should wait for the disk.
func NewSkills(e Engine) Skills { return Skills{e} }

func (s Skills) All(ctx context.Context) ([]skill.StoredSkill, error) {
	var stored []skill.StoredSkill
	err := s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			var record skill.StoredSkill
			var created, changed int64
			err := rows.Scan(&record.Name, &record.Text, &created, &changed)
			record.CreatedAt, record.ChangedAt = time.UnixMicro(created).UTC(), time.UnixMicro(changed).UTC()
			stored = append(stored, record)
			return err
		}, "SELECT name, content, created_at, changed_at FROM skill ORDER BY name")
	})
	if err != nil {
		return nil, fmt.Errorf("list stored skills: %w", err)
	}
	return stored, nil
}

func (s Skills) Swap(ctx context.Context, remove, add []skill.StoredSkill) error {
	err := s.engine.Write(ctx, func(tx Tx) error {
		for _, old := range remove {
			if err := removeSkill(ctx, tx, old); err != nil {
				return fmt.Errorf("remove stored skill %s: %w", old.Name, err)
			}
		}
		for _, fresh := range add {
			if err := insertSkill(ctx, tx, fresh); err != nil {
				return fmt.Errorf("store skill %s: %w", fresh.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("change stored skills: %w", err)
	}
	return nil
}

// removeSkill also compares the text, so that a concurrent change is not lost.
func removeSkill(ctx context.Context, tx Tx, old skill.StoredSkill) error {
	return requireOneRow(tx.ExecContext(ctx, "DELETE FROM skill WHERE name = ? AND content = ?",
		skill.CanonicalName(old.Name), old.Text))
}

func insertSkill(ctx context.Context, tx Tx, s skill.StoredSkill) error {
	return requireOneRow(tx.ExecContext(ctx,
		"INSERT INTO skill (name, content, created_at, changed_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		skill.CanonicalName(s.Name), s.Text, s.CreatedAt.UnixMicro(), s.ChangedAt.UnixMicro()))
}

// requireOneRow returns an error if a statement did not affect its row.
func requireOneRow(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n != 1 {
		err = skill.ErrStoreChanged
	}
	return err
}
