package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// MarketSources is the recipient named in Tool.SendsTo by tools that look up symbols.
const MarketSources = "the market data sources"

// Send is data that a call sends out: a request to a web address, or text to a recipient.
type Send struct {
	Address string // complete; "" for text
	To      string // the receiver of Text: Tool.SendsTo
	Text    string
}

// site returns the registrable domain of the address, or the receiver of the text. Requests are counted
// per site, because one owner can have any number of hosts.
func (s Send) site() string {
	if s.Address == "" {
		return s.To
	}
	host := hostOf(s.Address)
	if host == "" {
		return s.Address
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && strings.Trim(host, "0123456789.") != "" {
		return site
	}
	return host
}

// Receiver returns who receives it, for people.
func (s Send) Receiver() string {
	if s.Address == "" {
		return s.To
	}
	return cmp.Or(hostOf(s.Address), s.Address)
}

// hostOf returns the host of an address in ASCII, as it is resolved, because letters of other scripts can
// look like Latin ones; "" if there is none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// SendsOf returns what a call sends out with these arguments.
func (t Tool) SendsOf(args json.RawMessage) []Send {
	if t.Sends != nil {
		return t.Sends(args)
	}
	var sends []Send
	addresses, texts := Addresses(string(args))
	slices.Sort(addresses)
	for _, address := range addresses {
		sends = append(sends, Send{Address: address})
	}
	switch t.SendsTo {
	case "":
	case MarketSources:
		for _, text := range texts {
			if !isAddress(text) {
				sends = append(sends, Send{To: t.SendsTo, Text: text})
			}
		}
	default:
		sends = append(sends, Send{To: t.SendsTo, Text: allScalars(args)})
	}
	return sends
}

// Addresses returns the web addresses in a call's arguments, and all texts in them including field
// names.
func Addresses(arguments string) (addresses, texts []string) {
	var value any
	if json.Unmarshal([]byte(arguments), &value) != nil {
		return nil, nil
	}
	eachScalar(value, func(scalar any) {
		text, ok := scalar.(string)
		if !ok {
			return
		}
		texts = append(texts, text)
		if address := strings.TrimSpace(text); isAddress(address) {
			addresses = append(addresses, address)
		}
	})
	return addresses, texts
}

func isAddress(text string) bool {
	scheme, _, ok := strings.Cut(strings.TrimSpace(text), "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// allScalars returns the values in arguments, separated by spaces.
func allScalars(args json.RawMessage) string {
	d := json.NewDecoder(strings.NewReader(string(args)))
	d.UseNumber()
	var fields map[string]any
	if d.Decode(&fields) != nil {
		return string(args)
	}
	var values []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		eachScalar(fields[name], func(scalar any) { values = append(values, fmt.Sprint(scalar)) })
	}
	return strings.Join(values, " ")
}

// eachScalar passes the texts, field names, numbers and booleans of a decoded JSON value to take.
func eachScalar(value any, take func(any)) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			eachScalar(item, take)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			take(name)
			eachScalar(v[name], take)
		}
	case nil:
	default:
		take(v)
	}
}
