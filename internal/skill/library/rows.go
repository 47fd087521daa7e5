package library

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Row is a skill in a list. A skipped file has a reason instead of unreadable fields.
type Row struct {
	Name            string   `json:"name"`
	DisplayName     string   `json:"display_name"`
	Description     string   `json:"description"`
	Version         string   `json:"version"`
	Category        string   `json:"category"`
	Source          string   `json:"source"`
	Path            string   `json:"path"`
	Enabled         bool     `json:"enabled"`
	Warnings        []string `json:"warnings"`
	ExclusionReason string   `json:"left_out,omitempty"` // why it is not offered to the assistant
	Reason          string   `json:"reason,omitempty"`
	Fix             string   `json:"mend,omitempty"`
}

func newRow(s skill.Skill, enabled bool) Row {
	row := Row{
		Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, Version: s.Version,
		Category: s.Category, Source: string(s.Source), Path: s.Path, Enabled: enabled, Warnings: s.Warnings,
	}
	if row.Warnings == nil {
		row.Warnings = []string{}
	}
	return row
}

// UnlistedReason is why an eligible skill is not in the list of the assistant.
const UnlistedReason = "too many skills; the assistant can find this one with a search"

// Rows returns the usable skills. If all is set, it also returns the skipped files, and why skills are not
// offered to the assistant.
func (lib *Library) Rows(all bool) []Row {
	rows := []Row{}
	for _, s := range lib.opts.Registry.List() {
		rows = append(rows, newRow(s, !lib.opts.State.Disabled(s.Name)))
	}
	if !all {
		return rows
	}
	for _, out := range lib.Excluded() {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == out.Name })
		rows[i].ExclusionReason = out.Reason
	}
	for _, name := range lib.Unlisted() {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
		rows[i].ExclusionReason = UnlistedReason
	}
	for i, s := range lib.opts.Registry.List() {
		if stale := s.StaleWarning(lib.opts.Now()); stale != "" {
			rows[i].Warnings = append(slices.Clone(rows[i].Warnings), stale)
		}
		if why := lib.RunProblem(s); why != "" {
			rows[i].Warnings = append(slices.Clone(rows[i].Warnings), why)
		}
	}
	return append(rows, skippedRows(lib.opts.Registry.Diagnostics())...)
}

func skippedRows(diagnostics []skill.Diagnostic) []Row {
	var rows []Row
	for _, d := range diagnostics {
		if d.Skipped() {
			rows = append(rows, Row{
				Name: d.Name, Source: string(d.Source), Path: d.Path, Warnings: []string{}, Reason: d.Reason, Fix: d.Fix,
			})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Path < rows[j].Path })
	return rows
}

// ByCategory sorts the skills by category; skills without a category and skipped files come last.
func ByCategory(rows []Row) {
	place := func(r Row) int {
		switch {
		case r.Reason != "":
			return 2
		case r.Category == "":
			return 1
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Category, b.Category))
	})
}

// Matches reports whether a row contains every word, ignoring case.
func (r Row) Matches(terms []string) bool {
	text := strings.ToLower(strings.Join([]string{r.Name, r.DisplayName, r.Category, r.Description}, "\n"))
	for _, word := range terms {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// NotFound returns the error for an unknown skill, with a suggestion.
func (lib *Library) NotFound(name string) error {
	hint := "to list skills, run: nfa skills list"
	if suggestions := lib.opts.Registry.Suggest(name); len(suggestions) > 0 {
		hint = "did you mean " + suggestions[0] + "?"
	}
	return usage.Errorf("Skill '%s' not found; %s", name, hint)
}
