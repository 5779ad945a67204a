package signers

import (
	_ "embed"

	"rulestore/content/i18n"
)

//go:embed russian.yaml
var russian []byte

// Russian is the Russian catalogue of this package.
func Russian() i18n.Catalogue { return i18n.Read(russian) }
