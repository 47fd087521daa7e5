package shelves

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/minutes"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// Session is a session as lists tell of it.
type Session struct {
	session.Session
	Open bool `json:"open"` // in a program that runs now
}

// Sessions are the conversations that are kept, by what can be done with them.
type Sessions struct {
	List func(context.Context) ([]Session, error)
	// Here reports whether this program writes a session.
	Here func(id string) bool
	Load func(ctx context.Context, id string) (session.Session, []session.Entry, error)
	// Resume opens one to go on with here; session.ErrHeld is one that another
	// program writes.
	Resume func(ctx context.Context, id string) (*tui.Resume, error)
	// Fork begins another with what was said in it.
	Fork   func(ctx context.Context, id string) (session.Session, error)
	Export func(ctx context.Context, id, file string, replace bool) error
	Delete func(ctx context.Context, id string) error
	Now    func() time.Time
}

// Marks of sessions.
const (
	markHere      = "this one"
	markElsewhere = "open elsewhere"
)

// pageTurns is how much of a session the pane holds: the end, where one goes on.
const pageTurns = 20

// Shelf is /sessions: to read and to go on with.
func (s Sessions) Shelf() *tui.Shelf {
	there := func(i tui.Item) bool { return !i.Problem }
	other := func(i tui.Item) bool { return there(i) && !slices.Contains(i.Marks, markHere) }
	return &tui.Shelf{
		Title: "Sessions", Scope: keymap.Sessions, Items: s.items, Read: s.read, Empty: "No sessions yet: this one is kept with its first message.",
		Actions: []tui.Action{
			{Key: "enter", Name: "resume", About: "go on with it here", Offer: other, Run: s.resume},
			{Key: "f", Name: "fork", Offer: there, Run: s.fork},
			{Key: "o", Name: "export", Offer: there, Run: s.export},
			{Key: "d", Name: "delete", Offer: other, Run: s.remove},
		},
	}
}

// items are the sessions by the day of their last use.
func (s Sessions) items() []tui.Item {
	rows, err := s.List(context.Background())
	if err != nil {
		return []tui.Item{{Name: "unreadable", Title: "the sessions cannot be read", About: err.Error(), Problem: true}}
	}
	now := s.Now()
	items := make([]tui.Item, len(rows))
	for i, r := range rows {
		marks := []string{r.UpdatedAt.Local().Format("15:04")}
		switch {
		case s.Here(r.ID):
			marks = append(marks, markHere)
		case r.Open:
			marks = append(marks, markElsewhere)
		}
		items[i] = tui.Item{Name: r.ID, Title: r.Title, Group: dayOf(r.UpdatedAt, now), About: console.Count(r.Messages, "question"), Marks: marks}
	}
	return items
}

func (s Sessions) read(id string) (string, error) {
	cover, entries, err := s.Load(context.Background(), id)
	if err != nil {
		return "", err
	}
	return minutes.Write(cover, entries, minutes.Options{Latest: pageTurns}), nil
}

// resume goes on with a session here. One that is open elsewhere can be read, and
// gone on with in a copy.
func (s Sessions) resume(id string) (tui.Outcome, error) {
	resumed, err := s.Resume(context.Background(), id)
	switch {
	case errors.Is(err, session.ErrHeld):
		return tui.Outcome{Confirm: &tui.Confirm{
			Question: "This session is open in another nfa. Go on in a copy of it?",
			Detail:   []string{"what is said there from now on is not in the copy"},
			Yes: func() (tui.Outcome, error) {
				made, err := s.Fork(context.Background(), id)
				if err != nil {
					return tui.Outcome{}, err
				}
				return s.resume(made.ID)
			},
		}}, nil
	case err != nil:
		return tui.Outcome{}, err
	}
	return tui.Outcome{Resume: resumed}, nil
}

func (s Sessions) fork(id string) (tui.Outcome, error) {
	made, err := s.Fork(context.Background(), id)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Said: fmt.Sprintf("forked as %s, with %s; resume goes on with it", made.ID, console.Count(made.Messages, "question")), Select: made.ID}, nil
}

func (s Sessions) export(id string) (tui.Outcome, error) {
	asked := &tui.Form{Title: "Export " + id, Fields: []form.Field{
		{Name: fieldFile, Required: true, Value: id + ".md", About: "a .md to read, or a .json for nfa sessions import"},
		replacing("write over a file that is there"),
	}}
	asked.Fill = func(values map[string]string) (tui.Outcome, error) {
		file := console.Expand(values[fieldFile])
		if e := strings.ToLower(filepath.Ext(file)); e != ".md" && e != ".json" {
			return again(asked, values, errors.New("name a file that ends in .md or .json"))
		}
		if err := s.Export(context.Background(), id, file, yes(values[fieldReplace])); err != nil {
			return again(asked, values, err)
		}
		return tui.Outcome{Said: "exported " + id + ": " + console.Path(file)}, nil
	}
	return tui.Outcome{Ask: asked}, nil
}

func (s Sessions) remove(id string) (tui.Outcome, error) {
	cover, _, err := s.Load(context.Background(), id)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Confirm: &tui.Confirm{
		Question: "Delete this session? This cannot be undone.",
		Detail:   []string{cover.Title, console.Count(cover.Messages, "question") + " with the answers, last used " + cover.UpdatedAt.Local().Format("2006-01-02 15:04")},
		Yes: func() (tui.Outcome, error) {
			if err := s.Delete(context.Background(), id); err != nil {
				return tui.Outcome{}, err
			}
			return tui.Outcome{Said: "deleted " + id}, nil
		},
	}}, nil
}

// dayOf is the day of a time, as people call it.
func dayOf(t, now time.Time) string {
	day := func(t time.Time) string { return t.Local().Format(time.DateOnly) }
	switch day(t) {
	case day(now):
		return "today"
	case day(now.AddDate(0, 0, -1)):
		return "yesterday"
	}
	return day(t)
}
