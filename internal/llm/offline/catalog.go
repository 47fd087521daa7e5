package offline

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// Tool is a tool that the assistant may call.
type Tool struct {
	search.Document
	Parameters func() json.RawMessage // JSON Schema
	// Unavailable is set if the tool has no source of data now, such as without a network.
	Unavailable bool
}

// Catalog holds the tools and skills that the assistant can choose from.
type Catalog struct {
	Tools  []Tool
	Skills []search.Document
}

// catalog is an indexed Catalog. It is safe for concurrent use.
type catalog struct {
	tools     map[string]*knownTool
	toolNames []string
	index     *search.Index
	names     *instruments
	skills    []*knownTool

	once      sync.Once
	toolWords []string        // of all tools, to correct spelling mistakes
	stems     map[string]bool // of the same
}

func newCatalog(c Catalog) *catalog {
	out := &catalog{tools: map[string]*knownTool{}}
	var docs []search.Document
	for _, t := range c.Tools {
		if t.Name == "find_tools" {
			continue
		}
		out.tools[t.Name] = &knownTool{Tool: t}
		d := t.Document
		d.Kind = "tool"
		docs = append(docs, d)
	}
	for _, h := range helpTopics {
		docs = append(docs, search.Document{Name: h.name, Kind: "tool", Keywords: h.keywords, Phrasings: h.phrasings})
		out.tools[h.name] = &knownTool{Tool: Tool{Document: search.Document{Name: h.name, Keywords: h.keywords, Phrasings: h.phrasings}}, help: h}
	}
	for _, s := range c.Skills {
		s.Kind = "skill"
		docs = append(docs, s)
		out.skills = append(out.skills, &knownTool{Tool: Tool{Document: s}})
	}
	out.toolNames = slices.Sorted(maps.Keys(out.tools))
	out.index = search.New(docs, search.Options{})
	return out
}

// knownTool is a tool or a help topic, with the words that belong to it.
type knownTool struct {
	Tool
	help *helpTopic // nil for a tool

	readSchema sync.Once
	read       schema
	learnt     sync.Once
	stems      map[string]bool // of its English words
	han        map[string]bool // pairs of Chinese characters
}

