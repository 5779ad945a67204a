package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/text/language"

	"rulestore/cmd/rulestore/internal/lsp"
	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/loader/git"
	"rulestore/loader/signers"
	"rulestore/loader/worktree"
)

//go:embed texts
var texts embed.FS

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

// catalogues are the Russian of all packages whose texts people read. The help is in texts/help.
func catalogues() []i18n.Catalogue {
	all := []i18n.Catalogue{
		change.Russian(), loader.Russian(), author.Russian(), git.Russian(), signers.Russian(), worktree.Russian(),
		lsp.Russian(),
	}
	for _, name := range []string{"all", "authors"} {
		file, err := texts.ReadFile("texts/" + name + ".yaml")
		if err != nil {
			panic(err) // they are embedded
		}
		all = append(all, i18n.Read(file))
	}
	return all
}

// newPrinter answers in the language of the locale.
func newPrinter(getenv func(string) string) *i18n.Printer {
	if locale(getenv) != language.Russian {
		return nil
	}
	p := i18n.Russian(catalogues()...)
	p.Foreign = translateError
	return p
}

// translateError translates frequent errors of libraries.
func translateError(v any) (i18n.Text, bool) {
	switch e := v.(type) {
	case content.Finding:
		return i18n.New("%s", check.Told(e, language.Russian).String()), true
	case *content.TagError:
		return tagErrorText(e), true
	case *content.SealError:
		return findingText(e.Text), true
	case *fs.PathError:
		return i18n.New("%s: %v", content.Printable(e.Path), e.Err), true
	case *os.LinkError:
		return i18n.New("%s, %s: %v", content.Printable(e.Old), content.Printable(e.New), e.Err), true
	case *os.SyscallError:
		return i18n.New("%v", e.Err), true
	case error:
		if t, ok := flagErrorText(e); ok {
			return t, true
		}
		return knownErrorText(e)
	}
	return i18n.Text{}, false
}

func tagErrorText(e *content.TagError) i18n.Text {
	if e.Form == "" {
		return findingText(e.Text)
	}
	return i18n.New("%s: write %s", findingText(e.Text), e.Form)
}

// findingText is the problem of a tag or a seal in the words of the finding.
func findingText(s content.RuleText) i18n.Text {
	message, _ := check.Text(check.Find(s), language.Russian)
	return i18n.New("%s", message)
}

// flagErrorText is the error for a flag.
func flagErrorText(err error) (i18n.Text, bool) {
	switch e := err.(type) {
	case *pflag.ValueRequiredError:
		return i18n.New("the flag --%s needs a value", e.GetFlag().Name), true
	case *pflag.InvalidValueError:
		return i18n.New(
			"%q is no value of --%s: expected %s", e.GetValue(), e.GetFlag().Name, expectedValue(e.GetFlag()),
		), true
	case *pflag.InvalidSyntaxError:
		return i18n.New(
			"%s is written wrong: flags are given as --name value, or as --name=value", e.GetSpecifiedFlag(),
		), true
	}
	return i18n.Text{}, false
}

// expectedValue describes the value of a flag.
func expectedValue(f *pflag.Flag) i18n.Text {
	if c, ok := f.Value.(choice); ok {
		return i18n.New("one of %s", strings.Join(c.known, ", "))
	}
	switch f.Value.Type() {
	case "bool":
		return i18n.New("true or false")
	case "int":
		return i18n.New("a whole number")
	case "duration":
		return i18n.New("a span of time, for example 30s or 5m")
	}
	return i18n.New("a text")
}

// knownErrorText translates an error without parameters.
func knownErrorText(err error) (i18n.Text, bool) {
	for _, known := range []struct {
		err  error
		text i18n.Text
	}{
		{syscall.ENOSPC, i18n.New("the disk is full")},
		{syscall.EROFS, i18n.New("the disk cannot be written to")},
		{syscall.EISDIR, i18n.New("it is a folder, not a file")},
		{syscall.ENOTDIR, i18n.New("it is a file, not a folder")},
		{syscall.EMFILE, i18n.New("too many files are open")},
		{syscall.ENOTEMPTY, i18n.New("the folder is not empty")},
		{fs.ErrNotExist, i18n.New("there is no such file or folder")},
		{fs.ErrExist, i18n.New("it is there already")},
		{fs.ErrPermission, i18n.New("it is not allowed")},
		{context.DeadlineExceeded, i18n.New("it took too long")},
		{context.Canceled, i18n.New("it was stopped")},
		{os.ErrDeadlineExceeded, i18n.New("it took too long")},
		{io.ErrUnexpectedEOF, i18n.New("it ended too early")},
	} {
		if isUnwrapped(err, known.err) {
			return known.text, true
		}
	}
	return i18n.Text{}, false
}

// isUnwrapped reports whether an error is another, and not one around it.
func isUnwrapped(err, other error) bool {
	return errors.Is(err, other) && errors.Unwrap(err) == nil
}
