// Package importertest checks importer formats in tests: every line of a file is accounted for,
// reading the file twice gives the same result, and the transactions add up to the expected cash and
// share quantities. Recorded opens real broker files and skips the test if they are not available.
package importertest
