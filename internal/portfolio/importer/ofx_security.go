package importer

import (
	"errors"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ofxSecurity is what the list of securities says of a number.
type ofxSecurity struct {
	ticker, name string
	option       bool
}

// ofxSecurities reads the list that stands beside the statements, by kind and number
// of the identifier: those of different kinds may be equal.
func ofxSecurities(root *ofxElement) map[[2]string]ofxSecurity {
	known := map[[2]string]ofxSecurity{}
	for _, list := range root.all("SECLIST") {
		for _, info := range list.children {
			id := info.find("SECID")
			if id == nil {
				continue
			}
			known[ofxIdentifier(id)] = ofxSecurity{
				ticker: info.text("TICKER"),
				name:   info.text("SECNAME"),
				option: info.name == "OPTINFO",
			}
		}
	}
	return known
}

func ofxIdentifier(id *ofxElement) [2]string {
	return [2]string{strings.ToUpper(id.text("UNIQUEIDTYPE")), strings.ToUpper(id.text("UNIQUEID"))}
}

var (
	errOFXOption     = errors.New("options are not kept in the book")
	errOFXNoSecurity = errors.New("it names no security; add it by hand")
)

// setSecurity puts the security of a record into t: its ticker where the file has one,
// and else its number, which an alias can lead to a ticker.
func (s *ofxStatement) setSecurity(e *ofxElement, t *portfolio.Transaction) error {
	id := e.find("SECID")
	if id == nil {
		return errOFXNoSecurity
	}
	key := ofxIdentifier(id)
	known := s.securities[key]
	if known.option {
		return errOFXOption
	}
	t.Name = Shorten(known.name)
	if key[0] == "ISIN" && ValidISIN(key[1]) {
		t.ISIN = key[1]
	}
	for _, text := range []string{known.ticker, key[1]} {
		if _, err := market.ParseSymbol(text); err != nil {
			continue
		}
		var err error
		t.Symbol, err = ParseTicker(text)
		return err
	}
	return errOFXNoSecurity
}
