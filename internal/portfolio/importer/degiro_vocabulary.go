package importer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// degiroClass is what kind of movement a line is.
type degiroClass int

const (
	degiroUnknown degiroClass = iota
	degiroTrade
	degiroAction // of a company: shares that become others
	degiroExchange
	degiroInternal // between DEGIRO and its own bank
	degiroCashFund // that holds the cash
	degiroDividend
	degiroWithheld
	degiroReturnOfCapital // capital
	degiroFee
	degiroTax
	degiroInterest
	degiroPayment  // from or to outside, by its sign
	degiroReserved // a payment that is booked later, or its end
	degiroCourtesy // of the broker
)

// degiroClassOf knows the words of descriptions, as plain writes them, by the vocabulary.
func degiroClassOf(description string, phrases []degiroPhrases) degiroClass {
	switch d, traded := parseDEGIROTrade(description); {
	case traded && d.event == "":
		return degiroTrade
	case traded && !strings.Contains(description, "fonds monetaires") && !strings.Contains(description, "geldmarktfonds") && !strings.Contains(description, "money market fund"):
		return degiroAction
	}
	for _, c := range phrases {
		if slices.Contains(c.exact, description) || slices.ContainsFunc(c.within, func(part string) bool { return strings.Contains(description, part) }) {
			return c.class
		}
	}
	return degiroUnknown
}

type degiroPhrases struct {
	class  degiroClass
	exact  []string // the whole description
	within []string // a part of it
}

// degiroVocabulary has Dutch, English, German, French, Spanish, Italian and Portuguese, in
// the order in which it is asked: what is said more narrowly first.
func degiroVocabulary() []degiroPhrases {
	return []degiroPhrases{
		{degiroInternal, nil, []string{"cash sweep transfer", "flatexdegiro"}},
		{degiroReserved, []string{"processed flatex withdrawal", "flatex terugstorting", "flatex withdrawal", "prelievo flatex", "flatex auszahlung"},
			[]string{"reservation ", "reservering ", "reservierung ", "reserva ingreso", "reserva deposito", "prenotazione deposito"}},
		{degiroCashFund, nil, []string{"fonds monetaires", "geldmarktfonds", "money market fund", "mercado monetario", "mercato monetario", "fundo do mercado"}},
		{degiroExchange, []string{"valuta creditering", "valuta debitering", "fx credit", "fx debit", "ingreso cambio de divisa", "retirada cambio de divisa",
			"credito fx", "prelievo fx", "credito de divisa", "levantamento de divisa", "wahrungswechsel", "cambio valuta"},
			[]string{"wahrungswechsel (", "operation de change", "cambio valuta ("}},
		{degiroWithheld, []string{"dividendbelasting", "dividend tax", "dividendensteuer", "quellensteuer", "withholding tax", "impots sur dividende",
			"impot sur les dividendes", "retencion del dividendo", "ritenuta sul dividendo", "imposta sui dividendi", "imposto sobre dividendo"}, nil},
		{degiroDividend, []string{"dividend", "dividende", "dividendo", "fund distribution", "fondsausschuttung", "ausschuttung"}, nil},
		{degiroReturnOfCapital, []string{"kapitalruckzahlung", "remboursement de capital", "return of capital"}, nil},
		{degiroFee, nil, []string{"transactiekosten", "third party fees", "transaktionsgebuhr", "frais degiro de courtage", "frais de courtage", "costes de transaccion",
			"costi di transazione", "comissoes de transacao", "custos de transacao", "aansluitingskosten", "connection fee", "connectivity fee",
			"handelsmodalitaten", "anschlussgebuhr", "frais de connexion", "costi di connessione", "custo de conectividade", "comision de conectividad",
			"corporate action kosten", "corporate action fee", "comision por accion corporativa", "adr/gdr", "zahlungsgebuhr"}},
		{degiroTax, nil, []string{"stamp duty", "transaction tax", "transactiebelasting", "impuesto de transaccion", "impuesto sobre transacciones", "transaktionssteuer",
			"imposto de selo", "taxe sur les transactions", "imposta sulle transazioni", "imposta di bollo"}},
		{degiroInterest, []string{"flatex interest income", "flatex interest", "interest", "rente", "zinsen", "interets", "intereses", "interes", "interessi", "juros"}, nil},
		{degiroCourtesy, []string{"degiro courtesy", "degiro rebate promotion", "degiro verrekening promotie", "promocion degiro", "rabatt fur aktion"}, nil},
		{degiroPayment, []string{"deposit", "ideal deposit", "sofort deposit", "flatex deposit", "storting", "ideal storting", "flatex storting", "einzahlung",
			"sofort einzahlung", "soforteinzahlung", "flatex einzahlung", "versement de fonds", "ingreso", "flatex ingreso", "deposito", "deposito flatex", "depositos",
			"withdrawal", "terugstorting", "auszahlung", "retrait de fonds", "retirada", "prelievo", "levantamento"}, nil},
	}
}

// degiroNormalize writes words as they are compared: in lower case, without accents, with
// single blanks.
func degiroNormalize(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(degiroFixMojibake(text)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// degiroFixMojibake reads "CrÃ©dito" as what it was before somebody took UTF-8 for Latin-1.
func degiroFixMojibake(text string) string {
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
