package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

type addressCheckKey struct{}

// WithAddressCheck has the calls made with ctx ask first where their arguments hold an
// address of the web for which named is false: what a model has read can tell it
// to carry something away in an address. Steps that a call makes in its turn go
// where it was allowed to go. named may be called from several goroutines.
func WithAddressCheck(ctx context.Context, isKnown func(address string) bool) context.Context {
	return context.WithValue(ctx, addressCheckKey{}, isKnown)
}

// Addresses are the texts in a call's arguments that are addresses of the web. All
// texts are given beside them, the names of fields included.
func Addresses(arguments string) (addresses, texts []string) {
	var value any
	if json.Unmarshal([]byte(arguments), &value) != nil {
		return nil, nil
	}
	for text := range allTexts(value) {
		texts = append(texts, text)
		if address := strings.TrimSpace(text); isAddress(address) {
			addresses = append(addresses, address)
		}
	}
	return addresses, texts
}

func isAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// allTexts goes through the texts of a decoded JSON value.
func allTexts(value any) func(yield func(string) bool) {
	return func(yield func(string) bool) { eachText(value, yield) }
}

func eachText(value any, yield func(string) bool) bool {
	switch v := value.(type) {
	case string:
		return yield(v)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !eachText(item, yield) })
	case map[string]any:
		for name, item := range v {
			if !yield(name) || !eachText(item, yield) {
				return false
			}
		}
	}
	return true
}

// withAddressCheck is the preview of a call of t that asks, also where it would not by
// itself, because nobody named an address in its arguments.
func (p Preview) withAddressCheck(ctx context.Context, t Tool, args json.RawMessage) Preview {
	isKnown, _ := ctx.Value(addressCheckKey{}).(func(string) bool)
	if _, step := ctx.Value(parentCallKey{}).(parentCall); isKnown == nil || step {
		return p
	}
	addresses, _ := Addresses(string(args))
	addresses = slices.DeleteFunc(addresses, isKnown)
	if len(addresses) == 0 {
		return p
	}
	slices.Sort(addresses)
	plan := []string{"asks an address that neither you nor anything read here has named; look whether it carries something that is yours:"}
	for _, address := range addresses {
		plan = append(plan, "  "+address)
	}
	if t.Effect != Reads && len(p.Plan) == 0 {
		plan = append(plan, "with the arguments "+string(args))
	}
	// Neither an earlier yes nor one for always is about this address.
	return Preview{Plan: append(plan, p.Plan...), Changes: p.Changes, Ask: true, Key: p.Key + "\x00" + strings.Join(addresses, "\x00"), State: p.State}
}
