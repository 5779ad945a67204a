//go:build slow

package server_test

import (
	"testing"

	"rulestore/server/site"
)

// The parameters are those that the server takes, with the same values and
// limits: it names them itself when it refuses others.
func TestOpenAPIParameters(t *testing.T) {
	starter, own := surfacesOf(t)
	for _, s := range []struct {
		site  *site.Site
		paths map[string][]string
	}{{starterSite(), starter}, {openAPISite(), own}} {
		c := checking(t, s.site)
		for _, all := range s.paths {
			c.unknownParameter(all[0])
			for _, p := range must(c.d.find(all[0])).query() {
				if p.Required {
					c.required(all[0], p)
				}
				c.parameter(all[0], p)
			}
		}
	}
}
