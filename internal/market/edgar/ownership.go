package edgar

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// ownership is the XML of a form 3, 4 or 5.
type ownership struct {
	XMLName  xml.Name `xml:"ownershipDocument"`
	Form     string   `xml:"documentType"`
	Original string   `xml:"dateOfOriginalSubmission"`
	Issuer   struct {
		CIK string `xml:"issuerCik"`
	} `xml:"issuer"`
	Owners      []owner       `xml:"reportingOwner"`
	Planned     yesNo         `xml:"aff10b5One"`
	Shares      []transaction `xml:"nonDerivativeTable>nonDerivativeTransaction"`
	Derivatives []transaction `xml:"derivativeTable>derivativeTransaction"`
	Footnotes   []footnote    `xml:"footnotes>footnote"`
}

type owner struct {
	Name string `xml:"reportingOwnerId>rptOwnerName"`
	Role struct {
		Director   yesNo  `xml:"isDirector"`
		Officer    yesNo  `xml:"isOfficer"`
		TenPercent yesNo  `xml:"isTenPercentOwner"`
		Other      yesNo  `xml:"isOther"`
		Title      string `xml:"officerTitle"`
		OtherText  string `xml:"otherText"`
	} `xml:"reportingOwnerRelationship"`
}

type transaction struct {
	Security string `xml:"securityTitle>value"`
	Date     string `xml:"transactionDate>value"`
	Coding   struct {
		Code  string         `xml:"transactionCode"`
		Notes []footnoteLink `xml:"footnoteId"`
	} `xml:"transactionCoding"`
	Shares   string `xml:"transactionAmounts>transactionShares>value"`
	Price    string `xml:"transactionAmounts>transactionPricePerShare>value"`
	Acquired string `xml:"transactionAmounts>transactionAcquiredDisposedCode>value"`
	After    string `xml:"postTransactionAmounts>sharesOwnedFollowingTransaction>value"`
	Nature   string `xml:"ownershipNature>directOrIndirectOwnership>value"`
}

type footnote struct {
	ID   string `xml:"id,attr"`
	Text string `xml:",chardata"`
}

type footnoteLink struct {
	ID string `xml:"id,attr"`
}

// yesNo is a boolean, which forms write as 1 or true.
type yesNo string

func (f yesNo) set() bool {
	switch strings.ToLower(strings.TrimSpace(string(f))) {
	case "1", "true", "y", "yes":
		return true
	}
	return false
}

// parseOwnership parses the XML of a form. Its contents are untrusted.
func parseOwnership(document []byte) (*ownership, error) {
	var o ownership
	d := xml.NewDecoder(bytes.NewReader(document))
	d.CharsetReader = client.CharsetReader
	if err := d.Decode(&o); err != nil {
		return nil, fmt.Errorf("ownership form: %w", err)
	}
	if client.PadCIK(o.Issuer.CIK) == "" || len(o.Owners) == 0 {
		return nil, errors.New("ownership form: issuer or owner is missing")
	}
	return &o, nil
}

// trades returns the lines of the form, without data that only the filing list has. A line without
// a number of shares (some derivatives have only a value) is omitted. Positions listed in the forms
// are not trades.
func (o *ownership) trades() ([]market.InsiderTrade, error) {
	var out []market.InsiderTrade
	for i, t := range slices.Concat(o.Shares, o.Derivatives) {
		if strings.TrimSpace(t.Shares) == "" {
			continue
		}
		trade, err := t.trade()
		if err != nil {
			return nil, err
		}
		trade.Derivative = i >= len(o.Shares)
		trade.Owner, trade.Role = o.ownerNames()
		trade.Form = client.SingleLine(o.Form, maxFormLength)
		trade.Planned = o.Planned.set() || o.Planned == "" && o.mentionsPlan(t)
		out = append(out, trade)
	}
	return out, nil
}

func (t transaction) trade() (market.InsiderTrade, error) {
	out := market.InsiderTrade{
		Security: client.SingleLine(t.Security, maxFilerName), Code: client.SingleLine(t.Coding.Code, maxFormLength),
		Acquired: strings.TrimSpace(t.Acquired) == "A", Indirect: strings.TrimSpace(t.Nature) == "I",
	}
	var err error
	day := strings.TrimSpace(t.Date)
	// A zone may follow the day: "2022-12-13-05:00".
	if out.Date, err = time.Parse(time.DateOnly, day[:min(len(day), len(time.DateOnly))]); err != nil {
		return out, fmt.Errorf("ownership form: invalid trade date %.20q", t.Date)
	}
	shares, err := optionalAmount(t.Shares)
	if err != nil || !shares.Valid {
		return out, fmt.Errorf("ownership form: invalid number of shares %.20q", t.Shares)
	}
	out.Shares = shares.Decimal
	if out.Price, err = optionalAmount(t.Price); err != nil {
		return out, err
	}
	out.After, err = optionalAmount(t.After)
	return out, err
}

// optionalAmount parses a number that may be absent because only a footnote states it.
func optionalAmount(text string) (decimal.NullDecimal, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	value := client.ParseDecimal(text)
	if !value.Valid || value.Decimal.IsNegative() {
		return value, fmt.Errorf("ownership form: invalid amount %.30q", text)
	}
	return value, nil
}

// ownerNames returns the owners, who may file together, and their roles.
func (o *ownership) ownerNames() (names, roles string) {
	var n, r []string
	add := func(list *[]string, text string) {
		if text = client.SingleLine(text, maxFilerName); text != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, owner := range o.Owners {
		add(&n, owner.Name)
		if owner.Role.Director.set() {
			add(&r, "director")
		}
		if owner.Role.Officer.set() {
			add(&r, strings.TrimSuffix("officer: "+owner.Role.Title, ": "))
		}
		if owner.Role.TenPercent.set() {
			add(&r, "10% owner")
		}
		if owner.Role.Other.set() {
			add(&r, strings.TrimSuffix("other: "+owner.Role.OtherText, ": "))
		}
	}
	return strings.Join(n, "; "), strings.Join(r, ", ")
}

// noPlanPattern matches footnotes that deny a 10b5-1 plan.
var noPlanPattern = lazyregexp.New(`(?i)\bnot\b[^.]*10b5-1`)

// mentionsPlan reports whether a footnote of a line mentions a 10b5-1 plan; before 2023 the form had no
// checkbox for it.
func (o *ownership) mentionsPlan(t transaction) bool {
	for _, link := range t.Coding.Notes {
		for _, note := range o.Footnotes {
			if note.ID == link.ID && strings.Contains(note.Text, "10b5-1") && !noPlanPattern().MatchString(note.Text) {
				return true
			}
		}
	}
	return false
}
