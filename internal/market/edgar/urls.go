package edgar

import (
	"net/url"
	"strings"
)

// hosts holds the base URLs of the SEC's servers.
type hosts struct{ www, data string }

func newHosts(base string) hosts {
	if base = strings.TrimRight(base, "/"); base != "" {
		return hosts{www: base, data: base}
	}
	return hosts{www: "https://www.sec.gov", data: "https://data.sec.gov"}
}

func (h hosts) tickers() string { return h.www + "/files/company_tickers.json" }

func (h hosts) submissions(cik string) string { return h.data + "/submissions/CIK" + cik + ".json" }

// olderPage returns the URL of an older part of a company's list of filings.
func (h hosts) olderPage(name string) string { return h.data + "/submissions/" + url.PathEscape(name) }

func (h hosts) facts(cik string) string {
	return h.data + "/api/xbrl/companyfacts/CIK" + cik + ".json"
}

// document returns the URL of a file of a filing. Its folder is the filer's CIK without leading zeros and the
// accession number without dashes.
func (h hosts) document(cik, accession, file string) string {
	parts := strings.Split(file, "/")
	for i, part := range parts {
		// Keep only the base name, so that a name from a list cannot leave the folder.
		if parts[i] = url.PathEscape(part); strings.Trim(part, ".") == "" {
			parts[i] = "_"
		}
	}
	return h.folder(cik, accession) + strings.Join(parts, "/")
}

func (h hosts) folder(cik, accession string) string {
	return h.www + "/Archives/edgar/data/" + strings.TrimLeft(cik, "0") + "/" + strings.ReplaceAll(accession, "-", "") + "/"
}

// index returns the URL of the page that lists a filing's documents.
func (h hosts) index(cik, accession string) string {
	return h.folder(cik, accession) + accession + "-index.htm"
}

// current returns the URL of the newest filings of a form from all companies.
func (h hosts) current(form string) string {
	return h.www + "/cgi-bin/browse-edgar?" + url.Values{
		"action": {"getcurrent"}, "type": {form}, "owner": {"exclude"}, "count": {"100"}, "output": {"atom"},
	}.Encode()
}

// master returns the URL of the index of all filings of a quarter.
func (h hosts) master(year, quarter string) string {
	return h.www + "/Archives/edgar/full-index/" + year + "/QTR" + quarter + "/master.gz"
}
