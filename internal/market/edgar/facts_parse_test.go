package edgar_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func TestParse_WhatIsNoCompanyfactsIsAnError(t *testing.T) {
	whole := string(factsDocument(t, facts2023))
	for name, text := range map[string]string{
		"nothing":             "",
		"a list":              "[]",
		"a page":              "<html>",
		"no company":          `{"facts":{}}`,
		"half":                whole[:len(whole)/2],
		"all but the last":    whole[:len(whole)-1],
		"a date that is none": strings.Replace(whole, "2023-12-31", "2023-13-31", 1),
		"a figure in words":   strings.Replace(whole, `"val":50`, `"val":"fifty"`, 1),
		"an endless figure":   strings.Replace(whole, `"val":50`, `"val":1e999999999`, 1),
		"a figure as a list":  strings.Replace(whole, `"val":50`, `"val":[50]`, 1),
		"depth":               `{"cik":1,"other":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
	} {
		if c, err := edgar.ParseFacts([]byte(text)); err == nil {
			t.Errorf("%s: Parse = %+v, want an error", name, c)
		}
	}
}

func TestParse_WhatStatementsDoNotNeedIsPassedOver(t *testing.T) {
	c, err := edgar.ParseFacts([]byte(` {"cik":"320193", "entityName":"A \"B\" \u00e9 \\", "new":{"a":["]","}\"",{}]},
		"facts":{"us-gaap":{"Unheard":{"units":{"USD":[{"val":"x"}]}},
		"NetIncomeLoss":{"label":null,"description":"{[\"","units":{"USD":[
		{"start":"2023-01-01","end":"2023-12-31","val":null,"accn":"1","form":"10-K","filed":"2024-02-01"},
		{"start":"2023-01-01","end":"2023-12-31","val":1.5e2,"accn":"2","fy":2023,"fp":"FY","form":"10-K","filed":"2024-02-01","frame":"CY2023"}]}}}}} `))
	if err != nil {
		t.Fatalf("Parse = %v", err)
	}
	if c.CIK != "0000320193" || c.Name != `A "B" é \` {
		t.Errorf("company %q %q", c.CIK, c.Name)
	}
	all := c.Statements(edgar.StatementView{})
	checkItem(t, statementAt(t, all, "2023 FY"), market.ItemNetIncome, "150")
}

func FuzzParseFacts(f *testing.F) {
	for _, seed := range []string{facts2023, factsRestatedYear, factsSplitYear} {
		f.Add(string(factsDocument(&testing.T{}, seed)))
	}
	f.Add(`{"cik":1,"facts":{"us-gaap":{"NetIncomeLoss":{"units":{"USD":[{"end":"2023-12-31","val":0.1,"form":"10-K","filed":"2024-02-01","fy":1e9}]}}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := edgar.ParseFacts([]byte(text))
		if err != nil {
			return
		}
		if len(c.CIK) != 10 {
			t.Errorf("Parse gave CIK %q", c.CIK)
		}
		for _, span := range []market.Span{market.SpanAnnual, market.SpanQuarterly, market.SpanTrailing} {
			for _, s := range c.Statements(edgar.StatementView{Span: span}) {
				if _, err := json.Marshal(s); err != nil || len(s.Items) == 0 || s.PeriodEnd.IsZero() || s.Filed.IsZero() {
					t.Errorf("statement %+v: %v", s, err)
				}
			}
		}
	})
}
