package signers

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

const (
	someone = "A U Thor <author@example.org> 1767225600 +0300"
	armored = beginSSH + "\nU1NIU0lHAAAAAQ==\n" + endSSH + "\n"
	oid     = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
)

// header is a signature as a commit holds it.
func inHeader(signature string) string {
	return "gpgsig " + strings.ReplaceAll(strings.TrimSuffix(signature, "\n"), "\n", "\n ") + "\n"
}

const (
	plainCommit = "tree " + oid + "\nparent " + oid + "\nparent " + oid + "\nauthor " + someone +
		"\ncommitter " + someone + "\n"
	message  = "\nSubject\n\nBody\n"
	plainTag = "object " + oid + "\ntype commit\ntag v1.0.0\ntagger " + someone + "\n\nSubject\n\nBody\n"
)

// What git writes is read, and nothing else is signed.
func TestLayoutOfCommits(t *testing.T) {
	sig := inHeader(armored)
	nested := "mergetag object " + oid + "\n type commit\n tag x\n tagger " + someone + "\n \n Merged\n " +
		strings.ReplaceAll(strings.TrimSpace(armored), "\n", "\n ") + "\n"
	for name, c := range map[string]struct {
		raw string
		ok  bool
	}{
		"plain":                   {plainCommit + sig + message, true},
		"without a message":       {plainCommit + sig + "\n", true},
		"without a last line end": {plainCommit + sig + "\nSubject", true},
		"a root": {"tree " + oid + "\nauthor " + someone + "\ncommitter " + someone +
			"\n" + sig + message, true},
		"an encoding":                    {plainCommit + "encoding ISO-8859-1\n" + sig + message, true},
		"merged tags":                    {plainCommit + nested + nested + sig + message, true},
		"an encoding and a merged tag":   {plainCommit + "encoding KOI8-R\n" + nested + sig + message, true},
		"a header of another program":    {plainCommit + "change-id xyz\n" + sig + message, true},
		"as GitHub leaves it":            {plainCommit + sig + " \n" + message, true},
		"no name":                        {strings.ReplaceAll(plainCommit, "A U Thor", "") + sig + message, true},
		"an encoding after a merged tag": {plainCommit + nested + "encoding KOI8-R\n" + sig + message, false},
		"two encodings":                  {plainCommit + "encoding KOI8-R\nencoding UTF-8\n" + sig + message, false},
		"a header twice":                 {plainCommit + "change-id x\nchange-id y\n" + sig + message, false},
		"the signature first":            {sig + plainCommit + message, false},
		"the signature after the tree":   {strings.Replace(plainCommit, "\n", "\n"+sig, 1) + message, false},
		"the signature above committer": {strings.Replace(plainCommit, "committer", sig+"committer", 1) + message,
			false},
		"something behind it":        {plainCommit + sig + "change-id x\n" + message, false},
		"the signature twice":        {plainCommit + sig + sig + message, false},
		"the signature in two parts": {plainCommit + strings.Replace(sig, "\n ", "\ngpgsig ", 1) + message, false},
		"another signature":          {plainCommit + "gpgsig-sha256 x\n y\n" + sig + message, false},
		"another signature behind":   {plainCommit + sig + "gpgsig-sha256 x\n y\n" + message, false},
		"a header like a signature":  {plainCommit + "gpgsigx y\n" + sig + message, false},
		"a parent after the author": {strings.Replace(plainCommit, "committer", "parent "+oid+"\ncommitter",
			1) + sig + message, false},
		"two trees": {"tree " + oid + "\n" + plainCommit + sig + message, false},
		"two authors": {strings.Replace(plainCommit, "author", "author "+someone+"\nauthor",
			1) + sig + message, false},
		"two committers": {plainCommit + "committer " + someone + "\n" + sig + message, false},
		"committer above author": {"tree " + oid + "\ncommitter " + someone + "\nauthor " + someone +
			"\n" + sig + message, false},
		"no author": {"tree " + oid + "\ncommitter " + someone + "\n" + sig + message, false},
		"a further line of the author": {strings.Replace(plainCommit, "committer", " more\ncommitter",
			1) + sig + message, false},
		"capital letters": {strings.ToUpper(plainCommit[:45]) + plainCommit[45:] + sig + message, false},
		"a capital id":    {"tree " + strings.ToUpper(oid) + plainCommit[45:] + sig + message, false},
		"a short id": {strings.Replace(plainCommit, "parent 4", "parent ", 1) + sig + message,
			false},
		"carriage returns": {strings.ReplaceAll(plainCommit+sig+message, "\n", "\r\n"), false},
		"a carriage return": {strings.Replace(plainCommit, "+0300\ncommitter", "+0300\r\ncommitter",
			1) + sig + message, false},
		"NUL in the message":         {plainCommit + sig + message + "\x00", false},
		"NUL in a name":              {strings.ReplaceAll(plainCommit, "A U", "A\x00") + sig + message, false},
		"no empty line":              {plainCommit + sig, false},
		"two spaces before the date": {strings.ReplaceAll(plainCommit, " 1767", "  1767") + sig + message, false},
		"no space before the date":   {strings.ReplaceAll(plainCommit, " 1767", "1767") + sig + message, false},
		"a padded date":              {strings.ReplaceAll(plainCommit, " 1767", " 01767") + sig + message, false},
		"a negative date":            {strings.ReplaceAll(plainCommit, " 1767", " -1767") + sig + message, false},
		"a date far away": {strings.ReplaceAll(plainCommit, "1767225600",
			"317310000000") + sig + message, false},
		"a date beyond numbers": {strings.ReplaceAll(plainCommit, "1767225600",
			"99999999999999999999") + sig + message, false},
		"no date": {strings.ReplaceAll(plainCommit, " 1767225600 +0300", "") + sig + message,
			false},
		"no zone":            {strings.ReplaceAll(plainCommit, " +0300", "") + sig + message, false},
		"a short zone":       {strings.ReplaceAll(plainCommit, "+0300", "+300") + sig + message, false},
		"a long zone":        {strings.ReplaceAll(plainCommit, "+0300", "+00300") + sig + message, false},
		"a space at the end": {strings.ReplaceAll(plainCommit, "+0300", "+0300 ") + sig + message, false},
		"a name with <":      {strings.ReplaceAll(plainCommit, "A U", "A < U") + sig + message, false},
		"a name with >":      {strings.ReplaceAll(plainCommit, "A U", "A > U") + sig + message, false},
		"an address with two dates": {strings.ReplaceAll(plainCommit, "author@",
			"a> 1 +0000 <author@") + sig + message, false},
		"no address": {strings.ReplaceAll(plainCommit, " <author@example.org>", "") + sig + message,
			false},
	} {
		t.Run(name, func(t *testing.T) {
			payload, signature, err := split(c.raw)
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrLayout) {
				t.Fatal(err)
			}
			if c.ok && (string(signature) != armored || bytes.Contains(payload, []byte("\ngpgsig"))) {
				t.Errorf("the signature is %q, over %q", signature, payload)
			}
		})
	}
	if _, _, err := split(plainCommit + message); !errors.Is(err, ErrUnsigned) {
		t.Errorf("not signed: %v", err)
	}
}

