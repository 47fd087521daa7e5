package markettest

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"text/template"
	"time"
)

// moduleRoot is the folder of go.mod, or "". It is determined before a test changes the working directory.
var moduleRoot = func() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return ""
}()

// templateData is the data for the templates of a fake server.
type templateData struct {
	Now           time.Time
	Query         url.Values
	Symbol        string // the known symbol that the request names, or ""
	Price, Before string // of Symbol now, and at the close before
}

// templateDay is a day with its close.
type templateDay struct {
	Date  time.Time
	Close string
}

// Days returns the days with prices, oldest first.
func (d templateData) Days() []templateDay {
	var days []templateDay
	for i, day := range weekdays(d.Now) {
		days = append(days, templateDay{day, closeOf(i)})
	}
	return days
}

// Ago returns the time before now by a duration such as "24h".
func (d templateData) Ago(duration string) (time.Time, error) {
	parsed, err := time.ParseDuration(duration)
	return d.Now.Add(-parsed), err
}

// templateServers returns the fake server of each provider with a testdata/server.tmpl. A template
// is named for its path, in which SYMBOL is a known symbol; "404" answers all other paths.
var templateServers = sync.OnceValue(func() map[string]providerHandler {
	files, err := filepath.Glob(filepath.Join(moduleRoot, "internal", "market", "*", "testdata", "server.tmpl"))
	if err != nil {
		panic(err)
	}
	all := map[string]providerHandler{}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(filepath.Dir(file)))
		all[name] = templateServer(template.Must(template.ParseFiles(file)))
	}
	return all
})

func templateServer(t *template.Template) providerHandler {
	return func(now time.Time, r *http.Request) (string, bool) {
		d := templateData{Now: now.UTC(), Query: r.URL.Query()}
		d.Price, d.Before = latestPrices(now)
		words := strings.Split(r.URL.Path, "/")
		for _, values := range d.Query {
			words = append(words, values...)
		}
		for _, word := range words {
			if isKnownSymbol(word) {
				d.Symbol = word
			}
		}
		path, found := r.URL.Path, true
		if d.Symbol != "" {
			path = strings.Replace(path, "/"+d.Symbol, "/SYMBOL", 1)
		}
		if t.Lookup(path) == nil {
			path, found = "404", false
		}
		var b strings.Builder
		if err := t.ExecuteTemplate(&b, path, d); err != nil {
			panic(err)
		}
		return b.String(), found
	}
}
