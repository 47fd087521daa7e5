// Package rss searches Google News through its RSS feed.
//
// Google News needs no key and is for personal, non-commercial use. Its links are redirects that only
// a browser can resolve, so they are returned unchanged.
package rss
