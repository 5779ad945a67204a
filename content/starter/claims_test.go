package starter_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// quoting are the fields that say what must not be said: they quote it.
var quoting = words(`
	prohibited prohibited_actions prohibited_ai_actions prohibited_attribution prohibited_claims prohibited_phrases
	prohibited_phrasing prohibited_statements prohibited_wordings guardrails`)

// claims are statements that an assistant would repeat to a person. Each is
// looked for everywhere, in lower case; where it is quoted as prohibited it must
// be found, or the expression would look for nothing.
var claims = []struct {
	name   string
	stems  []string // one of them is in every such statement
	text   *regexp.Regexp
	unless *regexp.Regexp // what the text says when it is no such statement
}{{
	name:  "a promise of victory",
	stems: words("выигра побед"),
	text: regexp.MustCompile(`(точно|обязательно|непременно|наверняка) (выигра|победит)|обеща(ть|ем) ` +
		`победу|гарант\S+ побед`),
}, {
	name:  "a promise of a refund",
	stems: words("верн возврат"),
	text: regexp.MustCompile(`(деньги|сумму|средства) (вам )?(гарантированно |точно |обязательно ` +
		`)?верн(ут|ём|ётся)|гарантир\S* возврат|обеща(ть|ем) возврат`),
	unless: regexp.MustCompile(`не обещать возврат`),
}, {
	name:  "a statement of guilt",
	stems: words("доказан винов нарушил"),
	text: regexp.MustCompile(`(нарушение|преступление|вина) (или преступление ` +
		`)?доказан[оа]?([^а-яё]|$)|(организация|банк|страховщик|человек)( или организация)? (виновн|виновен|нарушил)`),
}, {
	name:  "a verdict on a contract",
	stems: words("незакон недействит ничтож"),
	text:  regexp.MustCompile(`(договор|условие) (незакон(ен|но)|недействител(ен|ьно)|ничтож(ен|но))([^а-яё]|$)`),
	// The law says so of a part of a contract, and of no contract in particular.
	unless: regexp.MustCompile(`договор ничтожен в этой части`),
}, {
	name:  "a request for card data",
	stems: words("просить назовите сообщите пришлите введите укажите"),
	text:  regexp.MustCompile(`(^|[^а-яё])(спросить|попросить|просить|запросить|назовите|сообщите|пришлите|введите|укажите)[^.;:]{0,70}(cvv|пин-код|парол|номер карты|данные карты|код[аы]? из |код[аы]? подтверждения|паспорт)`),
	// What may be asked is whether, never what; some is asked not to be shown.
	unless: regexp.MustCompile(`не (просить|спрашивать|запрашивать)|никогда не|попросить закрыть`),
}, {
	name:  "the central bank as the user's bank",
	stems: []string{"банк россии"},
	text: regexp.MustCompile(`банк россии (может |обязан |сразу |немедленно ` +
		`)*(вернёт|вернуть|возвратит|взыщет|возместит|заблокирует|отзовёт|спишет)|банк россии (ваш|банком|банк ` +
		`пользователя)`),
	// A user may ask for it, and is told why not.
	unless: regexp.MustCompile(`прос(ит|ят) банк россии`),
}, {
	name:  "a promise of income or approval",
	stems: words("гарантирован обеспечен обещать"),
	text: regexp.MustCompile(`(доход|прибыль|одобрение) (гарантирован[ао]?|обеспечен[ао]?)([^а-яё]|$)|обещать ` +
		`(одобрение|доход|доходность)`),
}}

func TestForbiddenClaimsStayOut(t *testing.T) {
	quoted := map[string]int{}
	for _, e := range everything(t) {
		for _, p := range passages(t, e) {
			text := strings.ToLower(p.text)
			for _, c := range claims {
				switch {
				case !hasOne(text, c.stems) || !c.text.MatchString(text):
				case p.in(quoting...):
					quoted[c.name]++
				case c.unless != nil && c.unless.MatchString(text):
				default:
					t.Errorf("%s %s is %s: %s", e.Tag(), p.where(), c.name, p.text)
				}
			}
		}
	}
	for _, c := range claims {
		if quoted[c.name] == 0 {
			t.Errorf("nothing quotes %s as prohibited", c.name)
		}
	}
}

// The values of the parameters are read from the parameters. No term in days
// and no sum in roubles stands anywhere else, so that no value can grow old in
// a text.
func TestParameterValuesStayInParameters(t *testing.T) {
	values := []struct {
		stems []string
		text  *regexp.Regexp
	}{
		{words("рабоч календарн"), regexp.MustCompile(`(\d+|пятнадцат\S+|десят\S+|тридцат\S+|ст[ао] восьмидесят\S+) ` +
			`(рабоч|календарн)\S+ д`)},
		{words("год лет"), regexp.MustCompile(`([^\d]|^)(3|тр(и|[её]х)) (года|лет)([^а-яё]|$)|тр[её]хлетн`)},
		{words("500 миллион ₽ руб"), regexp.MustCompile(`500[\s\x{a0}]?000|500 тыс|полмиллиона|\d\s?(₽|руб)`)},
	}
	for _, e := range everything(t) {
		if e.Kind == content.Parameters {
			continue
		}
		for _, p := range passages(t, e) {
			text := strings.ToLower(p.text)
			for _, v := range values {
				if !hasOne(text, v.stems) {
					continue
				}
				if found := v.text.FindString(text); found != "" {
					t.Errorf("%s %s names a value: %s", e.Tag(), p.where(), strings.TrimSpace(found))
				}
			}
		}
	}
}

// hasOne says whether a text has one of the stems. It is asked before an
// expression is matched: that takes much longer.
func hasOne(text string, stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(text, stem) })
}

// What the assistant may ask never needs a secret to be answered.
func TestInputsAskForNoSecrets(t *testing.T) {
	secrets := []string{"cvv", "пин-код", "парол", "номер карты", "паспорт", "код из смс", "снилс"}
	for _, e := range everything(t, content.Guidelines) {
		for _, in := range decode[guideline](t, e).RequiredInputs {
			if hasOne(strings.ToLower(in.Title), secrets) {
				t.Errorf("%s: the input %s asks for a secret: %s", e.Tag(), in.InputID, in.Title)
			}
		}
	}
}
