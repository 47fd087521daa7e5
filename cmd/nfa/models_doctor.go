package main

import (
	"context"
	"net/url"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/switchboard"
)

// checkModels says which model would answer, why, and where its key is from. It
// makes the model, which refuses what ask would refuse, and sends nothing.
func checkModels(ctx context.Context, g *globals, cfg *config.Config, home string, log zerolog.Logger) []check {
	c, err := newConnections(g, cfg, home, log)
	if err != nil {
		return []check{{"model", statusProblem, err.Error(), ""}}
	}
	var checks []check
	if _, err := c.Stored(); err != nil {
		checks = append(checks, check{"keys", statusProblem, err.Error(), ""})
	}
	chosen, err := c.Choose(ctx, cfg.Model)
	if err == nil {
		_, err = c.Open(chosen)
	}
	switch {
	case err != nil:
		return append(checks, check{"model", statusProblem, err.Error(), ""})
	case chosen.Embedded():
		return append(checks, check{"model", statusNote, "the embedded offline assistant: " + chosen.Why,
			"to connect a model: nfa auth set PROVIDER (nfa models list --all names them), or set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL"})
	}
	return append(checks, checkEndpoint(chosen))
}

// checkEndpoint tells of an address no more than the host: the rest may hold a
// secret.
func checkEndpoint(e switchboard.Endpoint) check {
	host := "its server"
	if u, err := url.Parse(e.Provider.BaseURL); err == nil {
		host = u.Scheme + "://" + u.Host
	}
	c := check{"model", statusOK, e.Name() + " at " + host + " (not tried): " + e.Why, "to try it: nfa models test"}
	switch {
	case e.KeyFrom != "":
		c.Message += "; key from " + e.KeyFrom
	case e.Provider.Local:
		c.Message += "; it needs no key"
	default:
		c.Status, c.Message = statusNote, c.Message+"; without a key"
		c.Mend = "if the server wants one: nfa auth set " + e.Provider.Name + "; to try it: nfa models test"
	}
	return c
}
