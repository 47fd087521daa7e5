package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

type addressCheckKey struct{}

// WithAddressCheck makes calls with ctx require approval if their arguments contain a web address
// for which isKnown is false: a page could tell the model to send the user's data out in an
// address. Steps of an approved call are not checked again. isKnown must be safe for concurrent use.
func WithAddressCheck(ctx context.Context, isKnown func(address string) bool) context.Context {
	return context.WithValue(ctx, addressCheckKey{}, isKnown)
}

// Addresses returns the web addresses in a call's arguments, and all texts in them including field
// names.
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

// allTexts iterates over the texts of a decoded JSON value.
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

// withAddressCheck returns p, requiring approval if the arguments of t contain an unknown address.
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
	plan := []string{"sends a request to an address that appears nowhere in this session; check that it contains none of your data:"}
	for _, address := range addresses {
		plan = append(plan, "  "+address)
	}
	if t.Effect != Reads && len(p.Plan) == 0 {
		plan = append(plan, "with the arguments "+string(args))
	}
	// Without a Pattern and with its own Key, so that no earlier approval covers this address.
	return Preview{Plan: append(plan, p.Plan...), Changes: p.Changes, Ask: true, Key: p.Key + "\x00" + strings.Join(addresses, "\x00"), State: p.State}
}
