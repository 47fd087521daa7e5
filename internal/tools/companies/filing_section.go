package companies

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type filingSectionInput struct {
	Accession string `json:"accession,omitempty" jsonschema:"From filings, such as 0000320193-24-000123; or give symbol."`
	Symbol    string `json:"symbol,omitempty" jsonschema:"One symbol, instead of accession."`
	Form      string `json:"form,omitempty" jsonschema:"With symbol: 10-K, 10-Q, 8-K or 20-F. Default 10-K."`
	Year      int    `json:"year,omitempty" jsonschema:"Year in which the reported period ends. Default: newest filing."`
	Item      string `json:"item" jsonschema:"10-K: 1A, 7 or 8. 10-Q: I-2 or II-1A. 8-K: 5.02."`
	Offset    int    `json:"offset,omitempty" jsonschema:"Byte to start at: next_offset of the last call."`
}

const filingSectionDescription = `Text of one section of a filing, 16 KB at a time; continue with next_offset. Use for "risk factors of X" or "what does management say"; to list filings use filings. Cite form, period, item and heading; read to the end, or say how much you did not read.`

const filingSectionDetails = `Name the filing by its accession number, as filings returns it, or by symbol, form and year. year is the calendar year in which the reported period ends (default: the newest filing).
10-K: 1 business, 1A risk factors, 3 legal proceedings, 7 management's discussion, 7A market risk, 8 statements and notes, 9A controls. 10-Q: I-1 statements, I-2 management's discussion, II-1A risk factors; item numbers start at 1 in each part, so include the part. 8-K: the number of the reported item, such as 5.02. Compare risk factors only with the same section of the previous filing.
Tables have one row per line, with cells separated by |. Amounts are as printed: look for "in millions" near the table. cross_reference means that the content is elsewhere. If confidence is below 1 or there is a warning, the section may have been cut in the wrong place.`

const filingSectionKeywords = `filing section item text read risk risks factors management discussion mda business legal proceedings notes annual report 10-k 10-q 8-k passage wording disclose 风险因素 管理层讨论 年报 章节 原文 诉讼 附注 业务描述 段落 全文`

var filingSectionPhrasings = []string{
	"risk factors in the annual report of <sym>",
	"what does management say about margins at <sym>",
	"legal proceedings section of <sym>",
	"business description in the filing of <sym>",
	"read item <num> of the <num> report of <sym>",
	"<sym>年报里的风险因素",
	"<sym>管理层讨论与分析说了什么",
}

// sectionChunkBytes keeps a result, with its other fields and JSON escapes, below the Router's limit.
const sectionChunkBytes = 16 << 10

type filingSection struct {
	Accession      string        `json:"accession"`
	Symbol         market.Symbol `json:"symbol"`
	Company        string        `json:"company"`
	Form           string        `json:"form"`
	Filed          string        `json:"filed"`
	Period         string        `json:"period,omitempty"`
	Item           string        `json:"item"`
	Outside        string        `json:"outside"`
	Heading        string        `json:"title,omitempty"`
	Piece          string        `json:"text"`
	Offset         int           `json:"offset"`
	NextOffset     int           `json:"next_offset,omitempty"`
	Size           int           `json:"size"`
	Method         string        `json:"method"`
	Confidence     float64       `json:"confidence"`
	CrossReference bool          `json:"cross_reference,omitempty"`
	Warnings       toolkit.Notes `json:"warnings"`
	URL            string        `json:"url"`
	toolkit.Origin

	section market.FilingSection
}

// newFilingSection returns the tool that reads a section of a filing.
func newFilingSection(d PublicationDeps) tool.Tool {
	return tool.New("filing_section", filingSectionDescription, tool.Reads, func(ctx context.Context, in filingSectionInput) (tool.Result, error) {
		item, err := market.ParseFilingItem(in.Item)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		accession, passed, err := d.accessionOf(ctx, in)
		if err != nil {
			return toolkit.RefusalResult(err)
		}
		section, err := d.fetchSection(ctx, accession, item)
		if err != nil {
			return toolkit.SourceErrorResult(err)
		}
		chunk, err := newSectionChunk(section, in.Offset)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		chunk.Warnings.WarnEach("several_filings", passed...)
		res := toolkit.Render(chunk)
		res.Figures = chunk.figures()
		return res, nil
	}).WithOutput(toolkit.OutputSchema[filingSection]()).WithDetails(filingSectionDetails).Find("company", filingSectionKeywords, filingSectionPhrasings...)
}

