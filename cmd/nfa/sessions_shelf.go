package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/minutes"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// sessionShelf is /sessions: the conversations that are kept, to read and to go
// on with.
type sessionShelf struct{ *house }

// Marks of sessions.
const (
	markHere      = "this one"
	markElsewhere = "open elsewhere"
)

// pageTurns is how much of a session the pane holds: the end, where one goes on.
const pageTurns = 20

func (h *house) sessionShelf() *tui.Shelf {
	s := sessionShelf{h}
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
func (s sessionShelf) items() []tui.Item {
	rows, err := s.sessionRows(context.Background(), 0)
	if err != nil {
		return []tui.Item{{Name: "unreadable", Title: "the sessions cannot be read", About: err.Error(), Problem: true}}
	}
	now := clock()
	items := make([]tui.Item, len(rows))
	for i, r := range rows {
		marks := []string{r.UpdatedAt.Local().Format("15:04")}
		switch {
		case s.open.has(r.ID):
			marks = append(marks, markHere)
		case r.Open:
			marks = append(marks, markElsewhere)
		}
		items[i] = tui.Item{Name: r.ID, Title: r.Title, Group: dayOf(r.UpdatedAt, now), About: console.Count(r.Messages, "question"), Marks: marks}
	}
	return items
}

func (s sessionShelf) read(id string) (string, error) {
	cover, entries, err := s.loadSession(context.Background(), id)
	if err != nil {
		return "", err
	}
	return minutes.Write(cover, entries, minutes.Options{Latest: pageTurns}), nil
}

// resume goes on with a session here. One that is open elsewhere can be read, and
// gone on with in a copy.
func (s sessionShelf) resume(id string) (tui.Outcome, error) {
	c, entries, err := s.house.resume(context.Background(), id)
	switch {
	case errors.Is(err, session.ErrHeld):
		return tui.Outcome{Confirm: &tui.Confirm{
			Question: "This session is open in another nfa. Go on in a copy of it?",
			Detail:   []string{"what is said there from now on is not in the copy"},
			Yes: func() (tui.Outcome, error) {
				made, err := s.house.fork(context.Background(), id, 0)
				if err != nil {
					return tui.Outcome{}, err
				}
				return s.resume(made.ID)
			},
		}}, nil
	case err != nil:
		return tui.Outcome{}, err
	}
	before := s.speaking.Load()
	if err := s.answerAgain(agent.LastProfile(entries)); err != nil {
		s.open.letGo(id)
		return tui.Outcome{}, inChat(err)
	}
	return tui.Outcome{Resume: &tui.Resume{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			s.enter(c)
			return
		}
		s.speaking.Store(before)
		s.open.letGo(id)
	}}}, nil
}

func (s sessionShelf) fork(id string) (tui.Outcome, error) {
	made, err := s.house.fork(context.Background(), id, 0)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Said: fmt.Sprintf("forked as %s, with %s; resume goes on with it", made.ID, console.Count(made.Messages, "question")), Select: made.ID}, nil
}

func (s sessionShelf) export(id string) (tui.Outcome, error) {
	asked := &tui.Form{Title: "Export " + id, Fields: []form.Field{
		{Name: fieldFile, Required: true, Value: id + ".md", About: "a .md to read, or a .json for nfa sessions import"},
		replacing("write over a file that is there"),
	}}
	asked.Fill = func(values map[string]string) (tui.Outcome, error) {
		file := expandHome(values[fieldFile])
		if e := strings.ToLower(filepath.Ext(file)); e != ".md" && e != ".json" {
			return again(asked, values, errors.New("name a file that ends in .md or .json"))
		}
		chosen, err := exportForm("", file)
		if err == nil {
			err = s.exportTo(context.Background(), id, newFile{file, yes(values[fieldReplace]), 0o600}, chosen)
		}
		if err != nil {
			return again(asked, values, err)
		}
		return tui.Outcome{Said: "exported " + id + ": " + console.Path(file)}, nil
	}
	return tui.Outcome{Ask: asked}, nil
}

func (s sessionShelf) remove(id string) (tui.Outcome, error) {
	cover, _, err := s.loadSession(context.Background(), id)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Confirm: &tui.Confirm{
		Question: "Delete this session? This cannot be undone.",
		Detail:   []string{cover.Title, console.Count(cover.Messages, "question") + " with the answers, last used " + cover.UpdatedAt.Local().Format("2006-01-02 15:04")},
		Yes: func() (tui.Outcome, error) {
			if err := s.deleteSession(context.Background(), id); err != nil {
				return tui.Outcome{}, err
			}
			return tui.Outcome{Said: "deleted " + id}, nil
		},
	}}, nil
}
