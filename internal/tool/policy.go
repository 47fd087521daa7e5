package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// This file decides which calls need an approval. Every call passes through it: those of a model, of a
// workflow's steps, of a skill's script and of a tool of another server. A call needs an approval
//
//   - if the tool writes or executes, unless its preview shows that nothing changes or the call is a step of
//     an approved plan; or if its preview sets Ask;
//   - if it requests an address, or sends search terms, that the model composed, once the model has read
//     anything other than what the user typed, or the user has typed amounts;
//   - if, in one turn, it requests more than a few addresses found only in what the model has read, or sends
//     more than a few search terms, once the model has read private data;
//   - if it asks the market data sources more than MaxMarketCallsPerTurn times in one turn.
//
// An approval covers exactly its targets. A saved permission covers effects, never addresses or terms.

// Unasked describes what the policy allows without an approval, one sentence each.
func Unasked() []string {
	return []string{
		"read-only tools run without approval",
		fmt.Sprintf("after private data has been read, at most %d requests per site and %d per answer that use search terms or addresses found only in documents", MaxUnaskedPerSite, MaxUnaskedPerTurn),
		fmt.Sprintf("at most %d calls per answer to %s", MaxMarketCallsPerTurn, MarketSources),
	}
}

// need is one reason why a call needs an approval. An approval for the session covers its key.
type need struct {
	key     string
	pattern string // of a saved permission; "" if there can be none
	send    *Send  // nil for an effect
	target  string // what key covers, for people; only for a send
	reason  string // for people; only for a send
	counted bool   // the send needs approval only because of the number of requests before it
}

// needsOf returns what a call needs approvals for. Sends that may run unasked are counted.
func (r *Router) needsOf(ctx context.Context, t Tool, args json.RawMessage, p Preview) []need {
	var needs []need
	parent, isStep := ctx.Value(parentCallKey{}).(parentCall)
	announced := r.preApproved && !slices.ContainsFunc(p.Writes, func(file string) bool { return !parent.announces(file) })
	if t.Effect != Reads && !p.ReadsOnly && !announced || p.Ask {
		key := p.Key
		if key == "" {
			key = string(args)
		}
		needs = append(needs, need{key: t.Name + "\x00" + key, pattern: p.Pattern})
	}
	e := ExposureOf(ctx)
	if e == nil {
		return needs
	}
	sends := slices.Concat(t.SendsOf(args), p.Sends)
	if isStep {
		// They were shown with the plan.
		sends = slices.DeleteFunc(sends, func(s Send) bool { return slices.Contains(parent.sends, s) })
	}
	return append(needs, e.needsOf(sends)...)
}

// needsOf returns the sends that need an approval, and counts those that do not.
func (e *Exposure) needsOf(sends []Send) []need {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scan()
	var needs []need
	if i := slices.IndexFunc(sends, func(s Send) bool { return s.To == MarketSources }); i >= 0 {
		if e.marketCalls++; e.marketCalls > MaxMarketCallsPerTurn {
			needs = append(needs, need{key: "site\x00" + MarketSources, send: &sends[i], target: "more requests to " + MarketSources, counted: true, reason: fmt.Sprintf(
				"%d calls to %s were made in this answer.", e.marketCalls-1, MarketSources)})
		}
	}
	unasked, total := map[string][]Send{}, e.unaskedTotal
	maps.Copy(unasked, e.unasked)
	for _, s := range sends {
		site := s.site()
		switch from, private := e.sourceOf(s); {
		case from == fromUser, !e.material && len(e.private) == 0:
		case from == fromModel && s.Address != "":
			needs = append(needs, need{
				key: "send\x00" + s.Address, send: &s, target: "this address", reason: "The address appears nowhere in this session.",
			})
		case from == fromModel && len(e.private) > 0:
			words := cmp.Or(strings.Join(private, " "), s.Text)
			needs = append(needs, need{
				key: "words\x00" + s.To + "\x00" + words, send: &s, target: fmt.Sprintf("%q to %s", cmp.Or(strings.Join(withoutParts(private), " "), s.Text), s.To),
				reason: "The words appear only in private data, or the text is too long to check.",
			})
		case len(e.private) == 0, s.To == MarketSources:
		case len(unasked[site]) >= MaxUnaskedPerSite || total >= MaxUnaskedPerTurn:
			needs = append(needs, need{key: "site\x00" + site, send: &s, target: "more requests to " + site, counted: true, reason: fmt.Sprintf(
				"%d requests were sent for this answer, %d of them to %s. The choice of addresses can reveal data.", total, len(unasked[site]), site)})
		default:
			// Clipped, so that the copy does not share its array.
			unasked[site] = append(slices.Clip(unasked[site]), s)
			total++
		}
	}
	e.unasked, e.unaskedTotal = unasked, total
	return needs
}

// withoutParts returns private words for people. It omits the digits and the integer part of a number that
// is itself included.
func withoutParts(private []string) []string {
	var out []string
	for _, word := range private {
		isPart := slices.ContainsFunc(private, func(other string) bool {
			digits := strings.Trim(strings.ReplaceAll(other, ".", ""), "0")
			return strings.HasPrefix(other, word+".") || word == "#"+digits
		})
		if !isPart {
			out = append(out, strings.TrimPrefix(word, "#"))
		}
	}
	return out
}

// unaskedSends returns what was sent in this turn without approval, in the order of the sites.
func (e *Exposure) unaskedSends() []Send {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Send
	for _, site := range slices.Sorted(maps.Keys(e.unasked)) {
		all = append(all, e.unasked[site]...)
	}
	return all
}

// CheckRedirect returns an error if the call that runs in ctx may not follow a redirect from one site to
// another without an approval. It counts the redirect as a request.
func CheckRedirect(ctx context.Context, from, to string) error {
	e := ExposureOf(ctx)
	target := Send{Address: to}
	if e == nil || target.site() == (Send{Address: from}).site() {
		return nil
	}
	e.mu.Lock()
	e.addKnown(&e.known, to)
	e.mu.Unlock()
	if len(e.needsOf([]Send{target})) > 0 {
		return fmt.Errorf("the page redirects to %s; request that address to ask the user", to)
	}
	return nil
}

// addSends adds to an approval what the call sends, and why that needs approval.
func (a *Approval) addSends(needs []need, e *Exposure) {
	var lines, hosts, targets []string
	effect, listed := false, false
	for _, n := range needs {
		if n.send == nil {
			effect = true
			continue
		}
		if !slices.Contains(targets, n.target) {
			targets = append(targets, n.target)
		}
		site := n.send.site()
		if !slices.Contains(hosts, site) {
			hosts = append(hosts, site)
		}
		if n.send.Address != "" {
			lines = append(lines, "address  "+n.send.Address)
		} else {
			lines = append(lines, "words    "+n.send.Text)
		}
		if !slices.Contains(lines, n.reason) {
			lines = append(lines, n.reason)
		}
		listed = listed || n.counted
	}
	if len(lines) == 0 {
		return
	}
	if private := e.Private(); len(private) > 0 {
		lines = append(lines, "This session has read "+humanize.JoinAnd(private)+". Check that none of it is sent.")
	}
	if listed {
		for _, s := range e.unaskedSends() {
			lines = append(lines, "already sent  "+s.Address+s.Text)
		}
	}
	const until = ", until you quit"
	if effect {
		targets = append([]string{strings.TrimSuffix(cmp.Or(a.Targets, a.Call.Name+" with exactly this"), until)}, targets...)
	}
	a.Hosts, a.Targets = hosts, strings.Join(targets, ", ")+until
	a.Plan = append(lines, a.Plan...)
}
