package site

import (
	"rulestore/content"
	"rulestore/server/api"
)

// Report takes what is wrong with a parameter of a request: its name, a code, and a sentence and a
// remedy in Russian.
type Report func(parameter, code, detail, hint string)

// What a request may name that does not exist, in Russian.
const (
	NoSection = "Такого раздела нет."
	NoSignal  = "Такого признака нет."
	NoValue   = "Такого значения нет."
)

// PartOf returns the part that sections or a view select. past names the parameters, if any, by
// which an earlier state is requested.
func PartOf(sections []string, view, past string, wrong Report) Part {
	p := Part{Sections: sections, Brief: view == "brief", Referrers: view == ReferrersView}
	if view != "" && sections != nil {
		wrong(api.View.Name, "inconsistent", "Указаны и разделы, и вид.", "Оставьте что-то одно.")
	}
	if p.Referrers && past != "" {
		wrong(api.View.Name, "inconsistent", "Кто ссылается, известно только на сейчас.", "Уберите "+past+".")
	}
	return p
}

// CheckInForce reports a day in force for a kind without values in force.
func CheckInForce(k *content.Kind, day string, wrong Report) {
	if day != "" && !api.HasPeriods(k) {
		wrong(
			InForceParameter, "not_dated", "У элементов этого вида нет дат действия.",
			"Что было опубликовано на день, говорит as_of.",
		)
	}
}

// CheckFrom reports a version to compare with that is given directly and by a day.
func (c Comparison) CheckFrom(given bool, wrong Report) {
	if given && c.AsOf+c.InForce != "" {
		wrong("from", "inconsistent", "Указаны и версия, и день.", "Уберите from либо as_of и in_force.")
	}
}
