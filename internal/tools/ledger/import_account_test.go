package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// flex returns a Flex Query in which each account receives a deposit, in the given order.
func flex(paid ...string) []byte {
	var rows strings.Builder
	for i, account := range paid {
		fmt.Fprintf(&rows, `<CashTransaction accountId="%s" currency="USD" type="Deposits/Withdrawals" dateTime="2024010%d" amount="%d" transactionID="%d" />`+"\n", account, i+1, i+1, i+1)
	}
	return []byte("<FlexQueryResponse><FlexStatements><FlexStatement><CashTransactions>\n" + rows.String() + "</CashTransactions></FlexStatement></FlexStatements></FlexQueryResponse>\n")
}

// Lots and taxes are per account, so a file of two accounts must not mix them.
func TestAccounts_AFileOfSeveralKeepsThemApart(t *testing.T) {
	w := newFixture(t)
	w.Files["both.xml"], w.Files["longer.xml"] = flex("U1", "U2"), flex("U1", "U2", "U2", "U3")
	w.MustCall("import_transactions", args{"path": "both.xml"})
	longer := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "longer.xml"}))
	if longer["added"] != 2.0 || longer["already_there"] != 2.0 {
		t.Errorf("the longer file added %v beside %v, want 2 and 2", longer["added"], longer["already_there"])
	}
	// A file of one account goes to that account, though there are three.
	w.Files["one.xml"] = []byte(strings.Replace(string(flex("U2")), `transactionID="1"`, `transactionID="9"`, 1))
	w.MustCall("import_transactions", args{"path": "one.xml"})
	count := map[string]int{}
	for _, x := range w.Ledger().Transactions {
		count[x.Account]++
	}
	if got := fmt.Sprint(count); got != "map[U1:1 U2:3 U3:1]" {
		t.Errorf("transactions by account = %s, want U1:1 U2:3 U3:1", got)
	}
}

// The lines of U1 went to "ibkr" before U2 had an account. Kept apart, they would be recorded again
// as those of another account.
func TestAccounts_AnEarlierFileUnderAnotherNameIsAskedAbout(t *testing.T) {
	w := newFixture(t)
	w.Files["both.xml"], w.Files["first.xml"] = flex("U1", "U2"), flex("U1")
	w.Files["second.xml"] = []byte(strings.Replace(string(flex("U2")), `transactionID="1"`, `transactionID="2"`, 1))
	w.MustCall("import_transactions", args{"path": "first.xml"})
	w.MustCall("import_transactions", args{"path": "second.xml", "account": "U2"})
	w.WantRefused("import_transactions", args{"path": "both.xml"}, `"ibkr"`, "set account")
	// An account that the file does not name is no reason to ask.
	w = newFixture(t)
	w.Files["three.xml"], w.Files["both.xml"] = flex("U1", "U2", "U3"), flex("U1", "U2")
	w.MustCall("import_transactions", args{"path": "three.xml"})
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "both.xml"})); res["already_there"] != 2.0 {
		t.Errorf("of two of three accounts %v were there already, want 2", res["already_there"])
	}
}

func TestAccounts_SeveralAreOneWhereTheUserSaysSo(t *testing.T) {
	w := newFixture(t)
	w.Files["both.xml"], w.Files["first.xml"] = flex("U1", "U2"), flex("U1")
	w.MustCall("import_transactions", args{"path": "first.xml"})
	if _, exists := w.Ledger().Account("ibkr"); !exists {
		t.Fatalf("accounts = %v, want one of the broker's name", w.Ledger().Accounts)
	}
	// It is unknown which of the two "ibkr" is.
	w.WantRefused("import_transactions", args{"path": "both.xml"}, "U1", "U2", `"ibkr"`, "set account")
	res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "both.xml", "account": "ibkr"}))
	if res["added"] != 1.0 || len(w.Ledger().Accounts) != 1 {
		t.Errorf("as one account added %v to %v, want 1 to the one there is", res["added"], w.Ledger().Accounts)
	}
}
