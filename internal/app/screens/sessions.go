package screens

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Sessions is the screen of the saved sessions.
type Sessions struct{ App *app.App }

// The marks of sessions.
const (
	markCurrent       = "this one"
	markOpenElsewhere = "open elsewhere"
)

// paneTurns is the number of last turns that the pane shows.
const paneTurns = 20

// Screen returns the list for /sessions.
func (s Sessions) Screen() *tui.ListScreen {
	readable := func(i tui.ListItem) bool { return !i.Problem }
	other := func(i tui.ListItem) bool { return readable(i) && !slices.Contains(i.Marks, markCurrent) }
	return &tui.ListScreen{
		Title: "Sessions", Items: s.items, Read: s.read, Empty: "No sessions yet. This one is saved with its first message.",
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "resume", About: "continue it here", AppliesTo: other, Run: s.resume},
			{Action: "session-fork", Name: "fork", AppliesTo: readable, Run: s.fork},
			{Action: "session-export", Name: "export", AppliesTo: readable, Run: s.export},
			{Action: "session-delete", Name: "delete", AppliesTo: other, Run: s.remove},
		},
	}
}

// items lists this session, then the others by the day of their last use.
func (s Sessions) items() []tui.ListItem {
	rows, err := s.App.ListSessions(context.Background(), 0)
	if err != nil {
		return []tui.ListItem{{Name: "unreadable", Title: "cannot read the sessions", About: err.Error(), Problem: true}}
	}
	now := s.App.Now()
	if at := slices.IndexFunc(rows, func(r app.SessionRow) bool { return s.App.WritesSession(r.ID) }); at > 0 {
		current := rows[at]
		rows = slices.Insert(slices.Delete(rows, at, at+1), 0, current)
	}
	items := make([]tui.ListItem, len(rows))
	for i, r := range rows {
		marks := []string{r.UpdatedAt.Local().Format("15:04")}
		switch {
		case s.App.WritesSession(r.ID):
			marks = append(marks, markCurrent)
		case r.Open:
			marks = append(marks, markOpenElsewhere)
		}
		group := dayLabel(r.UpdatedAt, now)
		if s.App.WritesSession(r.ID) {
			group = "this session"
		}
		items[i] = tui.ListItem{
			Name: r.ID, Title: r.Title, Group: group, Marks: marks,
			Columns: []string{strings.Join(marks, ", "), cli.CountNoun(r.Messages, "question"), r.Model},
		}
	}
	return items
}

func (s Sessions) read(id string) (string, error) {
	info, entries, err := s.App.LoadSession(context.Background(), id)
	if err != nil {
		return "", err
	}
	return report.WriteTranscript(info, entries, report.TranscriptOptions{Latest: paneTurns}), nil
}

// resume continues a session in this chat. A session that is open in another program can be read,
// or continued in a copy.
func (s Sessions) resume(id string) (tui.ActionResult, error) {
	resumed, err := resumeSession(s.App, id)
	switch {
	case errors.Is(err, session.ErrLocked):
		return tui.ActionResult{Confirm: &tui.ConfirmRequest{
			Question: "This session is open in another nfa process. Continue in a copy?",
			Detail:   []string{"later messages in that process are not in the copy"},
			Yes: func() (tui.ActionResult, error) {
				forked, err := s.App.ForkSession(context.Background(), id, 0)
				if err != nil {
					return tui.ActionResult{}, err
				}
				return s.resume(forked.ID)
			},
		}}, nil
	case err != nil:
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Resume: resumed}, nil
}

func (s Sessions) fork(id string) (tui.ActionResult, error) {
	forked, err := s.App.ForkSession(context.Background(), id, 0)
	if err != nil {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Message: fmt.Sprintf("forked as %s with %s; use resume to continue it", forked.ID, cli.CountNoun(forked.Messages, "question")), Select: forked.ID}, nil
}

func (s Sessions) export(id string) (tui.ActionResult, error) {
	exportForm := &tui.ActionForm{Title: "Export " + id, Fields: []widget.FormField{
		{Name: fieldFile, Required: true, Value: id + ".md", About: ".md to read, or .json for nfa sessions import"},
		replaceField("replace an existing file"),
	}}
	exportForm.Fill = func(values map[string]string) (tui.ActionResult, error) {
		file := cli.ExpandHome(values[fieldFile])
		if e := strings.ToLower(filepath.Ext(file)); e != ".md" && e != ".json" {
			return retryForm(exportForm, values, errors.New("name a file that ends in .md or .json"))
		}
		format, err := app.ParseSessionFormat("", file)
		if err == nil {
			err = s.App.ExportSessionTo(context.Background(), id, file, isYes(values[fieldReplace]), format)
		}
		if err != nil {
			return retryForm(exportForm, values, err)
		}
		return tui.ActionResult{Message: "exported " + id + ": " + humanize.ShortPath(file)}, nil
	}
	return tui.ActionResult{Ask: exportForm}, nil
}

func (s Sessions) remove(id string) (tui.ActionResult, error) {
	info, _, err := s.App.LoadSession(context.Background(), id)
	if err != nil {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Confirm: &tui.ConfirmRequest{
		Question: "Delete this session? This cannot be undone.",
		Detail:   []string{info.Title, cli.CountNoun(info.Messages, "question") + " with the answers, last used " + info.UpdatedAt.Local().Format("2006-01-02 15:04")},
		Yes: func() (tui.ActionResult, error) {
			if err := s.App.DeleteSession(context.Background(), id); err != nil {
				return tui.ActionResult{}, err
			}
			return tui.ActionResult{Message: "deleted " + id}, nil
		},
	}}, nil
}

// dayLabel names the day of a time, such as "today".
func dayLabel(t, now time.Time) string {
	day := func(t time.Time) string { return t.Local().Format(time.DateOnly) }
	switch day(t) {
	case day(now):
		return "today"
	case day(now.AddDate(0, 0, -1)):
		return "yesterday"
	}
	return day(t)
}
