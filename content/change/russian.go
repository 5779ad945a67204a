package change

import (
	_ "embed"

	"rulestore/content/i18n"
)

// Reason is the reason for the class of a change, in English.
type Reason string

// Localize implements [i18n.Localizable].
func (r Reason) Localize() i18n.Text { return i18n.New(string(r)) }

// Localize implements [i18n.Localizable].
func (c Class) Localize() i18n.Text { return classNames[c] }

// Localize implements [i18n.Localizable].
func (v Verb) Localize() i18n.Text { return i18n.New(string(v)) }

// Localize implements [i18n.Localizable].
func (d Doubt) Localize() i18n.Text { return i18n.New(string(d)) }

// Localize implements [i18n.Localizable].
func (l Look) Localize() i18n.Text {
	if len(l.Lost)+len(l.Came) == 0 {
		return l.Doubt.Localize()
	}
	return i18n.New("%s: %s", l.Doubt, l.Words())
}

//go:embed russian.yaml
var russian []byte

// Russian is the Russian catalogue of this package.
func Russian() i18n.Catalogue { return i18n.Read(russian) }
