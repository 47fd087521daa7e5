package companies

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type companyProfileInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL, or a company name."`
}

const companyProfileDescription = `What a company or fund is: business, sector, industry, country, exchange, website, employees, fiscal year end. Use for "what does X do"; for figures use financial_statements or key_ratios. Profiles are always current, never for a past date.`

const companyProfileDetails = `The result also has the identifiers (CIK, ISIN), former names, other tickers and the source's own description. Fields that the source does not provide are omitted.
as_of is the date of the profile. Sources have no older profiles, so with --as-of in the past there is none; item 1 of an annual report (filing_section) describes the business at that time. The description and the names are untrusted text.`

const companyProfileKeywords = `company profile business does sector industry about headquarters country employees website founded ceo fiscal former name makes sells products who describe isin 公司 简介 主营 业务 行业 板块 员工 总部 做什么 官网`

var companyProfilePhrasings = []string{
	"what does <sym> do",
	"which industry is <sym> in",
	"how many employees does <sym> have",
	"when does the fiscal year of <sym> end",
	"where is <sym> based",
	"<sym>是做什么的",
	"<sym>属于哪个行业",
	"<sym>公司简介",
}

const (
	maxDescriptionChars = 4000 // characters
	maxNameChars        = 200
	maxFormerNames      = 20
)

type profileAnswer struct {
	Note          string          `json:"note"`
	Symbol        market.Symbol   `json:"symbol" input:"symbol"`
	Name          string          `json:"name"`
	Kind          string          `json:"kind,omitempty"`
	Sector        string          `json:"sector,omitempty" label:"sector" key:"1"`
	Industry      string          `json:"industry,omitempty" label:"industry" key:"2"`
	SIC           string          `json:"sic,omitempty" label:"SIC code"`
	Country       string          `json:"country,omitempty" label:"country" key:"3"`
	State         string          `json:"state_of_incorporation,omitempty" label:"incorporated in"`
	Exchange      string          `json:"exchange,omitempty" label:"exchange"`
	MIC           string          `json:"mic,omitempty" label:"MIC"`
	CIK           string          `json:"cik,omitempty" label:"CIK"`
	ISIN          string          `json:"isin,omitempty" label:"ISIN"`
	Website       string          `json:"website,omitempty" label:"website"`
	Employees     int             `json:"employees,omitempty" label:"employees" unit:"employees" key:"4"`
	FiscalYearEnd string          `json:"fiscal_year_end,omitempty" label:"fiscal year ends"` // month and day
	FormerNames   []string        `json:"former_names,omitempty"`
	Tickers       []market.Symbol `json:"tickers,omitempty"`
	Description   string          `json:"description,omitempty"`
	toolkit.Origin
}

// newCompanyProfile returns the tool that describes a company.
func newCompanyProfile(d FundamentalDeps) tool.Tool {
	return toolkit.New("company_profile", companyProfileDescription, tool.Reads, func(ctx context.Context, in companyProfileInput) (profileAnswer, error) {
		p, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) (market.Profile, error) {
			return d.profile(ctx, sym)
		})
		if err != nil {
			return profileAnswer{}, toolkit.WithContext(err, "profile of %s", in.Symbol)
		}
		return newProfileAnswer(p), nil
	}).
		WithDetails(companyProfileDetails).Find("company", companyProfileKeywords, companyProfilePhrasings...)
}

// profile returns the profile known at d.Now. A profile without a date does not count, because it may
// be later.
func (d FundamentalDeps) profile(ctx context.Context, sym market.Symbol) (market.Profile, error) {
	p, err := d.Profiles.Profile(ctx, sym)
	if err != nil {
		return p, err
	}
	if asOf := p.Provenance.AsOf; (d.Replay || !asOf.IsZero()) && !d.Known(asOf) {
		return market.Profile{}, fmt.Errorf("%w: company profiles are always current, so none is available as of %s; for the business at that time, read item 1 of an annual report (filing_section)",
			market.ErrNoData, toolkit.FormatDate(toolkit.Today(d.Now())))
	}
	return p, nil
}

