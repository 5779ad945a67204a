package main

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content/check"
	"rulestore/content/i18n"
)

// variablePrefix is the prefix of the program's variables.
const variablePrefix = "RULESTORE_"

// Variables that no flag goes by, since process lists would show what they say.
const (
	gitUsername   = variablePrefix + "GIT_USERNAME"
	gitPassword   = variablePrefix + "GIT_PASSWORD"
	webhookSecret = variablePrefix + "WEBHOOK_SECRET"
	logKey        = variablePrefix + "LOG_KEY"
)

// variable names the variable of a flag.
func variable(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// serviceLinks are the variables that Kubernetes gives to every container for a service whose
// name begins like ours, with their values.
var serviceLinks = regexp.MustCompile(
	`^RULESTORE_(\w+_)?(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT(_\d+_\w+)?=\w+://|PORT_\d+_[A-Z]+_(PROTO|PORT|ADDR)=)`,
)

// checkVariables refuses unknown variables with that prefix, and empty ones: whoever set them
// would expect an effect. Variables of other commands are known.
func checkVariables(environ []string, root *cobra.Command) (err error) {
	known := variables(root)
	for _, one := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(one, "=")
		switch {
		case !strings.HasPrefix(strings.ToUpper(name), variablePrefix):
		case known[name] && value == "":
			err = errors.Join(err, i18n.Errorf("%s is empty: give it a value, or unset it", name))
		case !known[name] && !serviceLinks.MatchString(one):
			err = errors.Join(
				err, i18n.Errorf("nothing reads the variable %s%v", name, knownVariable(strings.ToUpper(name), known)),
			)
		}
	}
	return err
}

// variables are those that any command reads.
func variables(root *cobra.Command) map[string]bool {
	known := map[string]bool{gitUsername: true, gitPassword: true, webhookSecret: true, logKey: true}
	for _, c := range root.Commands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { known[variable(f.Name)] = true })
	}
	return known
}

// leastShared is the minimum length of a common prefix for a suggestion.
const leastShared = 3

// knownVariable suggests the variable that was probably meant: the one with the fewest different letters,
// else the one with the longest common prefix.
func knownVariable(name string, known map[string]bool) i18n.Text {
	word := strings.TrimPrefix(name, variablePrefix)
	var words []string
	for k := range maps.Keys(known) {
		words = append(words, strings.TrimPrefix(k, variablePrefix))
	}
	slices.Sort(words)
	best := check.Nearest(word, words)
	if best == "" {
		best = slices.MaxFunc(words, func(a, b string) int { return sharedPrefix(word, a) - sharedPrefix(word, b) })
		if sharedPrefix(word, best) < leastShared {
			return i18n.New(": `rulestore serve --help` lists the flags, and each is a variable")
		}
	}
	return i18n.New(": did you mean %s?", variablePrefix+best)
}

// sharedPrefix counts the bytes that two words begin with alike, if one begins with a whole
// word of the other.
func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n < len(a) && n < len(b) && a[:n] != "" && !strings.HasSuffix(a[:n], "_") {
		n = strings.LastIndex(a[:n], "_") + 1
	}
	return n
}
