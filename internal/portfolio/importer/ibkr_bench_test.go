package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// Files of n, 2n and 4n trades, with as many dividends and taxes: time must grow linearly.
func BenchmarkIBKR(b *testing.B) {
	for _, n := range []int{2500, 5000, 10_000} {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			file := importer.File{Text: ibkrFlexXML("<Trades>" + repeatIBKRLines(n, `<Trade accountId="U1" currency="USD" assetCategory="STK" symbol="ACM" isin="US00000ACM14" multiplier="1" tradeDate="20240105" dateTime="20240105;093001" quantity="60" tradePrice="10.5" proceeds="-630" taxes="0" ibCommission="-0.6" ibCommissionCurrency="USD" buySell="BUY" ibOrderID="9%d" transactionID="1%[1]d" levelOfDetail="EXECUTION" />`) +
				"</Trades><CashTransactions>" +
				repeatIBKRLines(n, `<CashTransaction accountId="U1" currency="USD" symbol="ACM" dateTime="20240401" amount="5" type="Dividends" description="ACM CASH DIVIDEND %d PER SHARE (Ordinary Dividend)" transactionID="2%[1]d" />`) +
				repeatIBKRLines(n, `<CashTransaction accountId="U1" currency="USD" symbol="ACM" dateTime="20240401" amount="-1" type="Withholding Tax" description="ACM CASH DIVIDEND %d PER SHARE - US TAX" transactionID="3%[1]d" />`) +
				"</CashTransactions>")}
			b.SetBytes(int64(len(file.Text)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := importer.IBKR().Read(file, importer.Options{Account: "a"})
				if err != nil || len(s.Entries) != 2*n || len(s.Problems) != 0 {
					b.Fatalf("%d entries of %d, problems %.200v, %v", len(s.Entries), 2*n, s.Problems, err)
				}
			}
		})
	}
}

func repeatIBKRLines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}
