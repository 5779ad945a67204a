package log_test

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"rulestore/content/log"
)

// made makes a key, and reads it again.
func made(t testing.TB, name string) log.Key {
	t.Helper()
	text, err := log.NewKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	key, err := log.ParseKey(text + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func verifier(t testing.TB, public string) note.Verifier {
	t.Helper()
	v, err := log.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCheckpoint(t *testing.T) {
	key, stranger := made(t, "rules.example.org/log"), made(t, "rules.example.org/log")
	l := ofSize(10)
	signed, err := l.Head(key.Name()).Sign(key.Log())
	if err != nil {
		t.Fatal(err)
	}
	read, err := log.ReadCheckpoint(signed)
	if err != nil || read != l.Head(key.Name()) || !l.Agrees(read) || ofSize(9).Agrees(read) {
		t.Fatalf("%+v %v", read, err)
	}
	log1 := verifier(t, key.Public())
	w1, w2 := made(t, "witness.example.org/a"), made(t, "witness.example.org/b")
	for _, w := range []log.Key{w1, w2} {
		if signed, err = log.Cosign(signed, log1, log.NewWitness(w, time.Unix(1_700_000_000, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if signed, err = log.Cosign(signed, log1, log.NewWitness(w1, time.Unix(1_700_000_500, 0))); err != nil { // again
		t.Fatal(err)
	}
	if n := bytes.Count(signed, []byte("— ")); n != 3 {
		t.Errorf("%d signatures:\n%s", n, signed)
	}
	s, err := log.OpenCheckpoint(signed, log1, verifier(t, w1.PublicOfWitness()),
		verifier(t, made(t, "c").PublicOfWitness()))
	if err != nil || s.Checkpoint != read || len(s.Witnesses) != 1 || s.Witnesses[w1.Name()] != 1_700_000_500 {
		t.Errorf("%+v %v", s, err)
	}
	for name, c := range map[string]struct {
		signed []byte
		public string
	}{
		"another key":     {signed, stranger.Public()},
		"a witness's key": {signed, w1.PublicOfWitness()},
		"another size":    {bytes.Replace(signed, []byte("\n10\n"), []byte("\n11\n"), 1), key.Public()},
		"another origin": {bytes.Replace(signed, []byte("rules.example.org/log\n10"),
			[]byte("rules.example.org/lag\n10"), 1), key.Public()},
		"no signature":  {signed[:bytes.Index(signed, []byte("\n\n"))+2], key.Public()},
		"nothing":       {nil, key.Public()},
		"another log's": {otherOrigin(t, key), key.Public()},
		"too long": {append(bytes.Clone(signed), bytes.Repeat([]byte("— a AAAAAAAA\n"), 10_000)...),
			key.Public()},
		"a number with zeros": {resigned(t, key, "rules.example.org/log\n010\n"+read.Root.String()+"\n"), key.Public()},
		"two lines":           {resigned(t, key, "rules.example.org/log\n10\n"), key.Public()},
		"a short hash":        {resigned(t, key, "rules.example.org/log\n10\nAAAA\n"), key.Public()},
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := log.OpenCheckpoint(c.signed, verifier(t, c.public)); err == nil {
				t.Errorf("%s: taken for %+v", name, s)
			}
		})
	}
	forged := bytes.Replace(signed, []byte(w1.Name()+" "), []byte(w1.Name()+" "), 1)
	i := bytes.LastIndex(forged, []byte("\n")) - 10
	forged[i] ^= 1
	if _, err := log.OpenCheckpoint(forged, log1, verifier(t, w1.PublicOfWitness()),
		verifier(t, w2.PublicOfWitness())); err == nil {
		t.Error("a wrong signature of a known witness is passed over")
	}
	if _, err := log.Cosign(signed, verifier(t, stranger.Public()), log.NewWitness(w1, time.Now())); err == nil {
		t.Error("a witness signs what the log did not")
	}
}

// otherOrigin is a checkpoint of another log, signed by a key.
func otherOrigin(t *testing.T, key log.Key) []byte {
	return resigned(t, key, "elsewhere.example.org\n0\n"+ofSize(0).Head("x").Root.String()+"\n")
}

func resigned(t *testing.T, key log.Key, text string) []byte {
	t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, key.Log())
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestKeys(t *testing.T) {
	for _, name := range []string{"", "a b", "a+b", "a\n", "a\u00a0b", strings.Repeat("a", 256)} {
		if key, err := log.NewKey(rand.Reader, name); err == nil {
			t.Errorf("%q is the name of %s", name, key[:20])
		}
	}
	key := made(t, "a")
	for _, public := range []string{"", "a", "a+b+c", strings.Replace(key.Public(), "a+", "b+", 1),
		strings.Replace(key.PublicOfWitness(), "a+", "b+", 1), key.Public() + "A"} {
		if _, err := log.NewVerifier(public); err == nil {
			t.Errorf("%q is a key", public)
		}
	}
	for _, text := range []string{"", "PRIVATE+KEY+a+00000000+AAAA", key.Public()} {
		if _, err := log.ParseKey(text); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
	if key.Public() == key.PublicOfWitness() {
		t.Error("a log's key is a witness's")
	}
}

func TestProof(t *testing.T) {
	key, w := made(t, "rules.example.org/log"), made(t, "witness.example.org")
	public, witness := verifier(t, key.Public()), verifier(t, w.PublicOfWitness())
	l := ofSize(100)
	signed, err := l.Head(key.Name()).Sign(key.Log())
	if err != nil {
		t.Fatal(err)
	}
	if signed, err = log.Cosign(signed, public, log.NewWitness(w, time.Unix(5, 0))); err != nil {
		t.Fatal(err)
	}
	l = l.Extend("seal new")
	p, err := l.Prove(42, signed)
	if err != nil {
		t.Fatal(err)
	}
	read, err := log.ParseProof(p.Text())
	if err != nil || string(read.Text()) != string(p.Text()) || read.Leaf != "seal 42" {
		t.Fatalf("%v\n%s", err, p.Text())
	}
	s, err := read.Verify("seal 42", public, witness)
	if err != nil || s.Size != 100 || s.Witnesses[w.Name()] != 5 {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := read.Verify("seal 43", public); err == nil {
		t.Error("another leaf is proven")
	}
	if _, err := l.Prove(100, signed); err == nil {
		t.Error("a leaf after the checkpoint is proven by it")
	}
	if _, err := l.Prove(0, []byte("x")); err == nil {
		t.Error("a leaf is proven by no checkpoint")
	}
}

func FuzzReadCheckpoint(f *testing.F) {
	key := made(f, "a")
	signed, err := ofSize(3).Head("a").Sign(key.Log())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Fuzz(func(t *testing.T, signed []byte) {
		c, err := log.ReadCheckpoint(signed)
		if err == nil && !bytes.HasPrefix(signed, []byte(c.Text())) {
			t.Errorf("%q is %q", signed, c.Text())
		}
	})
}

func FuzzParseProof(f *testing.F) {
	key := made(f, "a")
	l := ofSize(30)
	signed, err := l.Head("a").Sign(key.Log())
	if err != nil {
		f.Fatal(err)
	}
	p, err := l.Prove(3, signed)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.Text())
	public := verifier(f, key.Public())
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := log.ParseProof(text)
		if err != nil {
			return
		}
		if _, err := p.Verify(p.Leaf, public); err == nil && !bytes.Contains(text, []byte(p.Leaf)) &&
			l.Since(p.Index)[0] != p.Leaf {
			t.Errorf("a proof of what is not in the log:\n%s", text)
		}
	})
}
