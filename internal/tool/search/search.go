package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Document is a tool or a skill to be found.
type Document struct {
	Name        string
	Description string   // its first three sentences count
	Keywords    string   // words in any language, separated by spaces
	Phrasings   []string // requests that it answers, with classes such as <num> and <sym>
	Kind        string   // "tool" or "skill"
}

// Options describe the symbols and names that a request may contain.
type Options struct {
	// IsSymbol reports whether a word is a symbol, in upper or lower case. It is called only for words that
	// occur in no document. Upper-case words of up to five letters count as symbols anyway. It must be safe
	// for concurrent use; nil means that only the shape counts.
	IsSymbol func(word string) bool
	// Names are names of companies and funds, in English and Chinese, with or without the legal
	// form. A name of one word that is also a word of the documents counts as both.
	Names []string
}

// Match is a document that was found.
type Match struct {
	Name  string
	Kind  string
	Score float64 // above zero; comparable only within one search
}

const (
	saturation    = 1.2 // k1 of BM25: how soon repetitions of a word stop counting
	lengthPenalty = 0.4 // b of BM25: how much the length of a field reduces the score
)

type field int

const (
	nameField field = iota
	keywordField
	phrasingField
	descriptionField
	fieldCount
)

var fieldWeights = [fieldCount]float64{nameField: 3, keywordField: 3, phrasingField: 2, descriptionField: 0.7}

// Index is a set of documents that can be searched. Make one with New. It is immutable and safe
// for concurrent use.
type Index struct {
	docs       []indexed
	kinds      []scope // one for each kind of document
	termIDs    map[string]int
	postings   [][]posting // by term
	vocabulary vocabulary
	normalizer normalizer
}

type indexed struct {
	name string
	kind string
}

// scope is the documents of one kind. Each kind has its own statistics, so that the skills of a user do not
// change the order of the tools.
type scope struct {
	kind  string
	size  int   // documents
	found []int // number of documents that contain each term
}

type posting struct {
	doc    int
	weight float64 // how much of the term the document has, over all fields
}

// New returns an index of the documents. It does not keep docs or o.Names.
func New(docs []Document, o Options) *Index {
	ix := &Index{termIDs: make(map[string]int, 16*len(docs)), normalizer: newNormalizer(o)}
	b := builder{ix: ix, reader: reader{normalizer: &ix.normalizer, known: ix.known}, terms: make([][fieldCount][]int, len(docs))}
	// Keywords come first: they decide which company names are ordinary words too.
	for i, d := range docs {
		b.add(i, nameField, splitName(d.Name), literalText)
		b.add(i, keywordField, d.Keywords, literalText)
	}
	for i, d := range docs {
		for _, p := range d.Phrasings {
			b.add(i, phrasingField, p, documentText)
		}
		b.add(i, descriptionField, firstSentences(d.Description, 3), documentText)
		ix.docs = append(ix.docs, indexed{name: d.Name, kind: d.Kind})
	}
	b.finish()
	return ix
}

// builder collects the terms of all documents before their weights can be known.
type builder struct {
	ix     *Index
	reader reader
	terms  [][fieldCount][]int // by document, once per occurrence
}

func (b *builder) add(doc int, f field, text string, mode textMode) {
	list := b.terms[doc][f]
	for _, w := range b.reader.words(text, mode) {
		id, ok := b.ix.termIDs[w.term]
		if !ok {
			id = len(b.ix.termIDs)
			b.ix.termIDs[w.term] = id
		}
		list = append(list, id)
		b.ix.vocabulary.add(w, id)
	}
	b.terms[doc][f] = list
}

