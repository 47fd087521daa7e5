// Package rss reads news. Parse reads any RSS or Atom feed; Source searches Google News.
//
// Google News needs no key and is for personal, non-commercial use. Its links are redirects that only
// a browser can resolve, so they are returned unchanged.
package rss
