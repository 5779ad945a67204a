package loader

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/signers"
)

// args are the arguments of a message.
type args = content.Args

// say makes a message of a rule, see [content.Say].
func say(rule, key string, named args) content.RuleText { return content.Say(rule, key, named) }

// finding makes a finding about a file, with the severity of its rule.
func finding(path string, s content.RuleText) content.Finding {
	f := check.Find(s)
	f.Path = path
	return f
}

// about returns a finding as one about a tag.
func about(tag string, f content.Finding) content.Finding {
	f.Tag = tag
	return f
}

// warning makes a warning about a file.
func warning(path string, s content.RuleText) content.Finding {
	f := finding(path, s)
	f.Severity = content.Warning
	return f
}

// errLightweight is the error for a tag without a tag object.
var errLightweight = i18n.Errorf("it is lightweight, which nobody can sign")

// errOtherName is the error for a tag that was signed under another name.
var errOtherName = i18n.Errorf("it was signed under another name")

// unsignedReasons are the reasons why a signature does not count.
var unsignedReasons = map[error]content.RuleText{
	errLightweight:      say("unsigned", "lightweight", nil),
	signers.ErrUnsigned: say("unsigned", "none", nil),
	signers.ErrFormat:   say("unsigned", "form", nil),
	signers.ErrUnknown:  say("unsigned", "unknown", nil),
	signers.ErrTime:     say("unsigned", "time", nil),
	signers.ErrInvalid:  say("unsigned", "wrong", nil),
	signers.ErrLayout:   say("unsigned", "layout", nil),
	git.ErrTooLarge:     say("unsigned", "large", nil),
}

// whyUnsigned returns the reason why a signature does not count, with details of the error.
func whyUnsigned(v verdict) content.RuleText {
	err := v.err
	if err == errOtherName {
		return say("unsigned", "name", args{"tag": v.tag})
	}
	for reason, s := range unsignedReasons {
		detail, isDetailed := strings.CutPrefix(err.Error(), reason.Error()+": ")
		switch {
		case !errors.Is(err, reason):
		case isDetailed:
			return say("unsigned", "detail", args{"why": s, "detail": detail})
		case err.Error() == reason.Error():
			return s
		}
	}
	return say("unsigned", "other", args{"problem": err})
}

// malformedSeal returns the reason why a line is not a seal.
func malformedSeal(err error) content.RuleText {
	s := say("seal", "other", args{"problem": err})
	if e, ok := errors.AsType[*content.SealError](err); ok {
		s = e.Text
	}
	return s.Advise(say("seal", "restore", nil))
}

// advise adds the remedy for a repository with so much damage that nothing can be served.
func advise(err error) error {
	if !git.IsDamaged(err) {
		return err
	}
	return i18n.Errorf("%w; fetch the repository again, or restore the object from another copy", err)
}

// reportCrash reports an error that is a panic to [Config].Crashed.
func (c Config) reportCrash(err error) {
	if _, ok := errors.AsType[*crash.Error](err); ok && c.Crashed != nil {
		c.Crashed(err)
	}
}

// crashFinding reports a panic and returns the finding about it.
func (c Config) crashFinding(path string, doing content.Word, err error) content.Finding {
	c.reportCrash(err)
	return CrashFinding(path, doing, err)
}

// CrashFinding is the finding about a panic, in a file if it concerns one. doing is a word defined
// for findings. The text of the panic, which may contain input, is a detail.
func CrashFinding(path string, doing content.Word, err error) content.Finding {
	f := finding(path, say("crash", "crashed", args{"doing": doing}))
	f.Detail = strings.TrimPrefix(err.Error(), "crashed: ")
	return f
}

// unreadable reports whether findings mean that the content of a file is unknown.
func unreadable(found []content.Finding) bool {
	return slices.ContainsFunc(found, func(f content.Finding) bool { return f.Rule == "damaged" || f.Rule == "crash" })
}

// checkItem is check.Item, and recovers from a panic.
func (c Config) checkItem(t content.Tag, raw []byte) (result check.Checked) {
	if err := crash.Do(func() { result = c.check(t, raw) }); err != nil {
		return check.Checked{
			Findings: []content.Finding{c.crashFinding(t.Kind.File(t.Name), "checking the file", err)},
		}
	}
	return result
}

// damage identifies the damaged objects that publications need: the snapshot depends on them.
func damage(r content.Report) string {
	var names strings.Builder
	for _, f := range r.Findings {
		if f.Rule == "damaged" {
			fmt.Fprintf(&names, " %q %q", f.Tag, f.Path)
		}
	}
	return names.String()
}
