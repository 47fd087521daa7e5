// Package search finds tools and skills by the words of a request, in English and Chinese.
//
// An Index scores documents by BM25F: the words of a document count by the weight of the field they are in,
// rare words count more than common ones, and a word that occurs in no document counts as the most similar
// words that do. Words are stems in English and pairs of characters in Chinese. Whatever differs from
// request to request is replaced by a class, in documents and in requests: "<num>" for a number, "<pct>"
// for a percentage, "<sym>" for a symbol or the name of a company, "<url>", "<file>" and "<isin>". So the
// phrasing "<num> % coupon bond" matches any rate.
//
// An Index needs no network, file or model. It is immutable, so any number of goroutines may search it.
package search
