package signers_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"rulestore/loader/signers"
)

// gpg is a home of gpg with keys of its own.
type gpg struct {
	testing.TB
	home string
}

func newGPG(t testing.TB) gpg {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	home, err := os.MkdirTemp("", "rs") // a short path: its socket has little room for one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
		_ = os.RemoveAll(home)
	})
	return gpg{t, home}
}

func (g gpg) run(stdin string, args ...string) string {
	g.Helper()
	cmd := exec.Command("gpg", append([]string{"--homedir", g.home, "--batch", "--quiet", "--no-tty", "--yes",
		"--passphrase", "", "--pinentry-mode", "loopback", "--allow-weak-key-signatures", "--enable-dsa2"}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.Fatalf("gpg %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// key makes a key and returns it, armored.
func (g gpg) key(name, algorithm, usage string, options ...string) string {
	g.Helper()
	g.run("", append(options, "--quick-generate-key", name, algorithm, usage, "never")...)
	return g.export(name)
}

func (g gpg) export(name string) string {
	g.Helper()
	return g.run("", "--armor", "--export", name)
}

// sign signs the payload as git has it signed.
func (g gpg) sign(name string, options ...string) string {
	g.Helper()
	return g.run(payload, append(options, "--armor", "--detach-sign", "--local-user", name)...)
}

// A key that can sign nothing that counts is an error of the file; a signature that is
// made in a weak way by a good key is none.
func TestWeakKeys(t *testing.T) {
	g := newGPG(t)
	for name, c := range map[string]struct{ algorithm, usage, options string }{
		"short-rsa":  {"rsa1024", "sign", ""},
		"dsa":        {"dsa2048", "sign", ""},
		"certifying": {"rsa2048", "cert", ""},
		"sha1":       {"ed25519", "sign", "--cert-digest-algo=SHA1"},
	} {
		t.Run(name, func(t *testing.T) {
			key := gpg{t, g.home}.key(name, c.algorithm, c.usage, strings.Fields(c.options)...)
			if _, err := signers.Parse([]byte(key)); err == nil ||
				!strings.Contains(err.Error(), "can sign nothing that counts") || !strings.Contains(err.Error(), name) {
				t.Errorf("%v", err)
			}
		})
	}
	good := g.key("good", "rsa2048", "sign")
	t.Run("a weak key beside a good one", func(t *testing.T) {
		if _, err := signers.Parse([]byte(good + g.export("dsa"))); err == nil ||
			!strings.Contains(err.Error(), "of dsa can sign nothing") {
			t.Errorf("%v", err)
		}
	})
	set := parse(t, good)
	for name, c := range map[string]struct {
		signature string
		want      error
	}{
		"as it is":                 {g.sign("good"), nil},
		"with SHA-512":             {g.sign("good", "--digest-algo", "SHA512"), nil},
		"with SHA-1":               {g.sign("good", "--digest-algo", "SHA1"), signers.ErrInvalid},
		"with RIPEMD-160":          {g.sign("good", "--digest-algo", "RIPEMD160"), signers.ErrInvalid},
		"over a text":              {g.sign("good", "--textmode"), signers.ErrInvalid},
		"with a critical notation": {g.sign("good", "--sig-notation", "!x@example.org=y"), signers.ErrInvalid},
		"with a notation":          {g.sign("good", "--sig-notation", "x@example.org=y"), nil},
		"by the short key":         {g.sign("short-rsa"), signers.ErrUnknown},
		"that expires":             {g.sign("good", "--default-sig-expire", "1d"), signers.ErrInvalid},
		"before the key was made": {g.sign("good", "--faked-system-time", "20200101T000000!",
			"--ignore-time-conflict"), signers.ErrTime},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := set.Verify([]byte(payload), []byte(c.signature), time.Now()); !errors.Is(err, c.want) {
				t.Errorf("%v, expected %v", err, c.want)
			}
		})
	}
}

// A part of a key signs if it may, and as long as nobody has revoked it.
func TestSubkeys(t *testing.T) {
	g := newGPG(t)
	g.key("boris", "ed25519", "cert")
	fingerprint := strings.Fields(strings.ReplaceAll(g.run("", "--with-colons", "--list-keys", "boris"), ":", " "))
	id := ""
	for i, f := range fingerprint {
		if f == "fpr" {
			id = fingerprint[i+1]
			break
		}
	}
	g.run("", "--quick-add-key", id, "rsa2048", "sign", "never")
	g.run("", "--quick-add-key", id, "rsa1024", "sign", "never")
	key := g.export("boris")
	subs := []string{}
	for line := range strings.Lines(g.run("", "--with-colons", "--with-subkey-fingerprint", "--list-keys", "boris")) {
		if f := strings.Split(line, ":"); f[0] == "fpr" && f[9] != id {
			subs = append(subs, f[9])
		}
	}
	set := parse(t, key)
	verify := func(set *signers.Set, signature string) error {
		by, err := set.Verify([]byte(payload), []byte(signature), time.Now())
		if err == nil && (by.Key != id || by.Name != "boris") {
			t.Errorf("signed by %+v", by)
		}
		return err
	}
	long, short := g.sign(subs[0]+"!"), g.sign(subs[1]+"!")
	if err := verify(set, long); err != nil {
		t.Error("the good part: ", err)
	}
	if err := verify(set, short); !errors.Is(err, signers.ErrInvalid) {
		t.Error("the short part: ", err)
	}
	t.Run("listed twice", func(t *testing.T) {
		g.run("", "--quick-add-key", id, "rsa2048", "sign", "never")
		if err := verify(parse(t, key+g.export("boris")), long); err != nil {
			t.Error(err)
		}
	})
}

// Who prolongs the life of a key certifies it anew; what was signed before still counts,
// until the key was made.
func TestProlonged(t *testing.T) {
	g := newGPG(t)
	at := func(date string) []string { return []string{"--faked-system-time", date + "T000000!"} }
	g.run("", append(at("20200101"), "--quick-generate-key", "anna", "ed25519", "sign", "1y")...)
	signature := g.sign("anna", at("20200601")...)
	early := g.sign("anna", append(at("20190601"), "--ignore-time-conflict")...)
	id := strings.Split(g.run("", "--with-colons", "--list-keys", "anna"), "fpr:::::::::")[1][:40]
	g.run("", append(at("20260101"), "--quick-set-expire", id, "1y")...)
	late := g.sign("anna", at("20260601")...)
	set := parse(t, g.export("anna"))
	for name, c := range map[string]struct {
		signature string
		want      error
	}{"before": {signature, nil}, "after": {late, nil}, "before the key was made": {early, signers.ErrTime}} {
		t.Run(name, func(t *testing.T) {
			if _, err := set.Verify([]byte(payload), []byte(c.signature), time.Now()); !errors.Is(err, c.want) {
				t.Errorf("%v, expected %v", err, c.want)
			}
		})
	}
}

// Whoever revoked a key, for whatever reason, git counts nothing by it any more.
func TestRevoked(t *testing.T) {
	made := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, reason := range map[string]packet.ReasonForRevocation{
		"stolen": packet.KeyCompromised, "superseded": packet.KeySuperseded, "retired": packet.KeyRetired,
		"for no reason": packet.NoReason,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEntity(t, made, 0)
			before := e.sign(made.AddDate(0, 1, 0))
			if _, err := parse(t, e.armored()).Verify([]byte(payload), []byte(before), time.Now()); err != nil {
				t.Fatal(err)
			}
			if err := e.RevokeKey(reason, "", &packet.Config{Time: func() time.Time {
				return made.AddDate(1, 0,
					0)
			}}); err != nil {
				t.Fatal(err)
			}
			if _, err := parse(t, e.armored()).Verify([]byte(payload), []byte(before),
				time.Now()); !errors.Is(err, signers.ErrTime) {
				t.Error(err)
			}
		})
	}
}

