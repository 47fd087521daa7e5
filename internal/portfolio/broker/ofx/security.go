package ofx

import (
	"errors"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// security is what the list of securities says of a number.
type security struct {
	ticker, name string
	option       bool
}

// securities reads the list that stands beside the statements, by kind and number
// of the identifier: those of different kinds may be equal.
func securities(root *element) map[[2]string]security {
	known := map[[2]string]security{}
	for _, list := range root.all("SECLIST") {
		for _, info := range list.children {
			id := info.find("SECID")
			if id == nil {
				continue
			}
			known[identifier(id)] = security{
				ticker: info.text("TICKER"),
				name:   info.text("SECNAME"),
				option: info.name == "OPTINFO",
			}
		}
	}
	return known
}

func identifier(id *element) [2]string {
	return [2]string{strings.ToUpper(id.text("UNIQUEIDTYPE")), strings.ToUpper(id.text("UNIQUEID"))}
}

var (
	errOption     = errors.New("options are not kept in the book")
	errNoSecurity = errors.New("it names no security; add it by hand")
)

// identify puts the security of a record into t: its ticker where the file has one,
// and else its number, which an alias can lead to a ticker.
func (s *statement) identify(e *element, t *portfolio.Transaction) error {
	id := e.find("SECID")
	if id == nil {
		return errNoSecurity
	}
	key := identifier(id)
	known := s.securities[key]
	if known.option {
		return errOption
	}
	t.Name = sheet.Shorten(known.name)
	if key[0] == "ISIN" && broker.ValidISIN(key[1]) {
		t.ISIN = key[1]
	}
	for _, text := range []string{known.ticker, key[1]} {
		if _, err := market.ParseSymbol(text); err != nil {
			continue
		}
		var err error
		t.Symbol, err = broker.Ticker(text)
		return err
	}
	return errNoSecurity
}
