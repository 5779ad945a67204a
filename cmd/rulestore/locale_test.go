package main

import (
	"testing"

	"golang.org/x/text/language"
)

func TestLocale(t *testing.T) {
	const ru, en = "ru_RU.UTF-8", "en_US.UTF-8"
	for _, test := range []struct {
		name string
		env  map[string]string
		want language.Tag
	}{
		{"nothing", nil, language.English},
		{"russian", map[string]string{"LANG": ru}, language.Russian},
		{"short", map[string]string{"LANG": "ru"}, language.Russian},
		{"modifier", map[string]string{"LANG": "ru@euro"}, language.Russian},
		{"other country", map[string]string{"LANG": "ru_UA.KOI8-U"}, language.Russian},
		{"capitals", map[string]string{"LANG": "RU_ru"}, language.Russian},
		{"begins alike", map[string]string{"LANG": "rue_UA.UTF-8"}, language.English},
		{"english", map[string]string{"LANG": en}, language.English},
		{"another language", map[string]string{"LANG": "de_DE.UTF-8"}, language.English},
		{"messages before lang", map[string]string{"LANG": en, "LC_MESSAGES": ru}, language.Russian},
		{"all before messages", map[string]string{"LC_ALL": en, "LC_MESSAGES": ru, "LANG": ru}, language.English},
		{"empty is not set", map[string]string{"LC_ALL": "", "LC_MESSAGES": "", "LANG": ru}, language.Russian},
		{"other categories", map[string]string{"LC_TIME": ru, "LC_CTYPE": ru, "LANG": en}, language.English},
		{"list", map[string]string{"LANG": en, "LANGUAGE": "ru:en"}, language.Russian},
		{"list before all", map[string]string{"LC_ALL": ru, "LANGUAGE": "en:ru"}, language.English},
		{"list skips what there is not", map[string]string{"LANG": en, "LANGUAGE": "de:ru:en"}, language.Russian},
		{"list of others", map[string]string{"LANG": ru, "LANGUAGE": "de:fr"}, language.Russian},
		{"list with holes", map[string]string{"LANG": en, "LANGUAGE": "::ru_RU"}, language.Russian},
		{"list without locale", map[string]string{"LANGUAGE": "ru"}, language.English},
		{"list with C", map[string]string{"LANG": "C", "LANGUAGE": "ru"}, language.English},
		{"list with POSIX", map[string]string{"LC_ALL": "POSIX", "LANG": ru, "LANGUAGE": "ru"}, language.English},
		{"list with C.UTF-8", map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "ru"}, language.English},
		{"all is C", map[string]string{"LC_ALL": "C", "LANG": ru}, language.English},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := locale(func(name string) string { return test.env[name] }); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}
