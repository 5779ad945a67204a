package author

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// errBroken is the error for a push that broke off, so that it is unknown whether it arrived.
var errBroken = i18n.Errorf("the push broke off")

var (
	// turnedAway matches git's messages when it has no access, before it sent anything or in place
	// of accepting it.
	turnedAway = regexp.MustCompile(`(?im)^fatal: (unable to access .* error: 40[13]$|authentication failed|could ` +
		`not read (username|password))|` +
		`^error: RPC failed; HTTP 40[13]|(denied|not allowed|not authorized|forbidden)(?s:.*)^fatal: could not read ` +
		`from remote repository`)
	// lost matches git's messages when the connection failed.
	lost = regexp.MustCompile(`(?m)^(fatal|send-pack): |RPC failed|hung up`)
	// unsent matches the last line of git after the author's pre-push hook refused.
	unsent = regexp.MustCompile(`(?m)^error: failed to push some refs to .*\z`)
)

// push sends everything atomically.
func (r *Repository) push(ctx context.Context, s Step) error {
	args := []string{"push", "--atomic", "--porcelain", "--end-of-options", s.Name}
	out, err := r.git(ctx, append(args, strings.Fields(s.Text)...)...)
	if err == nil {
		return nil
	}
	return notPushed(s.Name, out, err)
}

// notPushed returns the error of a push: who refused it, or that its result is unknown.
func notPushed(remote, out string, err error) error {
	var refused []string
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "!\t"); ok {
			refused = append(refused, strings.TrimSpace(rest))
		}
	}
	says := ""
	if e, ok := errors.AsType[*gitError](err); ok {
		says = e.says
	}
	switch {
	case len(refused) > 0 || strings.Contains(says, "does not support --atomic"):
		return i18n.Errorf("%s refuses the push:\n\t%s\n%w\nif the branch is protected, publish with --prepare in a "+
			"pull request and with --tag after its merge; if somebody else was faster, `git pull --rebase` and "+
			"publish again",
			remote, strings.Join(refused, "\n\t"), err)
	case turnedAway.MatchString(says):
		return i18n.Errorf(
			"%s refuses the push:\n\t%w\nit does not know who you are, or you may read there and not write: mend "+
				"your credentials, or ask for leave",
			remote, err,
		)
	case git.AnsweredNo(err) && unsent.MatchString(says) && !lost.MatchString(says):
		hook := strings.TrimSpace(unsent.ReplaceAllString(says, ""))
		if hook == "" {
			return i18n.Errorf(
				"the push was stopped before anything was sent, by the pre-push hook, which does not say why",
			)
		}
		return i18n.Errorf(
			"the push was stopped before anything was sent, by the pre-push hook:\n\t%s",
			strings.ReplaceAll(hook, "\n", "\n\t"),
		)
	}
	return i18n.Because(i18n.New(
		"the push did not end well: %v\nit may have arrived or not: what was made here is kept, and the same command "+
			"again goes on",
		err,
	), errors.Join(errBroken, err))
}
