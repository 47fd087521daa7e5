package app

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

// CheckModel reports the active model, why it was chosen, and where its key comes from. It creates
// the model, which fails for the same reasons as a question would, but sends no request.
func CheckModel(ctx context.Context, selector *catalog.Selector, wanted, profile string) []Finding {
	var found []Finding
	if _, err := selector.StoredKeys(); err != nil {
		found = append(found, problemFinding("keys", err.Error(), ""))
	}
	chosen, err := selector.Choose(ctx, wanted)
	if err == nil {
		_, err = selector.Open(chosen)
	}
	switch {
	case err != nil:
		return append(found, problemFinding("model", err.Error(), ""))
	case chosen.BuiltIn():
		return append(found, noteFinding("model", "the built-in assistant: "+chosen.Reason,
			"connect a model: nfa setup, or nfa auth set PROVIDER (nfa models list --all shows the providers)"))
	}
	f := checkEndpoint(chosen)
	if window := chosen.Window(); window > 0 {
		f.Message += fmt.Sprintf("; request profile %s, context window %s tokens (from: %s)",
			agent.RequestProfileFor(profile, window).Name, humanize.Number(window), chosen.WindowOrigin())
	} else {
		f.Message += "; context window unknown until the first question"
	}
	if ending := selector.Ending(chosen); ending != "" {
		message, fix, _ := strings.Cut(ending, ". ")
		return append(found, f, noteFinding("model end", message, fix))
	}
	return append(found, f)
}

// checkEndpoint reports only the host of a URL, because the rest may contain a secret.
func checkEndpoint(e catalog.Endpoint) Finding {
	host := "its server"
	if u, err := url.Parse(e.Provider.BaseURL); err == nil {
		host = u.Scheme + "://" + u.Host
	}
	f := okFinding("model", e.Name()+" at "+host+" (not tested): "+e.Reason, "test the model: nfa models test")
	switch {
	case e.KeyFrom != "":
		f.Message += "; key from " + e.KeyFrom
	case e.Provider.Local:
		f.Message += "; no key needed"
	default:
		f.Status, f.Message = StatusNote, f.Message+"; no key"
		f.Fix = "if the server needs a key: nfa auth set " + e.Provider.Name + "; test the model: nfa models test"
	}
	return f
}
