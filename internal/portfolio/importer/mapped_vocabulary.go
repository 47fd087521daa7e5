package importer

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// mappingColumnWords are names of columns in English, German, French, Spanish, Dutch and
// Italian, for each field those first that mean it most surely.
func mappingColumnWords(c *MappingColumns) []struct {
	field *string
	words string
} {
	return []struct {
		field *string
		words string
	}{
		{&c.Date, "date|trade date|transaction date|datum|handelsdatum|handelstag|buchungstag|buchungsdatum|transaktionsdatum|date d'opération|date de transaction|date opération|fecha|fecha de operación|fecha operación|transactiedatum|data|data operazione|data transazione|datetime|timestamp|date/time|datum/uhrzeit"},
		{&c.Time, "time|trade time|uhrzeit|zeit|heure|hora|tijd|ora"},
		{&c.Kind, "type|action|transaction type|transaction|activity|kind|typ|art|vorgang|transaktion|transaktionstyp|buchungsart|geschäftsart|opération|type d'opération|type de transaction|sens|tipo|tipo de operación|operación|tipo operazione|operazione|soort|transactie|transactietype|buy/sell|side|kauf/verkauf"},
		{&c.ISIN, "isin|isin code|code isin|isin-code|codice isin|código isin"},
		{&c.Symbol, "symbol|ticker|ticker symbol|tickersymbol|symbole|símbolo|simbolo|symbool|stock symbol|instrument code"},
		{&c.Name, "name|security|security name|description|instrument|product|bezeichnung|wertpapier|wertpapiername|titel|libellé|valeur|nom|nombre|valor|producto|descripción|naam|omschrijving|titolo|descrizione|prodotto|nome"},
		{&c.Quantity, "quantity|shares|units|qty|no. of shares|number of shares|anzahl|stück|stücke|menge|anteile|quantité|nombre de titres|cantidad|títulos|acciones|aantal|quantità|numero titoli"},
		{&c.Price, "price|unit price|price per share|share price|price / share|kurs|preis|stückpreis|ausführungskurs|cours|prix|prix unitaire|precio|precio unitario|koers|prijs|prezzo|prezzo unitario"},
		{&c.Amount, "amount|total|total amount|net amount|gross amount|value|betrag|gesamtbetrag|wert|summe|kurswert|montant|montant net|montant total|importe|importe total|importe neto|bedrag|totaal|importo|controvalore|totale"},
		{&c.Currency, "currency|währung|buchungswährung|devise|monnaie|moneda|divisa|valuta|munt"},
		{&c.FeeCurrency, "fee currency|commission currency|gebührenwährung|währung gebühr|devise frais|divisa comisión|valuta kosten|valuta commissione"},
		{&c.Fee, "fee|fees|commission|commissions|gebühr|gebühren|provision|entgelt|spesen|frais|courtage|frais de courtage|comisión|comisiones|gastos|kosten|transactiekosten|commissioni|commissione|spese"},
		{&c.Tax, "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|impôts|taxe|taxes retenues|impuesto|impuestos|retención|belasting|bronbelasting|dividendbelasting|tassa|tasse|imposta|imposte|ritenuta"},
		{&c.Note, "note|notes|comment|memo|notiz|kommentar|bemerkung|verwendungszweck|remarque|commentaire|nota|notas|comentario|opmerking|note personali|commento"},
		{&c.ID, "id|transaction id|order id|trade id|reference|order number|transaktions-id|auftragsnummer|ordernummer|referenz|référence|numéro d'ordre|referencia|número de orden|referentie|riferimento|numero ordine"},
		{&c.Account, "account|account number|account name|konto|kontonummer|depot|compte|numéro de compte|cuenta|rekening|rekeningnummer|conto"},
	}
}

// mappingKindWords are what brokers call what happened.
func mappingKindWords() map[string]string {
	kinds := map[string]string{}
	for _, meaning := range [][2]string{
		{string(portfolio.KindBuy), "buy|bought|purchase|b|kauf|achat|compra|comprar|koop|aankoop|acquisto|market buy|limit buy|wertpapierkauf"},
		{string(portfolio.KindSell), "sell|sold|sale|s|verkauf|vente|venta|vender|verkoop|vendita|market sell|limit sell|wertpapierverkauf"},
		{string(portfolio.KindDividend), "dividend|dividends|cash dividend|dividende|dividendes|dividendo|dividendos|dividendi|distribution|ausschüttung"},
		{string(portfolio.KindReinvest), "dividend reinvestment|reinvested dividend|reinvest|drip"},
		{string(portfolio.KindInterest), "interest|credit interest|zinsen|habenzinsen|intérêts|intereses|rente|interessi"},
		{string(portfolio.KindInterestDue), "debit interest|margin interest|sollzinsen|debetrente"},
		{string(portfolio.KindFee), "fee|fees|custody fee|gebühr|gebühren|depotgebühr|frais|droits de garde|comisión|gastos|kosten|commissione|commissioni|spese"},
		{string(portfolio.KindTax), "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|taxe|impuesto|retención|belasting|dividendbelasting|imposta|ritenuta"},
		{string(portfolio.KindFeeRefund), "fee refund|fee rebate|fee reversal|gebührenerstattung|remboursement de frais|devolución de comisión|rimborso commissioni"},
		{string(portfolio.KindTaxRefund), "tax refund|steuererstattung|steuerrückerstattung|remboursement d'impôt|devolución de impuestos|belastingteruggave|rimborso imposte"},
		{string(portfolio.KindDeposit), "deposit|cash deposit|einzahlung|versement|dépôt|depósito|ingreso|storting|deposito|versamento"},
		{string(portfolio.KindWithdrawal), "withdrawal|withdraw|cash withdrawal|auszahlung|retrait|retirada|reintegro|opname|prelievo"},
		{string(portfolio.KindTransferIn), "transfer in|einbuchung|einlieferung|entrée de titres|traspaso entrada"},
		{string(portfolio.KindTransferOut), "transfer out|ausbuchung|auslieferung|sortie de titres|traspaso salida"},
		{string(portfolio.KindReturnOfCapital), "return of capital|kapitalrückzahlung|remboursement de capital"},
	} {
		for word := range strings.SplitSeq(meaning[1], "|") {
			kinds[word] = meaning[0]
		}
	}
	return kinds
}
