package degiro

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is what kind of movement a line is.
type class int

const (
	unknown class = iota
	trade
	action // of a company: shares that become others
	exchange
	internal // between DEGIRO and its own bank
	fund     // that holds the cash
	dividend
	withheld
	repaid // capital
	fee
	tax
	interest
	payment  // from or to outside, by its sign
	reserved // a payment that is booked later, or its end
	courtesy // of the broker
)

// classOf knows the words of descriptions, as plain writes them, by the vocabulary.
func classOf(words string, known []entry) class {
	switch d, traded := dealOf(words); {
	case traded && d.occasion == "":
		return trade
	case traded && !strings.Contains(words, "fonds monetaires") && !strings.Contains(words, "geldmarktfonds") && !strings.Contains(words, "money market fund"):
		return action
	}
	for _, c := range known {
		if slices.Contains(c.exact, words) || slices.ContainsFunc(c.within, func(part string) bool { return strings.Contains(words, part) }) {
			return c.class
		}
	}
	return unknown
}

type entry struct {
	class  class
	exact  []string // the whole description
	within []string // a part of it
}

// vocabulary has Dutch, English, German, French, Spanish, Italian and Portuguese, in
// the order in which it is asked: what is said more narrowly first.
func vocabulary() []entry {
	return []entry{
		{internal, nil, []string{"cash sweep transfer", "flatexdegiro"}},
		{reserved, []string{"processed flatex withdrawal", "flatex terugstorting", "flatex withdrawal", "prelievo flatex", "flatex auszahlung"},
			[]string{"reservation ", "reservering ", "reservierung ", "reserva ingreso", "reserva deposito", "prenotazione deposito"}},
		{fund, nil, []string{"fonds monetaires", "geldmarktfonds", "money market fund", "mercado monetario", "mercato monetario", "fundo do mercado"}},
		{exchange, []string{"valuta creditering", "valuta debitering", "fx credit", "fx debit", "ingreso cambio de divisa", "retirada cambio de divisa",
			"credito fx", "prelievo fx", "credito de divisa", "levantamento de divisa", "wahrungswechsel", "cambio valuta"},
			[]string{"wahrungswechsel (", "operation de change", "cambio valuta ("}},
		{withheld, []string{"dividendbelasting", "dividend tax", "dividendensteuer", "quellensteuer", "withholding tax", "impots sur dividende",
			"impot sur les dividendes", "retencion del dividendo", "ritenuta sul dividendo", "imposta sui dividendi", "imposto sobre dividendo"}, nil},
		{dividend, []string{"dividend", "dividende", "dividendo", "fund distribution", "fondsausschuttung", "ausschuttung"}, nil},
		{repaid, []string{"kapitalruckzahlung", "remboursement de capital", "return of capital"}, nil},
		{fee, nil, []string{"transactiekosten", "third party fees", "transaktionsgebuhr", "frais degiro de courtage", "frais de courtage", "costes de transaccion",
			"costi di transazione", "comissoes de transacao", "custos de transacao", "aansluitingskosten", "connection fee", "connectivity fee",
			"handelsmodalitaten", "anschlussgebuhr", "frais de connexion", "costi di connessione", "custo de conectividade", "comision de conectividad",
			"corporate action kosten", "corporate action fee", "comision por accion corporativa", "adr/gdr", "zahlungsgebuhr"}},
		{tax, nil, []string{"stamp duty", "transaction tax", "transactiebelasting", "impuesto de transaccion", "impuesto sobre transacciones", "transaktionssteuer",
			"imposto de selo", "taxe sur les transactions", "imposta sulle transazioni", "imposta di bollo"}},
		{interest, []string{"flatex interest income", "flatex interest", "interest", "rente", "zinsen", "interets", "intereses", "interes", "interessi", "juros"}, nil},
		{courtesy, []string{"degiro courtesy", "degiro rebate promotion", "degiro verrekening promotie", "promocion degiro", "rabatt fur aktion"}, nil},
		{payment, []string{"deposit", "ideal deposit", "sofort deposit", "flatex deposit", "storting", "ideal storting", "flatex storting", "einzahlung",
			"sofort einzahlung", "soforteinzahlung", "flatex einzahlung", "versement de fonds", "ingreso", "flatex ingreso", "deposito", "deposito flatex", "depositos",
			"withdrawal", "terugstorting", "auszahlung", "retrait de fonds", "retirada", "prelievo", "levantamento"}, nil},
	}
}

// plain writes words as they are compared: in lower case, without accents, with
// single blanks.
func plain(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(mended(text)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// mended reads "CrÃ©dito" as what it was before somebody took UTF-8 for Latin-1.
func mended(text string) string {
	if !strings.ContainsAny(text, "ÃÂ") {
		return text
	}
	raw := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xFF {
			return text
		}
		raw = append(raw, byte(r))
	}
	if !utf8.Valid(raw) {
		return text
	}
	return string(raw)
}
