package reference

import "slices"

// Suffix is what symbols of an exchange end in: ".L" for XLON, nothing for the
// exchanges of the United States. It is false for an exchange that is not known.
func Suffix(mic string) (string, bool) {
	v, ok := venueOf(mic)
	return v.suffix, ok
}

// ExchangeName is what people call an exchange: "Xetra" for XETR.
func ExchangeName(mic string) (string, bool) {
	v, ok := venueOf(mic)
	return v.name, ok
}

func venueOf(mic string) (listingVenue, bool) {
	all := listingVenues()
	i := slices.IndexFunc(all, func(v listingVenue) bool { return v.mic == mic })
	if i < 0 {
		return listingVenue{}, false
	}
	return all[i], true
}