func (b *builder) finish() {
	ix := b.ix
	ix.vocabulary.seen = nil
	ix.postings = make([][]posting, len(ix.termIDs))
	var averages [][fieldCount]float64 // length of the fields, by kind
	kindOf := make([]int, len(ix.docs))
	for i, d := range ix.docs {
		k := slices.IndexFunc(ix.kinds, func(s scope) bool { return s.kind == d.kind })
		if k < 0 {
			k = len(ix.kinds)
			ix.kinds = append(ix.kinds, scope{kind: d.kind, found: make([]int, len(ix.termIDs))})
			averages = append(averages, [fieldCount]float64{})
		}
		kindOf[i] = k
		ix.kinds[k].size++
		for f, terms := range b.terms[i] {
			averages[k][f] += float64(len(terms))
		}
	}
	for k := range averages {
		for f := range averages[k] {
			averages[k][f] /= float64(ix.kinds[k].size)
		}
	}
	for i, fields := range b.terms {
		kind := &ix.kinds[kindOf[i]]
		for f, terms := range fields {
			once := fieldWeights[f] / (1 - lengthPenalty + lengthPenalty*float64(len(terms))/averages[kindOf[i]][f])
			for _, id := range terms {
				list := ix.postings[id]
				if last := len(list) - 1; last >= 0 && list[last].doc == i {
					list[last].weight += once
					continue
				}
				ix.postings[id] = append(list, posting{doc: i, weight: once})
				kind.found[id]++
			}
		}
	}
}

func (ix *Index) known(term string) bool {
	_, ok := ix.termIDs[term]
	return ok
}

// Knows reports whether a document has an English word, in lower case and in any of its forms.
func (ix *Index) Knows(word string) bool { return ix.known(stem(word)) }

// SearchKind returns the n best matches of one kind. The order among them does not depend on
// documents of other kinds.
func (ix *Index) SearchKind(query, kind string, n int) []Match {
	for i := range ix.kinds {
		if ix.kinds[i].kind == kind {
			return ix.search(query, &ix.kinds[i], n)
		}
	}
	return nil
}

func (ix *Index) search(query string, s *scope, n int) []Match {
	if n <= 0 || len(ix.docs) == 0 {
		return nil
	}
	known := func(term string) bool {
		id, ok := ix.termIDs[term]
		return ok && s.found[id] > 0
	}
	scores := make([]float64, len(ix.docs))
	seen := map[string]bool{}
	for _, w := range ix.normalizer.words(query, requestText, known) {
		if seen[w.term] {
			continue
		}
		seen[w.term] = true
		if len(seen) > maxQueryTerms {
			break
		}
		ix.addScores(scores, ix.resolve(w, s), s)
	}
	var out []Match
	for i, score := range scores {
		if d := ix.docs[i]; score > 0 && d.kind == s.kind {
			out = append(out, Match{Name: d.name, Kind: d.kind, Score: score})
		}
	}
	slices.SortFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
	})
	return out[:min(n, len(out))]
}

// resolve returns the term of a known word, or the nearest known terms.
func (ix *Index) resolve(w word, s *scope) []nearTerm {
	if id, ok := ix.termIDs[w.term]; ok && s.found[id] > 0 {
		return []nearTerm{{id: id, weight: 1}}
	}
	return ix.vocabulary.nearest(w, func(id int) bool { return s.found[id] > 0 })
}

// addScores adds the scores for one word, which may mean any of the terms. A document with several of
// them gets the best score.
func (ix *Index) addScores(scores []float64, terms []nearTerm, s *scope) {
	var best map[int]float64
	if len(terms) > 1 {
		best = map[int]float64{}
	}
	for _, t := range terms {
		idf := math.Log(1 + (float64(s.size-s.found[t.id])+0.5)/(float64(s.found[t.id])+0.5))
		for _, p := range ix.postings[t.id] {
			score := t.weight * idf * p.weight * (saturation + 1) / (p.weight + saturation)
			if best == nil {
				scores[p.doc] += score
			} else {
				best[p.doc] = max(best[p.doc], score)
			}
		}
	}
	for doc, score := range best {
		scores[doc] += score
	}
}

// firstSentences cuts a text after its first n sentences.
func firstSentences(text string, n int) string {
	for i, r := range text {
		switch r {
		case '.', '!', '?':
			if rest := text[i+1:]; rest != "" && rest[0] != ' ' && rest[0] != '\n' {
				continue
			}
		case '。', '！', '？':
		default:
			continue
		}
		if n--; n == 0 {
			return text[:i]
		}
	}
	return text
}
