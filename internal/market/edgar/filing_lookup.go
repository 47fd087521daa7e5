package edgar

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// locate finds a filing by its accession number. EDGAR's URLs also need the CIK, which comes from an earlier
// list, the prefix of the accession number, or the quarterly index.
func (s *Source) locate(ctx context.Context, accession, doing string) (filer, filingRow, error) {
	if c, ok := s.filers.recall(accession); ok {
		if f, row, err := s.filingInList(ctx, c, accession, doing); err == nil || !errors.Is(err, market.ErrUnknownSymbol) {
			return f, row, err
		}
	}
	d, err := s.directory(ctx, doing)
	if err != nil {
		return filer{}, filingRow{}, err
	}
	if companies := d.byCIK[accession[:10]]; len(companies) > 0 {
		if f, row, err := s.filingInList(ctx, d.rows[companies[0]], accession, doing); err == nil || !errors.Is(err, market.ErrUnknownSymbol) {
			return f, row, err
		}
	}
	numbers, err := s.searchIndexes(ctx, accession, doing)
	if err != nil {
		return filer{}, filingRow{}, err
	}
	// An insider's form has two filers, the owner and the issuer. Take the one that is listed.
	c := company{cik: numbers[0]}
	for _, cik := range numbers {
		if companies := d.byCIK[cik]; len(companies) > 0 {
			c = d.rows[companies[0]]
		}
	}
	return s.filingInList(ctx, c, accession, doing)
}

func (s *Source) notFoundError(doing string) error {
	return s.client.NewError(doing, market.ErrUnknownSymbol, "EDGAR has no filing with this accession number")
}

// filingInList finds a filing in the list of the company that filed it.
func (s *Source) filingInList(ctx context.Context, c company, accession, doing string) (filer, filingRow, error) {
	f, err := s.filerOf(ctx, c, doing)
	if err != nil {
		return f, filingRow{}, err
	}
	var found filingRow
	_, err = s.walkFilings(ctx, f, aroundYear(accession), doing, func(row filingRow, _ client.Response) bool {
		if row.accession == accession {
			found = row
		}
		return found.accession == ""
	})
	if err == nil && found.accession == "" {
		err = s.notFoundError(doing)
	}
	return f, found, err
}

// yearOf returns the year in an accession number. EDGAR began in 1993.
func yearOf(accession string) int {
	year, _ := strconv.Atoi(accession[11:13])
	if year >= 90 {
		return 1900 + year
	}
	return 2000 + year
}

// aroundYear returns the filing dates possible for an accession number, which is sometimes assigned
// in the previous year.
func aroundYear(accession string) market.Range {
	year := yearOf(accession)
	return market.Range{From: time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC), To: time.Date(year+1, time.December, 31, 0, 0, 0, 0, time.UTC)}
}

// searchIndexes searches the quarterly indexes of a year, newest first, and returns the CIKs of the
// filing.
func (s *Source) searchIndexes(ctx context.Context, accession, doing string) ([]string, error) {
	now := s.now().UTC()
	year := yearOf(accession)
	if year > now.Year() || year < 1993 {
		return nil, s.notFoundError(doing)
	}
	last := 4
	if year == now.Year() {
		last = (int(now.Month()) + 2) / 3
	}
	for quarter := last; quarter >= 1; quarter-- {
		fresh := client.Forever
		// The index of a quarter is updated until some days after its end.
		if end := time.Date(year, time.Month(3*quarter+1), 10, 0, 0, 0, 0, time.UTC); now.Before(end) {
			fresh = 12 * time.Hour
		}
		numbers, _, err := getDocument(ctx, s, client.Request{Op: doing, URL: s.hosts.master(strconv.Itoa(year), strconv.Itoa(quarter)), Fresh: fresh},
			func(index []byte) ([]string, error) { return searchIndex(index, accession) })
		if errors.Is(err, market.ErrNoData) {
			continue // a new quarter has no index yet
		}
		if err != nil {
			return nil, err
		}
		if len(numbers) > 0 {
			return numbers, nil
		}
	}
	return nil, s.notFoundError(doing)
}

// maxIndexSize limits a decompressed index; the largest have 60 MB.
const maxIndexSize = 256 << 20

// searchIndex reads a quarterly index, lines of "CIK|name|form|date|file", and returns the CIKs
// with an accession number.
func searchIndex(packed []byte, accession string) ([]string, error) {
	var text io.Reader = bytes.NewReader(packed)
	if bytes.HasPrefix(packed, []byte{0x1f, 0x8b}) {
		unpacker, err := gzip.NewReader(text)
		if err != nil {
			return nil, fmt.Errorf("index of filings: %w", err)
		}
		text = io.LimitReader(unpacker, maxIndexSize)
	}
	var out []string
	file := []byte("/" + accession + ".txt")
	lines := bufio.NewScanner(text)
	headed := false
	for lines.Scan() {
		headed = headed || bytes.HasPrefix(lines.Bytes(), []byte("CIK|"))
		if !bytes.HasSuffix(bytes.TrimSpace(lines.Bytes()), file) {
			continue
		}
		number, _, _ := strings.Cut(lines.Text(), "|")
		if cik := client.PadCIK(number); cik != "" {
			out = append(out, cik)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("index of filings: %w", err)
	}
	if !headed {
		return nil, errors.New("index of filings: unexpected format")
	}
	return out, nil
}
