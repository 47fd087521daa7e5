// Package websearch searches the web with Tavily, Brave Search or a SearXNG instance.
//
// Each of the types Tavily, Brave and SearXNG is a market.WebSource. Tavily (1000 free searches a
// month) and Brave (paid, with monthly free credit) need an API key. SearXNG needs the URL of an
// instance that has JSON enabled in search.formats, which most public instances do not. Without a
// key or URL every call yields market.ErrNotConfigured. Titles and snippets are untrusted text.
package websearch
