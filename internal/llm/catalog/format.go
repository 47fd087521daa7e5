package catalog

import (
	"fmt"
	"strings"
)

// Heading describes a provider in one line.
func (p ListedProvider) Heading() string {
	var notes []string
	switch {
	case p.KeyFrom != "":
		notes = append(notes, "key from "+p.KeyFrom)
	case p.Local && p.Configured:
		notes = append(notes, "runs on this computer")
	case p.Local:
		notes = append(notes, "is not running on this computer")
	case len(p.KeyVars) > 0:
		notes = append(notes, "no key: "+strings.Join(p.KeyVars, " or ")+", or nfa auth set "+p.Name)
	}
	if p.AsOf != "" && len(p.Models) > 0 {
		notes = append(notes, "as of "+p.AsOf)
	}
	if p.Problem != "" && (!p.Local || p.KeyFrom != "") {
		notes = append(notes, "! "+p.Problem)
	}
	return p.Title + " (" + strings.Join(notes, "; ") + ")"
}

// FormatTokens formats a context window: 128K, 1M.
func FormatTokens(n int) string {
	switch {
	case n <= 0:
		return "-"
	case n >= 1_000_000:
		return fmt.Sprintf("%dM", n/1_000_000)
	default:
		return fmt.Sprintf("%dK", n/1000)
	}
}

// String formats the price on one line.
func (p *ListedPrice) String() string {
	if p == nil {
		return "price unknown"
	}
	cached := "-"
	if p.Cached != nil {
		cached = p.Cached.String()
	}
	return fmt.Sprintf("$%s / %s / %s", p.Input, cached, p.Output)
}

// Capabilities lists what the model supports in addition to text, and when it will be retired.
func (m ListedModel) Capabilities() string {
	var traits []string
	if m.Ends != "" {
		traits = append(traits, "retires "+m.Ends)
	}
	if m.NotListed {
		traits = append(traits, "not listed")
	}
	if m.Reasoning {
		traits = append(traits, "reasoning")
	}
	if m.Vision {
		traits = append(traits, "vision")
	}
	return strings.Join(traits, ", ")
}
