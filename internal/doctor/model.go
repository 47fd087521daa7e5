package doctor

import (
	"context"
	"net/url"

	"github.com/nfa-cli/nfa/internal/switchboard"
)

// Model says which model would answer, why, and where its key is from. It makes the
// model, which refuses what a question to it would refuse, and sends nothing.
func Model(ctx context.Context, board *switchboard.Board, wanted string) []Finding {
	var found []Finding
	if _, err := board.Stored(); err != nil {
		found = append(found, problem("keys", err.Error(), ""))
	}
	chosen, err := board.Choose(ctx, wanted)
	if err == nil {
		_, err = board.Open(chosen)
	}
	switch {
	case err != nil:
		return append(found, problem("model", err.Error(), ""))
	case chosen.Embedded():
		return append(found, note("model", "the embedded offline assistant: "+chosen.Why,
			"to connect a model: nfa auth set PROVIDER (nfa models list --all names them), or set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL"))
	}
	return append(found, endpoint(chosen))
}

// endpoint tells of an address no more than the host: the rest may hold a secret.
func endpoint(e switchboard.Endpoint) Finding {
	host := "its server"
	if u, err := url.Parse(e.Provider.BaseURL); err == nil {
		host = u.Scheme + "://" + u.Host
	}
	f := ok("model", e.Name()+" at "+host+" (not tried): "+e.Why, "to try it: nfa models test")
	switch {
	case e.KeyFrom != "":
		f.Message += "; key from " + e.KeyFrom
	case e.Provider.Local:
		f.Message += "; it needs no key"
	default:
		f.Status, f.Message = Note, f.Message+"; without a key"
		f.Mend = "if the server wants one: nfa auth set " + e.Provider.Name + "; to try it: nfa models test"
	}
	return f
}
