package git

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"rulestore/content/i18n"
)

// WorkTree is a work tree that git is asked about.
type WorkTree struct {
	GitDir, Root string
	// Filters is for the commands of authors: git runs the filters that it is configured with, as
	// `git add` would. A repository that somebody else owns has none that git trusts, and a server
	// runs none: whoever wrote the folder that it serves would be running programs there.
	Filters bool
	Environ Environ
}

// Ask runs git in the root of the work tree with input and additional variables, and returns what
// it writes. It is for commands that only read.
func (w WorkTree) Ask(input string, env []string, args ...string) (string, error) {
	c := Command{Dir: w.Root, Args: args, Env: env, Stdin: strings.NewReader(input)}
	if w.Filters {
		out, err := w.run(c)
		if err == nil || !strings.Contains(err.Error(), "dubious ownership") {
			return out, err
		}
		c.Stdin = strings.NewReader(input)
	}
	options, err := w.withoutFilters()
	if err != nil {
		return "", err
	}
	c.GitDir, c.Args = w.GitDir, append(options, args...)
	return w.run(c)
}

// filterSetting matches the settings of filters that an option can replace.
var filterSetting = regexp.MustCompile(`^filter\.[\w+.-]+\.\w+$`)

// withoutFilters returns the options with which git runs no filter, wherever it is configured.
func (w WorkTree) withoutFilters() ([]string, error) {
	options := []string{"--work-tree", w.Root}
	out, err := w.run(Command{
		Dir: w.Root, GitDir: w.GitDir, Args: []string{"config", "--null", "--name-only", "--get-regexp", `^filter\.`},
	})
	if err != nil && !AnsweredNo(err) { // nothing is configured
		return nil, err
	}
	for _, key := range strings.FieldsFunc(out, func(c rune) bool { return c == 0 }) {
		value := "="
		if strings.HasSuffix(key, ".required") {
			value = "=false"
		}
		if !filterSetting.MatchString(key) {
			return nil, i18n.Errorf("git has the setting %q, which cannot be switched off: rename the filter", key)
		}
		options = append(options, "-c", key+value)
	}
	return options, nil
}

// run runs git; a received folder may have a pipe in place of a file, so it has its time.
func (w WorkTree) run(c Command) (string, error) {
	out, err := w.Environ.Run(context.Background(), c)
	if e, failed := errors.AsType[*Error](err); failed {
		err = i18n.Errorf("git in %s: %s: %w", w.Root, e.Says, e.Err)
	}
	return out, err
}
