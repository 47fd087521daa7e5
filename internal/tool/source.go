package tool

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// Source says where the numbers of a result are from, for the line below an answer.
type Source struct {
	Marker       string   `json:"marker,omitempty"` // "HYPOTHETICAL": the numbers are not of the past
	Owner        string   `json:"owner,omitempty"`  // whose data it is; "" for the user's own
	Names        []string `json:"names,omitempty"`  // as people know them: "Yahoo Finance"
	Sample       bool     `json:"sample,omitempty"`
	Flags        []string `json:"flags,omitempty"`       // other than sample and delayed: "stale"
	From         string   `json:"from,omitempty"`        // the oldest of the dates "as of", if there are several
	To           string   `json:"to,omitempty"`          // the newest
	Close        bool     `json:"close,omitempty"`       // the numbers are closing prices
	Adjustments  []string `json:"adjustments,omitempty"` // "price only, no dividends"
	DelayMinutes int      `json:"delay_min,omitempty"`
}

// Merge adds the source of another result.
func (s *Source) Merge(other Source) {
	add := func(to *[]string, from []string) {
		for _, text := range from {
			if !slices.Contains(*to, text) {
				*to = append(slices.Clone(*to), text)
			}
		}
	}
	add(&s.Names, other.Names)
	add(&s.Flags, other.Flags)
	add(&s.Adjustments, other.Adjustments)
	switch {
	case other.To == "":
	case s.To == "":
		s.From, s.To, s.Close = other.From, other.To, other.Close
	default:
		s.From = min(cmp.Or(s.From, s.To), cmp.Or(other.From, other.To))
		if s.To = max(s.To, other.To); s.From == s.To {
			s.From = ""
		}
		s.Close = s.Close && other.Close
	}
	s.Sample = s.Sample || other.Sample
	s.Marker, s.Owner = cmp.Or(s.Marker, other.Marker), cmp.Or(s.Owner, other.Owner)
	s.DelayMinutes = max(s.DelayMinutes, other.DelayMinutes)
}

// Line returns the line below an answer: source, date, adjustment, traced figures and the number of
// notes. It is "" if nothing is known.
func (s Source) Line(traced, notes int) string {
	var parts []string
	if s.Sample {
		parts = append(parts, "SAMPLE")
	}
	if s.Marker != "" {
		parts = append(parts, s.Marker)
	}
	if s.Owner != "" {
		parts = append(parts, "data of "+s.Owner)
	}
	if len(s.Names) > 0 {
		parts = append(parts, strings.Join(s.Names, ", "))
	}
	if date := s.date(); date != "" {
		parts = append(parts, date)
	}
	parts = append(parts, s.Flags...)
	parts = append(parts, s.Adjustments...)
	if s.DelayMinutes > 0 {
		parts = append(parts, "delayed "+strconv.Itoa(s.DelayMinutes)+" min")
	}
	if traced > 0 {
		parts = append(parts, humanize.Count(traced, "figure", "figures")+" traced")
	}
	if notes > 0 {
		parts = append(parts, humanize.Count(notes, "note", "notes"))
	}
	return strings.Join(parts, " · ")
}

func (s Source) date() string {
	text := s.To
	if s.From != "" {
		text = s.From + " to " + s.To
	}
	if s.Close {
		text += " close"
	}
	return text
}

// SampleNotice returns the notice for the first figure from sample data in a session. It is "" for a
// source without sample data.
func (s Source) SampleNotice() string {
	if !s.Sample {
		return ""
	}
	what := "old data built into nfa"
	if s.Close {
		what = "old prices built into nfa"
	}
	until := ""
	if s.To != "" {
		until = " to " + s.To
	}
	return "SAMPLE DATA" + until + ": " + what + ", not today's market. Live data: /setup"
}

// MergeWarnings returns the warnings among notes as sentences, each once. Warnings of several
// subjects with the same text become one that names them all.
func MergeWarnings(notes []Note) []string {
	type merged struct {
		text     string
		subjects []string
	}
	var all []merged
	for _, n := range notes {
		if !n.Warning {
			continue
		}
		text := n.sentence()
		i := slices.IndexFunc(all, func(m merged) bool { return m.text == text })
		if i < 0 {
			i = len(all)
			all = append(all, merged{text: text})
		}
		if n.Subject != "" && !slices.Contains(all[i].subjects, n.Subject) {
			all[i].subjects = append(all[i].subjects, n.Subject)
		}
	}
	var out []string
	for _, m := range all {
		text := m.text
		if len(m.subjects) > 0 {
			text = humanize.JoinAnd(m.subjects) + ": " + text
		}
		out = append(out, text)
	}
	return out
}

// Notices returns the notices among notes, each once.
func Notices(notes []Note) []string {
	var out []string
	for _, n := range notes {
		if n.Code == CodeNotice && !slices.Contains(out, n.sentence()) {
			out = append(out, n.sentence())
		}
	}
	return out
}

// sentence returns the text without the subject and on one line.
func (n Note) sentence() string {
	return strings.Join(strings.Fields(strings.TrimPrefix(n.Text, n.Subject+": ")), " ")
}

// Meaning returns a key that is equal for notes with the same message, even with other numbers or about
// another subject.
func (n Note) Meaning() string {
	return n.Code + "\x00" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, n.sentence())
}
