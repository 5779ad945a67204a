package loader

import (
	"errors"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
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

// whyDamaged returns the damaged object and its damage.
func whyDamaged(err error) content.RuleText {
	e, ok := errors.AsType[*git.ReadError](err)
	why, known := git.WhyDamaged(err)
	if !ok || !known || e.Kind == "" {
		return say("damaged", "other", args{"problem": err})
	}
	problem := say("damaged", "missing", nil)
	if why != "" {
		problem = say("damaged", "unsound", args{"why": why})
	}
	return say("damaged", "object", args{"kind": content.Word("git " + e.Kind), "object": e.Object, "problem": problem})
}

// malformedSeal returns the reason why a line is not a seal.
func malformedSeal(err error) content.RuleText {
	s := say("seal", "other", args{"problem": err})
	if e, ok := errors.AsType[*content.SealError](err); ok {
		s = e.Text
	}
	return s.Advise(say("seal", "restore", nil))
}
