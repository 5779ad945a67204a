package main

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"
)

// locale returns the language in which people are answered: Russian if the environment
// asks for it, else English. env returns a variable, "" if it is not set.
func locale(env func(string) string) language.Tag {
	if tag, ok := preferredLanguage(env); ok {
		return tag
	}
	return language.English
}

// preferredLanguage returns the first language of this program that the environment names, in the order of
// gettext; not ok if there is none. The list LANGUAGE counts only if another variable names a
// language. See
// https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html
func preferredLanguage(env func(string) string) (tag language.Tag, ok bool) {
	name := cmp.Or(env("LC_ALL"), env("LC_MESSAGES"), env("LANG"))
	if languageOf(name) == "" {
		return tag, false
	}
	for _, name := range append(strings.Split(env("LANGUAGE"), ":"), name) {
		switch languageOf(name) {
		case "ru":
			return language.Russian, true
		case "en":
			return language.English, true
		}
	}
	return language.English, true
}

// languageOf returns the language of a locale such as ru_RU.UTF-8 in lower case, "" for C and
// POSIX, whatever their encoding.
func languageOf(name string) string {
	end := strings.IndexAny(name, "_.@-")
	if end < 0 {
		end = len(name)
	}
	code := strings.ToLower(name[:end])
	if code == "c" || code == "posix" {
		return ""
	}
	return code
}
