package main

import (
	"rulestore/cmd/rulestore/internal/offer"
	"rulestore/cmd/rulestore/internal/publisher"
	"rulestore/content/i18n"
	"rulestore/server"
)

// openOffers offers a bundle of each repository, by the names that the server wants. The caller
// calls closing, also after an error.
func openOffers(e *env, p *publisher.Publisher) (all map[string]server.Bundles, closing func(), err error) {
	all = map[string]server.Bundles{}
	var opened []*offer.Offer
	closing = func() {
		for _, o := range opened {
			_ = o.Close() // temporary files
		}
	}
	name := "" // of the first
	for _, part := range p.Parts() {
		bundles, err := offer.New(e.environ, part.Offered)
		if err != nil {
			return nil, closing, err
		}
		if len(opened) > 0 {
			name = part.Source()
		}
		all[name], opened = bundles, append(opened, bundles)
	}
	return all, closing, nil
}

// checkOffered refuses to offer bundles of a repository of which none can be made, as far as it
// was read.
func checkOffered(p *publisher.Publisher) error {
	for _, part := range p.Parts() {
		if o := part.Offered(); o != nil && o.Dir == "" {
			return i18n.Errorf("--offer-bundle gives a whole repository away, and %s is a folder of one", part.Name())
		}
	}
	return nil
}
