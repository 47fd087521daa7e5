package screens

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// searchItems returns what Ctrl+P finds in addition to commands and skills: models, settings, saved
// sessions and symbols. It makes no network request.
func searchItems(ctx context.Context, a *app.App) []tui.SearchItem {
	return slices.Concat(modelSearchItems(a), settingSearchItems(a), sessionSearchItems(ctx, a), symbolSearchItems(a))
}

// modelSearchItems returns the models that can be used, then those that need a key.
func modelSearchItems(a *app.App) []tui.SearchItem {
	var usable, others []tui.SearchItem
	for _, m := range (Models{a}).items() {
		item := tui.SearchItem{SearchEntry: widget.SearchEntry{Label: m.Name, About: m.About, Kind: "model", Terms: m.Group}, Write: "/model " + m.Name}
		switch {
		case m.Problem:
		case slices.Contains(m.Marks, markNoKey), slices.Contains(m.Marks, markNotRunning):
			item.About, item.Send = "not connected", []string{"/setup"}
			others = append(others, item)
		default:
			item.Send = []string{"/model " + m.Name}
			usable = append(usable, item)
		}
	}
	return append(usable, others...)
}

func settingSearchItems(a *app.App) []tui.SearchItem {
	var items []tui.SearchItem
	for _, s := range settingItems(a.Settings) {
		items = append(items, tui.SearchItem{SearchEntry: widget.SearchEntry{Label: s.Key, About: s.About, Kind: "setting", Terms: s.Value}, Write: "/config set " + s.Key + " "})
	}
	return items
}

// maxSearchedSessions is the number of latest sessions that are searched.
const maxSearchedSessions = 500

func sessionSearchItems(ctx context.Context, a *app.App) []tui.SearchItem {
	rows, err := a.ListSessions(ctx, maxSearchedSessions)
	if err != nil {
		a.Log.Warn().Err(err).Msg("listing sessions for the search")
	}
	var items []tui.SearchItem
	for _, r := range rows {
		if a.WritesSession(r.ID) {
			continue // this one
		}
		about := dayLabel(r.UpdatedAt, a.Now()) + ", " + cli.CountNoun(r.Messages, "question")
		items = append(items, tui.SearchItem{
			SearchEntry: widget.SearchEntry{Label: cmp.Or(r.Title, r.ID), About: about, Kind: "session", Terms: r.ID},
			Write:       r.Title,
			Resume:      func() (*tui.ResumeRequest, error) { return resumeSession(a, r.ID) },
		})
	}
	return items
}

// symbolSearchItems returns the user's symbols, then all others that nfa knows without a request.
func symbolSearchItems(a *app.App) []tui.SearchItem {
	var items []tui.SearchItem
	for _, s := range (Symbols{a}).items() {
		if s.Problem {
			continue
		}
		items = append(items, tui.SearchItem{
			SearchEntry: widget.SearchEntry{Label: s.Name, About: s.About, Kind: "symbol", Late: true, Terms: strings.Join(s.Marks, " ")},
			Send:        []string{"/quote " + s.Name, "/chart " + s.Name}, Write: "$" + s.Name + " ",
		})
	}
	return items
}
