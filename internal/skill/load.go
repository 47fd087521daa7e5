package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
)

// Content is a skill as its file stands at this moment.
type Content struct {
	Skill Skill
	Text  string // the whole SKILL.md, byte for byte
	Body  string // what follows the front matter; may be empty
}

// Version tells this text of the skill from another: a short sum of it.
func (c Content) Version() string {
	sum := sha256.Sum256([]byte(c.Text))
	return hex.EncodeToString(sum[:6])
}

// Load reads a skill. A name that no skill has gives a *NotFoundError. When the
// file has gone since the last scan, the roots are scanned once more; if the
// skill is then nowhere to be found the error is ErrFileMissing.
func (r *Registry) Load(name string) (Content, error) {
	e, ok := r.current.Load().lookup(name)
	if !ok {
		return Content{}, &NotFoundError{Name: name}
	}
	content, err := e.load()
	if err == nil && e.root.CheckTrust != nil && maphash.String(r.seed, content.Text) != e.hash {
		return Content{}, fmt.Errorf("reading %s: %w", e.skill.Path, ErrChangedSinceTrust)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return content, err
	}
	r.Rescan()
	moved, ok := r.current.Load().lookup(name)
	if !ok {
		return Content{}, fmt.Errorf("reading %s: %w", e.skill.Path, ErrFileMissing)
	}
	return moved.load()
}

func (e *entry) load() (Content, error) {
	text, err := readSkillFile(e.root.files(), e.file())
	if err != nil {
		return Content{}, fmt.Errorf("reading %s: %w", e.skill.Path, err)
	}
	skill, body, err := Parse(text)
	if err != nil {
		return Content{}, fmt.Errorf("reading %s: %w", e.skill.Path, err)
	}
	return Content{Skill: e.withLocation(skill), Text: string(text), Body: body}, nil
}