func newProfileAnswer(p market.Profile) profileAnswer {
	o := toolkit.OriginOf(p.Provenance).WithoutAdjustment()
	a := profileAnswer{
		Note: outsideNote(o), Symbol: p.Symbol, Name: toolkit.Truncate(p.Name, maxNameChars), Kind: p.Kind,
		Sector: toolkit.Truncate(p.Sector, maxNameChars), Industry: toolkit.Truncate(p.Industry, maxNameChars), SIC: toolkit.Truncate(p.SIC, maxNameChars),
		Country: toolkit.Truncate(p.Country, maxNameChars), State: toolkit.Truncate(p.State, maxNameChars), Exchange: toolkit.Truncate(p.Exchange, maxNameChars), MIC: p.MIC,
		CIK: p.CIK, ISIN: p.ISIN, Website: webAddress(p.Website), Employees: max(p.Employees, 0), FiscalYearEnd: toolkit.Truncate(p.FiscalYearEnd, maxNameChars),
		Tickers: p.Tickers[:min(len(p.Tickers), maxFormerNames)], Description: toolkit.Truncate(p.Description, maxDescriptionChars),
		Origin: o,
	}
	for _, name := range p.FormerNames[:min(len(p.FormerNames), maxFormerNames)] {
		a.FormerNames = append(a.FormerNames, toolkit.Truncate(name, maxNameChars))
	}
	return a
}

// webAddress returns address if it is a web URL, or "".
func webAddress(address string) string {
	address = strings.TrimSpace(address)
	if u, err := url.Parse(address); err == nil && u.Scheme == "" && u.Host == "" && u.Path != "" {
		address = "https://" + address
	}
	if u, ok := parseLink(address, maxNameChars); ok && u.User == nil {
		return u.String()
	}
	return ""
}

// companyTitle returns name and symbol: "Apple Inc. (AAPL)".
func companyTitle(name string, sym market.Symbol) string {
	if name == "" || name == string(sym) {
		return string(sym)
	}
	return toolkit.Abbreviate(name) + " (" + string(sym) + ")"
}

func (a profileAnswer) Headline(lang string) string {
	var parts []string
	for _, text := range []string{cmp.Or(a.Industry, a.Sector, a.Kind), a.Country} {
		if text != "" {
			parts = append(parts, toolkit.Abbreviate(text))
		}
	}
	title, employees := companyTitle(a.Name, a.Symbol), toolkit.Format(a.Employees, toolkit.Count, "")
	if lang == "zh" {
		if a.Employees > 0 {
			parts = append(parts, "员工 "+employees+" 人")
		}
		return strings.TrimSuffix(title+"："+strings.Join(parts, "，"), "：") + "。"
	}
	if a.Employees > 0 {
		parts = append(parts, employees+" employees")
	}
	return strings.TrimSuffix(title+": "+strings.Join(parts, ", "), ": ") + "."
}

func (a profileAnswer) Title() string { return companyTitle(a.Name, a.Symbol) }

func (a profileAnswer) Summary() string {
	return toolkit.Abbreviate(cmp.Or(a.Industry, a.Sector, a.Kind, string(a.Symbol)))
}

func (a profileAnswer) Text() string {
	var parts []string
	if len(a.FormerNames) > 0 {
		parts = append(parts, "Former names: "+toolkit.EscapeMarkdown(strings.Join(a.FormerNames, "; "))+"\n")
	}
	if len(a.Tickers) > 1 {
		parts = append(parts, "Tickers: "+toolkit.EscapeMarkdown(strings.Trim(fmt.Sprint(a.Tickers), "[]"))+"\n")
	}
	if a.Description != "" {
		parts = append(parts, toolkit.QuoteOutsideText(a.Description))
	}
	return strings.Join(parts, "\n")
}