// accessionOf returns the accession number of the requested filing, and a warning if several match.
func (d PublicationDeps) accessionOf(ctx context.Context, in filingSectionInput) (string, []string, error) {
	if text := strings.TrimSpace(in.Accession); text != "" {
		accession, err := market.ParseAccession(text)
		if err != nil {
			return "", nil, fmt.Errorf("%w: %w", errFiling, err)
		}
		return accession, nil, nil
	}
	if strings.TrimSpace(in.Symbol) == "" {
		return "", nil, fmt.Errorf("%w: accession is required, or symbol and form", errFiling)
	}
	forms := parseForms(in.Form)
	if len(forms) == 0 {
		forms = []string{"10-K"}
	}
	all, err := d.fetchFilings(ctx, in.Symbol, market.FilingQuery{Forms: forms})
	if err != nil {
		return "", nil, err
	}
	fit := inYear(all, in.Year)
	if len(fit) == 0 {
		return "", nil, fmt.Errorf("%w: no %s of %s for a period that ends in %d; the newest is for %s, filed %s",
			market.ErrNoData, forms[0], all[0].Symbol, in.Year, toolkit.FormatDate(all[0].Period), toolkit.FormatDate(all[0].Filed))
	}
	if len(fit) > 1 && in.Year != 0 {
		return fit[0].Accession, []string{fmt.Sprintf("%d filings match; this is the newest, filed %s (for another one set accession)", len(fit), toolkit.FormatDate(fit[0].Filed))}, nil
	}
	return fit[0].Accession, nil, nil
}

// inYear returns the filings whose period ends in year, or all of them if year is zero.
func inYear(all []market.Filing, year int) []market.Filing {
	if year == 0 {
		return all
	}
	var fit []market.Filing
	for _, f := range all {
		if f.Period.Year() == year {
			fit = append(fit, f)
		}
	}
	return fit
}

// fetchSection fetches a section of a filing, unless it was filed after d.Now.
func (d PublicationDeps) fetchSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	s, err := d.Filings.FilingSection(ctx, accession, item)
	if err != nil {
		return s, toolkit.WithContext(err, "%s of filing %s", item, accession)
	}
	if limit := toolkit.Today(d.Now()); s.Filing.Filed.After(limit) {
		return s, fmt.Errorf("%w: filing %s was not yet filed on %s", market.ErrNoData, accession, toolkit.FormatDate(limit))
	}
	return s, nil
}

// newSectionChunk returns the part of a section that starts at offset and ends at the end of a line.
func newSectionChunk(s market.FilingSection, offset int) (filingSection, error) {
	size := len(s.Text)
	if offset < 0 || offset > 0 && offset >= size {
		return filingSection{}, fmt.Errorf("offset %d is out of range; the section has %d bytes, use 0 to %d", offset, size, max(size-1, 0))
	}
	if !utf8.RuneStart((s.Text + " ")[offset]) {
		return filingSection{}, fmt.Errorf("offset %d is inside a character; use next_offset from the previous result", offset)
	}
	end := cutOffset(s.Text, offset)
	c := filingSection{
		Accession: s.Filing.Accession, Symbol: s.Filing.Symbol, Company: s.Filing.Company, Form: s.Filing.Form,
		Filed: toolkit.FormatDate(s.Filing.Filed), Period: toolkit.FormatDate(s.Filing.Period), Item: s.FilingItem.String(), Outside: toolkit.OutsideTextNote, Heading: s.Title,
		Piece: s.Text[offset:end], Offset: offset, Size: size, Method: s.Method, Confidence: s.Confidence,
		CrossReference: s.CrossReference, URL: s.Filing.URL,
		Origin: filingOrigin(s.Filing), section: s,
	}
	if end < size {
		c.NextOffset = end
	}
	c.Warnings.WarnEach("source", s.Warnings...)
	if c.CrossReference {
		c.Warnings.Note("cross_reference", "the content is in another document or section")
	}
	return c, nil
}

