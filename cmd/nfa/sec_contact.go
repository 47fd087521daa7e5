package main

// contactAskedMarker marks a home in which nfa has asked for the contact address.
const contactAskedMarker = "sec-contact-asked"

// contactNotice asks for the address that the SEC wants, once in the life of a
// home: a program that asks at every start is not asking any more. Doctor and the
// tools that need it go on saying so. It is never made up.
func (p *program) contactNotice() string {
	if p.sampleOnly() || p.cfg.Data.SECContact != "" {
		return ""
	}
	if !p.firstTime(contactAskedMarker) {
		return ""
	}
	return "The SEC wants an e-mail address with each request for filings and statements; to give it yours: nfa config set sec.contact you@example.com."
}