type schema struct {
	Properties map[string]struct {
		Type any `json:"type"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func (t *knownTool) prepare() {
	t.readSchema.Do(func() {
		if t.Parameters != nil {
			// A schema that cannot be read has no properties: the tool is called without arguments.
			_ = json.Unmarshal(t.Parameters(), &t.read)
		}
	})
	t.learnWords()
}

// learnWords collects the words that belong to the tool.
func (t *knownTool) learnWords() {
	t.learnt.Do(func() {
		t.stems, t.han = map[string]bool{}, map[string]bool{}
		for _, w := range t.words() {
			if !isHan(w) {
				t.stems[stem(w)] = true
				continue
			}
			runes := []rune(w)
			for i := range runes {
				if i+1 < len(runes) {
					t.han[string(runes[i:i+2])] = true
				}
			}
			if len(runes) == 1 {
				t.han[w] = true
			}
		}
	})
}

// words returns the words that belong to the tool, in English and Chinese.
func (t *knownTool) words() []string {
	form, _ := formOf(t.Name)
	texts := append([]string{strings.ReplaceAll(t.Name, "_", " "), t.Keywords, withoutSymbols(firstSentence(t.Description))}, t.Phrasings...)
	texts = append(texts, form.texts()...)
	for _, s := range shapes {
		if s.tool == t.Name {
			texts = append(texts, cueText(s.cues))
		}
	}
	return splitWords(strings.Join(texts, "\n"))
}

var inCapitals = lazyregexp.New(`\b[A-Z]{2,5}\b`)

// withoutSymbols removes the ticker symbols of the examples from a description.
func withoutSymbols(text string) string {
	return inCapitals().ReplaceAllStringFunc(text, func(w string) string {
		if abbreviations[w] {
			return w
		}
		return ""
	})
}

func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	return text
}

func cueText(list string) string {
	return strings.NewReplacer("|", " ", "*", "", "s?", "s").Replace(list)
}

// splitWords splits a text into lower-case words. A run of Chinese characters is a separate word.
func splitWords(text string) []string {
	var out []string
	start, han := -1, false
	text = strings.ToLower(text)
	flush := func(end int) {
		if start >= 0 {
			if w := strings.Trim(text[start:end], "'.-/&"); w != "" {
				out = append(out, strings.TrimSuffix(w, "'s"))
			}
			start = -1
		}
	}
	for i, r := range text {
		isHan := unicode.Is(unicode.Han, r)
		part := isHan || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("'.-/&", r)
		if start >= 0 && (!part || isHan != han) {
			flush(i)
		}
		if part && start < 0 {
			start, han = i, isHan
		}
	}
	flush(len(text))
	return out
}

func (t *knownTool) schema() schema { t.prepare(); return t.read }

// takes reports whether the tool has an argument.
func (t *knownTool) takes(name string) bool {
	t.prepare()
	_, ok := t.read.Properties[name]
	return ok
}

func (t *knownTool) integer(name string) bool { return t.hasType(name, "integer") }

// takesSymbols reports whether the tool takes a list of symbols.
func (t *knownTool) takesSymbols() bool { return t.hasType("symbols", "array") }

func (t *knownTool) hasType(name, kind string) bool {
	t.prepare()
	p := t.read.Properties[name]
	if list, ok := p.Type.([]any); ok {
		return slices.Contains(list, any(kind))
	}
	return p.Type == kind
}

// says reports whether an English word is one of the tool's words.
func (t *knownTool) says(w string) bool { t.prepare(); return t.stems[stem(w)] }

//go:embed everyday.txt
var everydayText string

// readEveryday returns the words of everydayText, and the stems of the section whose words count in every form.
var readEveryday = sync.OnceValues(func() (words, stems map[string]bool) {
	words, stems = map[string]bool{}, map[string]bool{}
	inEveryForm := false
	for line := range strings.Lines(everydayText) {
		if strings.HasPrefix(line, "#") {
			inEveryForm = strings.HasSuffix(strings.TrimSpace(line), "in every form")
			continue
		}
		for w := range strings.FieldsSeq(line) {
			words[w] = true
			if inEveryForm {
				stems[stem(w)] = true
			}
		}
	}
	return words, stems
})

// everyday returns words that occur in all kinds of questions and do not show what is requested.
func everyday() map[string]bool {
	words, _ := readEveryday()
	return words
}

func isEveryday(w string) bool {
	words, stems := readEveryday()
	return words[w] || stems[stem(w)]
}

var everydayList = sync.OnceValue(func() []string {
	var out []string
	for w := range everyday() {
		if len(w) > 3 && isLetters(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
})

// unexplained returns the words that neither the tool nor everyday language explains.
func (f *filling) unexplained() []string {
	known := func(w string) bool { return isEveryday(w) || f.tool.says(w) || everyday()[stem(w)] }
	var out []string
	for _, w := range f.q.words() {
		if f.wasHeard(w) || slices.ContainsFunc(f.q.slots, func(s slot) bool { return s.kind == symbolSlot && !w.chinese && f.names.names(s.text, w.text) }) {
			continue
		}
		if w.chinese {
			out = append(out, f.unexplainedHan(w)...)
			continue
		}
		parts := strings.FieldsFunc(w.text, func(r rune) bool { return r == '/' || r == '-' })
		if !known(w.text) && !(len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !known(p) })) {
			out = append(out, f.q.text[w.start:w.end])
		}
	}
	for _, s := range f.leftover() {
		if f.tool.help == nil || s.kind != periodSlot && s.kind != durationSlot && s.kind != currencySlot && !f.tool.says(strings.ToLower(s.name)) {
			out = append(out, s.name)
		}
	}
	return out
}

func (f *filling) wasHeard(w word) bool {
	for i := w.start; i < w.end; i++ {
		if !f.heard[i] {
			return false
		}
	}
	return true
}

// unexplainedHan returns the runs of Chinese characters that no known word covers.
func (f *filling) unexplainedHan(w word) []string {
	f.tool.prepare()
	text := f.q.low[w.start:w.end]
	covered := make([]bool, len(text))
	cover := func(start, end int) {
		for i := start; i < end; i++ {
			covered[i] = true
		}
	}
	for i := range text {
		if f.heard[w.start+i] {
			_, size := utf8.DecodeRuneInString(text[i:])
			cover(i, i+size)
		}
		for _, n := range []int{4, 3, 2, 1} {
			end := i
			for range n {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
			}
			if end > len(text) {
				continue
			}
			if part := text[i:end]; everyday()[part] || n <= 2 && f.tool.han[part] {
				cover(i, end)
			}
		}
	}
	var out []string
	start := -1
	for i := range text {
		if !covered[i] && start < 0 {
			start = i
		}
		if covered[i] && start >= 0 {
			out = append(out, text[start:i])
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}

// strip removes everyday words and words of the tool from a run of Chinese characters.
func (t *knownTool) strip(text string) string {
	t.prepare()
	f := &filling{q: &question{low: text, explained: make([]bool, len(text))}, tool: t, heard: make([]bool, len(text))}
	return strings.Join(f.unexplainedHan(word{text: text, end: len(text), chinese: true}), " ")
}