// cutOffset returns where a part that starts at offset ends: after a line if possible, otherwise between two
// characters.
func cutOffset(text string, offset int) int {
	if len(text)-offset <= sectionChunkBytes {
		return len(text)
	}
	end := offset + sectionChunkBytes
	if line := strings.LastIndexByte(text[offset:end], '\n'); line >= 0 {
		return offset + line + 1
	}
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// place returns form, symbol, period and item of the section.
func (c filingSection) place() string {
	return fmt.Sprintf("%s of %s for %s, %s", c.Form, c.Symbol, c.Period, c.Item)
}

// citation returns how an answer cites the section.
func (c filingSection) citation() string {
	if c.Heading == "" {
		return c.place()
	}
	return c.place() + ", " + c.Heading
}

// bytesRead returns which bytes of the section this part has.
func (c filingSection) bytesRead(format string) string {
	return fmt.Sprintf(format, toolkit.FormatCount(c.Offset), toolkit.FormatCount(c.Offset+len(c.Piece)), toolkit.FormatCount(c.Size))
}

func (c filingSection) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("已读取 %s 的 %s（%s），%s：%s。", c.Symbol, c.Form, c.Period, c.Item, c.bytesRead("第 %s 至 %s 字节，共 %s 字节"))
	}
	return fmt.Sprintf("Read %s of the %s.", c.bytesRead("bytes %s to %s of %s"), c.place())
}

func (c filingSection) Title() string {
	return fmt.Sprintf("%s · %s %s · %s", c.Symbol, c.Form, c.Period, c.Item)
}

func (c filingSection) Summary() string { return c.bytesRead("bytes %s to %s of %s") }

// Text implements [toolkit.Texter]: people see the citation and the link instead of the text.
func (c filingSection) Text() string {
	return strings.TrimSpace(toolkit.EscapeMarkdown(c.Heading) + "\n\n" + c.URL)
}

var (
	// printedPattern matches a number as a filing prints it: digits with separators and decimals.
	printedPattern = lazyregexp.New(`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`)
	// scalePattern matches the scale that a filing prints above a table.
	scalePattern = lazyregexp.New(`(?i)\bin (thousands|millions|billions)\b`)
)

// maxLabelChars is the maximum length of the label of a figure, taken from its line.
const maxLabelChars = 60

// maxPrintedDigits is more digits than any figure in a filing has.
const maxPrintedDigits = 40

// figures returns the numbers printed in this part, each once, so that the figures of an answer can be traced
// to it. A number in a table is included both as printed and in the last scale stated above it, because an
// answer may use either.
func (c filingSection) figures() []tool.Figure {
	var out []tool.Figure
	seen := map[string]bool{}
	add := func(text, line, unit string, value decimal.Decimal) {
		id := fmt.Sprintf("%s.%s.%s", c.Accession, strings.ReplaceAll(c.Item, " ", "_"), text)
		if seen[id] {
			return
		}
		seen[id] = true
		out = append(out, tool.Figure{
			ID: id, Label: labelOf(line), Value: value, Unit: unit, AsOf: c.section.Filing.Filed, Source: c.citation() + ", " + c.Source,
		})
	}
	scale := lastScale(c.section.Text[:c.Offset], "")
	for line := range strings.Lines(c.Piece) {
		scale = lastScale(line, scale)
		for _, at := range printedPattern().FindAllStringIndex(line, -1) {
			text := strings.ReplaceAll(line[at[0]:at[1]], ",", "")
			if len(text) > maxPrintedDigits {
				continue
			}
			value, err := decimal.NewFromString(text)
			if err != nil || partOfWord(line, at[0]) {
				continue
			}
			add(text, line, "as printed", value)
			if zeros := zerosOf(scale); zeros > 0 && strings.Contains(line, " | ") {
				add(text+"_"+scale, line, "as printed, in "+scale, value.Shift(zeros))
			}
		}
	}
	return out
}

// lastScale returns the scale in the last line of text that states one, otherwise before. The first scale in
// a line counts: "in millions, except shares, which are in thousands".
func lastScale(text, before string) string {
	for line := range strings.Lines(text) {
		if m := scalePattern().FindStringSubmatch(line); m != nil {
			before = strings.ToLower(m[1])
		}
	}
	return before
}

func zerosOf(scale string) int32 {
	switch scale {
	case "thousands":
		return 3
	case "millions":
		return 6
	case "billions":
		return 9
	}
	return 0
}

// partOfWord reports whether the digits at i are part of a word such as M4.
func partOfWord(line string, i int) bool {
	return i > 0 && (line[i-1] >= 'a' && line[i-1] <= 'z' || line[i-1] >= 'A' && line[i-1] <= 'Z')
}

func labelOf(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > maxLabelChars {
		return string(runes[:maxLabelChars]) + "…"
	}
	return line
}
