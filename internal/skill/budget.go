package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxListed is how many skills a prompt lists at most.
	maxListed = 50
	// minBudget is the number of characters that every prompt has for them.
	minBudget = 8000
	// contextShare is the divisor of the context window that gives the budget for skills, with
	// charsPerToken characters of English per token.
	contextShare  = 50
	charsPerToken = 4
	// minDescription is the shortest that still says something, in characters.
	minDescription = 24
)

// BudgetOptions are the size of the context window and what decides which skills come first.
type BudgetOptions struct {
	ContextTokens int            // of the model's window; zero when not known
	Uses          map[string]int // how often each skill was used, by name
}

// BudgetReport names, each list sorted, the skills that are not listed in full.
type BudgetReport struct {
	Shortened []string
	NamesOnly []string
	Omitted   []string
}

// Warning says in one sentence how many skills are affected; it is empty when
// none is.
func (r BudgetReport) Warning() string {
	var parts []string
	for _, p := range []struct {
		names []string
		what  string
	}{
		{r.Shortened, "with a shortened description"},
		{r.NamesOnly, "by name only"},
		{r.Omitted, "not at all, being the least used"},
	} {
		if len(p.names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", len(p.names), p.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "too many or too long skills for the model's list; it has " + strings.Join(parts, ", ") +
		". All of them work by name; disable those you do not need"
}

// FitBudget fits the lines of skills, "- name: description", into the budget of a prompt: at most
// fifty of them, in 2 % of the context window but never less than 8,000 characters. Over that the
// longest descriptions are shortened first, at ends of words; then the least used skills keep their
// names only; then they are left out. Of skills used equally often those nearest to the user stay,
// then those first in the alphabet.
//
// The result is sorted by name and depends only on the input, which is not changed.
func FitBudget(skills []Skill, o BudgetOptions) ([]Skill, BudgetReport) {
	var report BudgetReport
	budget := max(minBudget, o.ContextTokens/contextShare*charsPerToken)
	kept, budget := fitNames(sortByUse(skills, o.Uses), budget, &report)
	kept = fitDescriptions(kept, budget, &report)
	slices.SortStableFunc(kept, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	for _, names := range [][]string{report.Shortened, report.NamesOnly, report.Omitted} {
		slices.Sort(names)
	}
	return kept, report
}

// sortByUse puts the skills that should be left out first behind the others.
func sortByUse(skills []Skill, uses map[string]int) []Skill {
	list := slices.Clone(skills)
	slices.SortStableFunc(list, func(a, b Skill) int {
		return cmp.Or(
			cmp.Compare(uses[b.Name], uses[a.Name]),
			cmp.Compare(b.Source.rank(), a.Source.rank()),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return list
}

// fitNames keeps the skills whose names fit into the budget. A skill with a name of absurd length
// does not push out those after it.
func fitNames(list []Skill, budget int, report *BudgetReport) (kept []Skill, remaining int) {
	for _, s := range list {
		cost := utf8.RuneCountInString("- " + s.Name + ": \n")
		if len(kept) == maxListed || cost > budget {
			report.Omitted = append(report.Omitted, s.Name)
			continue
		}
		s.Description = oneLine(s.Description) // as it will be listed
		kept = append(kept, s)
		budget -= cost
	}
	return kept, budget
}

// fitDescriptions finds the longest description that all can have, and takes
// from the least used theirs altogether while that would say nothing.
func fitDescriptions(kept []Skill, budget int, report *BudgetReport) []Skill {
	described := len(kept)
	limit := fairShare(kept, budget)
	for described > 0 && limit < minDescription {
		described--
		limit = fairShare(kept[:described], budget)
	}
	for i := range kept {
		switch s := &kept[i]; {
		case s.Description == "":
		case i >= described:
			s.Description = ""
			report.NamesOnly = append(report.NamesOnly, s.Name)
		case utf8.RuneCountInString(s.Description) > limit:
			s.Description = cutAtWord(s.Description, limit)
			report.Shortened = append(report.Shortened, s.Name)
		}
	}
	return kept
}

// fairShare is the greatest length such that descriptions cut to it fit into the budget: shorter
// ones leave what they do not need to the others.
func fairShare(list []Skill, budget int) int {
	lengths := make([]int, len(list))
	for i, s := range list {
		lengths[i] = utf8.RuneCountInString(s.Description)
	}
	slices.Sort(lengths)
	for i, length := range lengths {
		share := budget / (len(lengths) - i)
		if length > share {
			return share
		}
		budget -= length
	}
	return maxListed * MaxSize
}

// cutAtWord shortens text to at most limit characters, the ellipsis included. Where
// no word ends in the second half, as in Chinese, it is cut between characters.
func cutAtWord(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	end := max(limit-1, 0)
	for i := end; i > end/2; i-- {
		if unicode.IsSpace(runes[i]) {
			end = i
			break
		}
	}
	// A mark that belongs to the letter before it goes with that letter.
	for end > 0 && unicode.In(runes[end], unicode.Mn, unicode.Mc, unicode.Me) {
		end--
	}
	return strings.TrimRight(string(runes[:end]), " ,;:.-–—(") + "…"
}