// split parts a commit; one that git does not take for a commit is not laid out as one.
func split(raw string) (payload, signature []byte, err error) {
	c, err := ReadCommit([]byte(raw))
	if err != nil {
		return nil, nil, errors.Join(ErrLayout, err)
	}
	return c.split()
}

func TestLayoutOfTags(t *testing.T) {
	for name, c := range map[string]struct {
		raw string
		ok  bool
	}{
		"plain":                     {plainTag + armored, true},
		"without a message":         {plainTag[:strings.Index(plainTag, "\n\n")+2] + armored, true},
		"of a tag":                  {strings.Replace(plainTag, "type commit", "type tag", 1) + armored, true},
		"signatures in the message": {plainTag + armored + armored, true},
		"of an unknown kind":        {strings.Replace(plainTag, "type commit", "type rule", 1) + armored, false},
		"without a tagger":          {strings.Replace(plainTag, "tagger "+someone+"\n", "", 1) + armored, false},
		"two taggers": {strings.Replace(plainTag, "tagger",
			"tagger "+someone+"\ntagger", 1) + armored, false},
		"two names": {strings.Replace(plainTag, "tag v1.0.0",
			"tag v1.0.0\ntag v2.0.0", 1) + armored, false},
		"a name of two words": {strings.Replace(plainTag, "v1.0.0", "v1 0", 1) + armored, false},
		"another order": {strings.Replace(plainTag, "type commit\ntag v1.0.0\n",
			"tag v1.0.0\ntype commit\n", 1) + armored, false},
		"a header more": {strings.Replace(plainTag, "\n\n", "\nx y\n\n", 1) + armored, false},
		"a signature as in commits": {strings.Replace(plainTag, "\n\n", "\n"+inHeader(armored)+"\n", 1) + armored,
			false},
		"a signature for other ids": {strings.Replace(plainTag, "\n\n", "\ngpgsig-sha256 x\n\n", 1) + armored,
			false},
		"a signature within the header": {strings.Replace(plainTag, "tagger", armored+"tagger", 1), false},
		"NUL":                           {strings.Replace(plainTag, "Body", "\x00", 1) + armored, false},
		"carriage returns":              {strings.ReplaceAll(plainTag, "\n", "\r\n") + armored, false},
		"no last line end":              {plainTag + strings.TrimSuffix(armored, "\n"), false},
	} {
		t.Run(name, func(t *testing.T) {
			tag, err := ReadTag([]byte(c.raw))
			var payload, signature []byte
			if err == nil {
				payload, signature, err = tag.split()
			} else {
				err = errors.Join(ErrLayout, err)
			}
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrLayout) {
				t.Fatal(err)
			}
			if c.ok && (string(signature) != armored || string(payload)+string(signature) != c.raw) {
				t.Errorf("the signature is %q, over %q", signature, payload)
			}
		})
	}
	tag, err := ReadTag([]byte(plainTag + armored + armored))
	if err != nil || string(tag.Message) != "Subject\n\nBody\n"+armored {
		t.Errorf("the message is %q, %v", tag.Message, err)
	}
}