// The armor has what the signing program writes, and nothing else.
func TestArmor(t *testing.T) {
	public, ssh := keygen(t, "-t", "ed25519")
	e := newEntity(t, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), 0)
	pgp := e.sign(time.Now()) + "\n"
	set := parse(t, "anna@example.org "+public+"\n"+e.armored())
	cut := func(s string) string { return s[:strings.LastIndex(s, "\n=")] + s[strings.Index(s, "\n-----END"):] }
	for name, c := range map[string]struct {
		signature string
		ok        bool
	}{
		"SSH":                   {ssh, true},
		"OpenPGP":               {pgp, true},
		"SSH, before":           {"x\n" + ssh, false},
		"SSH, behind":           {ssh + "x\n", false},
		"SSH, twice":            {ssh + ssh, false},
		"SSH, headers":          {strings.Replace(ssh, "-----\n", "-----\nComment: x\n\n", 1), false},
		"SSH, carriage returns": {strings.ReplaceAll(ssh, "\n", "\r\n"), false},
		"SSH, another letter":   {strings.Replace(ssh, "U1NI", "*U1NI", 1), false},
		"SSH, one letter less":  {strings.Replace(ssh, "U1NI", "1NI", 1), false},
		"SSH, as OpenPGP":       {strings.ReplaceAll(ssh, "SSH", "PGP"), false},
		"OpenPGP, before":       {"x\n" + pgp, false},
		"OpenPGP, behind":       {pgp + "x\n", false},
		"OpenPGP, twice":        {pgp + pgp, false},
		"OpenPGP, no sum":       {cut(pgp), false},
		"OpenPGP, another sum": {pgp[:strings.LastIndex(pgp, "\n=")] + "\n=AAAA" +
			pgp[strings.Index(pgp, "\n-----END"):], false},
		"OpenPGP, a block inside": {strings.Replace(pgp, "-----\n", "-----\nx\n-----BEGIN PGP SIGNATURE-----\n", 1),
			false},
		"OpenPGP, a message": {strings.ReplaceAll(pgp, "PGP SIGNATURE", "PGP MESSAGE"), false},
		"OpenPGP, as SSH":    {strings.ReplaceAll(pgp, "PGP", "SSH"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := set.Verify([]byte(payload), []byte(c.signature), time.Now()); (err == nil) != c.ok {
				t.Errorf("%v\n%s", err, c.signature)
			}
		})
	}
}
