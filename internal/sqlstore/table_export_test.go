package sqlstore

import (
	"strconv"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// RoundTripRow writes a transaction as for a database and reads it back.
func RoundTripRow(t portfolio.Transaction) (portfolio.Transaction, error) {
	row, err := transactionRow(t)
	if err != nil {
		return portfolio.Transaction{}, err
	}
	text := ""
	for i, value := range row {
		if i > 0 {
			text += separator
		}
		switch v := value.(type) {
		case int:
			text += strconv.Itoa(v)
		case string:
			text += v
		}
	}
	return ReadRow(text)
}

// ReadRow reads a row as a database returns it.
func ReadRow(text string) (portfolio.Transaction, error) { return newRowParser().transaction(1, text) }