// Whatever is read, nothing panics; what is signed and the signature are all there is;
// and what is signed says what the object says.
func FuzzReader(f *testing.F) {
	for _, raw := range []string{plainCommit + inHeader(armored) + message,
		plainCommit + inHeader(armored) + " \n" + message, plainTag + armored, plainTag, "", "\n\n"} {
		f.Add([]byte(raw))
	}
	trusted := &Set{}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, kind := range []string{"commit", "tag", "blob"} {
			if _, _, err := trusted.Judge(kind, raw); err == nil {
				t.Error("nobody is trusted, and it counts")
			}
		}
		if c, err := ReadCommit(raw); err == nil {
			payload, signature, err := c.split()
			if err != nil {
				return
			}
			head, body := halves(payload)
			whole := string(head) + inHeader(string(signature)) + "\n" + string(body)
			github := string(head) + inHeader(string(signature)) + " \n\n" + string(body)
			if string(raw) != whole && string(raw) != github {
				t.Errorf("%q comes together as %q", raw, whole)
			}
			again, err := ReadCommit(payload)
			again.raw = c.raw
			if err != nil || !reflect.DeepEqual(c, again) {
				t.Errorf("what is signed says %+v, %v; the commit says %+v", again, err, c)
			}
		}
		if c, err := ReadTag(raw); err == nil {
			payload, signature, err := c.split()
			if err == nil && string(payload)+string(signature) != string(raw) {
				t.Errorf("%q comes together as %q", raw, string(payload)+string(signature))
			}
		}
	})
}

// The checksum of an armor is that of RFC 4880.
func TestCRC24(t *testing.T) {
	if sum := crc24([]byte("123456789")); !bytes.Equal(sum, []byte{0x21, 0xcf, 0x02}) {
		t.Errorf("%x", sum)
	}
}

// Dates are read as git reads them.
func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"A <a> 1767225600 +0300":  "2026-01-01T03:00:00+03:00",
		"A <a> 1767225600 -0330":  "2025-12-31T20:30:00-03:30",
		"A <a> 1767225600":        "2026-01-01T00:00:00Z",
		"A <a> <b> 1767225600 +0": "2026-01-01T00:00:00Z",
		"A <a>":                   "0001-01-01T00:00:00Z",
		"":                        "0001-01-01T00:00:00Z",
	} {
		t.Run(text, func(t *testing.T) {
			if got := readDate([]byte(text)).Format(time.RFC3339); got != want {
				t.Errorf("%q is %s, expected %s", text, got, want)
			}
		})
	}
}
