package signers_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"golang.org/x/crypto/ssh"

	"rulestore/loader/signers"
)

const payload = "object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype commit\ntag v1.0.0\n\nДа\n"

// keygen makes a key and signs the payload with it, as git does.
func keygen(t *testing.T, args ...string) (public, signature string) {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	file := filepath.Join(t.TempDir(), "key")
	run(t, "", append([]string{"-q", "-N", "", "-C", "", "-f", file}, args...)...)
	return strings.TrimSpace(read(t, file+".pub")), run(t, payload, "-Y", "sign", "-n", "git", "-f", file)
}

func run(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("ssh-keygen", args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ssh-keygen %v: %v", args, err)
	}
	return string(out)
}

func read(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func parse(t *testing.T, file string) *signers.Set {
	t.Helper()
	s, err := signers.Parse([]byte(file))
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	return s
}

// ssh-keygen and this package judge alike, whatever stands in a line.
func TestAsKeygen(t *testing.T) {
	public, signature := keygen(t, "-t", "ed25519")
	other, _ := keygen(t, "-t", "ed25519")
	dir := t.TempDir()
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, line := range []string{
		"anna@example.org KEY",
		"anna@example.org,anna@example.com KEY Anna's key",
		`"anna@example.org" KEY`,
		"anna@example.org\tKEY",
		`anna@example.org namespaces="git" KEY`,
		`anna@example.org namespaces="file,git" KEY`,
		`anna@example.org namespaces="g*" KEY`,
		`anna@example.org namespaces="g?t" KEY`,
		`anna@example.org NAMESPACES="git" KEY`,
		`anna@example.org namespaces="file" KEY`,
		`anna@example.org namespaces="*,!git" KEY`,
		`anna@example.org namespaces="!git,*" KEY`,
		`anna@example.org namespaces="git2" KEY`,
		`anna@example.org valid-after="20260501Z" KEY`,
		`anna@example.org valid-after="202605011200Z" KEY`,
		`anna@example.org valid-after="20260501120000Z" KEY`,
		`anna@example.org valid-after="20260501120001Z" KEY`,
		`anna@example.org valid-after="20260502Z" KEY`,
		`anna@example.org valid-before="20260502Z" KEY`,
		`anna@example.org valid-before="20260501Z" KEY`,
		`anna@example.org valid-before="20260501120000Z" KEY`,
		`anna@example.org valid-before="20260501115959Z" KEY`,
		`anna@example.org namespaces="git",valid-after="20260101Z",valid-before="20270101Z" KEY`,
		"anna@example.org OTHER",
		"anna@example.org valid-before=\"20260101Z\" KEY\nanna@example.org KEY",
		"anna@example.org namespaces=\"file\" KEY\n# a comment\n\nanna@example.org OTHER",
	} {
		file := strings.NewReplacer("KEY", public, "OTHER", other).Replace(line) + "\n"
		allowed, sig := filepath.Join(dir, "allowed"), filepath.Join(dir, "sig")
		if err := errors.Join(os.WriteFile(allowed, []byte(file), 0o600),
			os.WriteFile(sig, []byte(signature), 0o600)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("ssh-keygen", "-Y", "verify", "-n", "git", "-I", "anna@example.org", "-f", allowed, "-s",
			sig, "-Overify-time="+at.Format("20060102150405Z"))
		cmd.Env = append(os.Environ(), "TZ=UTC")
		cmd.Stdin = strings.NewReader(payload)
		want := cmd.Run() == nil
		signer, err := parse(t, file).Verify([]byte(payload), []byte(signature), at)
		if (err == nil) != want {
			t.Errorf("%s\nssh-keygen says %t, this package %v", line, want, err)
		}
		if err == nil && (!strings.HasPrefix(signer.Name, "anna@example.org") ||
			!strings.HasPrefix(signer.Key, "SHA256:")) {
			t.Errorf("%s: signed by %+v", line, signer)
		}
	}
}

func TestWrongSignatures(t *testing.T) {
	public, signature := keygen(t, "-t", "ed25519")
	s := parse(t, "anna@example.org "+public)
	_, strange := keygen(t, "-t", "ed25519")
	file := filepath.Join(t.TempDir(), "key")
	run(t, "", "-q", "-N", "", "-t", "ed25519", "-f", file)
	elsewhere := run(t, payload, "-Y", "sign", "-n", "file", "-f", file)
	for name, c := range map[string]struct {
		signature string
		want      error
	}{
		"none":              {"", signers.ErrUnsigned},
		"blank":             {"\n", signers.ErrUnsigned},
		"X.509":             {"-----BEGIN SIGNED MESSAGE-----\nAAAA\n", signers.ErrFormat},
		"a stranger":        {strange, signers.ErrUnknown},
		"cut":               {signature[:len(signature)/2], signers.ErrInvalid},
		"empty armour":      {"-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n", signers.ErrInvalid},
		"another namespace": {elsewhere, signers.ErrUnknown},
		"OpenPGP, empty": {"-----BEGIN PGP SIGNATURE-----\n\n=AAAA\n-----END PGP SIGNATURE-----\n",
			signers.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Verify([]byte(payload), []byte(c.signature), time.Now()); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	own := parse(t, "anna@example.org "+strings.TrimSpace(read(t, file+".pub")))
	if _, err := own.Verify([]byte(payload), []byte(elsewhere), time.Now()); !errors.Is(err, signers.ErrInvalid) {
		t.Errorf("a signature for files: %v", err)
	}
}

// What would not be heeded is an error that names the line.
func TestParseErrors(t *testing.T) {
	public, _ := keygen(t, "-t", "ed25519")
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Skip("no short keys here: ", err)
	}
	weak, err := ssh.NewPublicKey(short.Public())
	if err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{
		"":                                       "there is no key in the file",
		"# nothing\n":                            "there is no key in the file",
		"anna@example.org":                       "line 1: a line begins with who it is about",
		"\n\nanna@example.org x":                 "line 3: this is no line of an allowed_signers file",
		public:                                   "line 1: this is no line of an allowed_signers file",
		`"anna ` + public:                        "line 1: the quoted principals have no end",
		"*@example.org cert-authority " + public: "line 1: certificate authorities (cert-authority) are not supported",
		"anna no-touch-required " + public:       `the option "no-touch-required" is not known`,
		`anna valid-after="soon" ` + public:      `"soon" is no time`,
		`anna valid-before="20261301" ` + public: `"20261301" is no time`,
		"anna " + string(ssh.MarshalAuthorizedKey(weak)): "the RSA key has 1024 " +
			"bits, at least 2048",
		"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n":                                     "line 1: the OpenPGP key has no end",
		"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n": "line 4: read the OpenPGP key",
		strings.Repeat("#", signers.MaxFile+1):                                               "at most",
	} {
		t.Run(file, func(t *testing.T) {
			_, err := signers.Parse([]byte(file))
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%.60q: %v, expected %q", file, err, says)
			}
		})
	}
}

// entity is an OpenPGP key with what it signed, at times of the test's choice.
type entity struct {
	*openpgp.Entity
	t *testing.T
}

func newEntity(t *testing.T, made time.Time, life time.Duration) entity {
	t.Helper()
	e, err := openpgp.NewEntity("Boris", "", "boris@example.org", &packet.Config{
		Time: func() time.Time { return made }, KeyLifetimeSecs: uint32(life.Seconds()),
		Algorithm: packet.PubKeyAlgoEdDSA,
	})
	if err != nil {
		t.Fatal(err)
	}
	return entity{e, t}
}

func (e entity) armored() string {
	e.t.Helper()
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	if err == nil {
		err = errors.Join(e.Serialize(w), w.Close())
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return b.String() + "\n"
}

func (e entity) sign(at time.Time) string {
	e.t.Helper()
	var b bytes.Buffer
	if err := openpgp.ArmoredDetachSign(&b, e.Entity, strings.NewReader(payload),
		&packet.Config{Time: func() time.Time { return at }}); err != nil {
		e.t.Fatal(err)
	}
	return b.String()
}

// OpenPGP keys count for what they signed while they were valid.
func TestOpenPGP(t *testing.T) {
	made := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	lasting, expired := newEntity(t, made, 0), newEntity(t, made, 365*24*time.Hour)
	during, later := made.AddDate(0, 6, 0), made.AddDate(3, 0, 0)
	s := parse(t, "# two keys\n"+lasting.armored()+expired.armored())
	for name, c := range map[string]struct {
		signature string
		want      error
	}{
		"a lasting key":            {lasting.sign(later), nil},
		"before the key expired":   {expired.sign(during), nil},
		"a key that nobody listed": {newEntity(t, made, 0).sign(during), signers.ErrUnknown},
		"two signatures":           {joined(t, lasting.sign(later), lasting.sign(during)), signers.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			signer, err := s.Verify([]byte(payload), []byte(c.signature), time.Now())
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil && (signer.Name != "Boris <boris@example.org>" || len(signer.Key) != 40) {
				t.Errorf("%s: signed by %+v", name, signer)
			}
		})
	}
	if _, err := s.Verify([]byte(payload+"x"), []byte(lasting.sign(later)),
		time.Now()); !errors.Is(err, signers.ErrInvalid) {
		t.Errorf("another payload: %v", err)
	}
	before := expired.sign(during)
	if err := expired.RevokeKey(packet.KeyCompromised, "stolen",
		&packet.Config{Time: func() time.Time { return later }}); err != nil {
		t.Fatal(err)
	}
	if _, err := parse(t, expired.armored()).Verify([]byte(payload), []byte(before),
		time.Now()); !errors.Is(err, signers.ErrTime) {
		t.Errorf("a key that was stolen: %v", err)
	}
}

// joined puts two signatures into one armour.
func joined(t *testing.T, signatures ...string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.SignatureType, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range signatures {
		block, err := armor.Decode(strings.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		var raw bytes.Buffer
		if _, err := raw.ReadFrom(block.Body); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(raw.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Nothing in a file or in a signature is a reason to panic.
func FuzzVerify(f *testing.F) {
	const line = "anna@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHLJpduX2AAZUFrRdUz3D9ppbtJOTC+f+3wP0wpiO3rT"
	f.Add(line, "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n")
	f.Add(`a valid-after="20260101",namespaces="git" ssh-ed25519 AAAA`,
		"-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0=\n-----END PGP SIGNATURE-----\n")
	f.Add("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----\n", "")
	good, err := signers.Parse([]byte(line))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, file, signature string) {
		if s, err := signers.Parse([]byte(file)); err == nil {
			_, _ = s.Verify([]byte(payload), []byte(signature), time.Unix(0, 0))
		}
		if _, err := good.Verify([]byte(payload), []byte(signature), time.Unix(0, 0)); err == nil {
			t.Errorf("%q passes", signature)
		}
	})
}
