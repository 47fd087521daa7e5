package sqlite

import "github.com/nfa-cli/nfa/internal/portfolio"

// RoundTripRow writes a transaction as SQLite is given it and reads it as SQLite
// gives it back.
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
		case bool:
			text += map[bool]string{true: "1", false: "0"}[v]
		case string:
			text += v
		}
	}
	return ReadRow(text)
}

// ReadRow reads a row as SQLite gives it.
func ReadRow(text string) (portfolio.Transaction, error) { return newRowParser().transaction(1, text) }
