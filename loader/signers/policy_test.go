package signers

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// holder is somebody with a key that is the same in each run.
func holder(t *testing.T, seed byte) (line string, key ssh.Signer) {
	t.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey()))), key
}

// policyOf is a policy of three people, with some lines more.
func policyOf(t *testing.T, more string) string {
	t.Helper()
	var lines strings.Builder
	for i, name := range []string{"anna", "boris", `vera valid-before="20260601Z",namespaces="rulestore"`} {
		line, _ := holder(t, byte(i+1))
		fmt.Fprintf(&lines, "%s %s\n", name, line)
	}
	return "signers = \"\"\"\n" + lines.String() + "\"\"\"\n" + more
}

const lawyers = `
[roles]
lawyers = ["anna", "boris", "vera"]
editors = ["anna", "boris"]

[[require]]
items = ["guidelines/fraud.*", "schemas/*"]
role = "lawyers"
approvals = 2

[[require]]
items = ["guidelines/*.001"]
role = "editors"
approvals = 1
`

func TestLacking(t *testing.T) {
	s, err := ParsePolicy([]byte(policyOf(t, lawyers)))
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct{ item, by, want string }{
		{"guidelines/fraud.x.002", "", "lawyers 2 [] [anna boris vera]"},
		{"guidelines/fraud.x.002", "vera", "lawyers 1 [vera] [anna boris]"},
		{"guidelines/fraud.x.002", "vera vera", "lawyers 1 [vera] [anna boris]"},
		{"guidelines/fraud.x.002", "vera stranger", "lawyers 1 [vera] [anna boris]"},
		{"guidelines/fraud.x.002", "vera boris", ""},
		{"guidelines/fraud.x.001", "vera", "lawyers 1 [vera] [anna boris]; editors 1 [] [anna boris]"},
		{"guidelines/fraud.x.001", "vera anna", ""},
		{"guidelines/product.x.001", "", "editors 1 [] [anna boris]"},
		{"guidelines/product.x.002", "", ""},
		{"schemas/math/deep/loan", "", "lawyers 2 [] [anna boris vera]"},
		{"guidelines/xfraud.x.002", "", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var got []string
			for _, l := range s.Lacking(tt.item, strings.Fields(tt.by)) {
				got = append(got, fmt.Sprintf("%s %d %v %v", l.Role, l.More, l.Have, l.Missing))
			}
			if all := strings.Join(got, "; "); all != tt.want {
				t.Errorf("%s by %q: %s, expected %s", tt.item, tt.by, all, tt.want)
			}
		})
	}
	if plain, err := Parse([]byte("anna " + strings.Split(policyOf(t, ""), "anna ")[1][:80])); err != nil ||
		plain.Requires("guidelines/fraud.x.002") {
		t.Errorf("a list without requirements requires something: %v", err)
	}
}

func TestMatches(t *testing.T) {
	for i, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "a/b", true}, {"a/*", "a/b/c", true}, {"a/*", "ab/c", false}, {"a/b", "a/b", true},
		{"a/b", "a/bc", false}, {"a*a", "a", false},
		{"a*a", "aa", true}, {"a*b*c", "axbxc", true}, {"a*b*c", "acb", false}, {"ab*b", "ab", false},
		{"", "a", false}, {"a/?", "a/b", false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := matches(tt.pattern, tt.text); got != tt.want {
				t.Errorf("%q %q: %v", tt.pattern, tt.text, got)
			}
		})
	}
}

func TestParsePolicy(t *testing.T) {
	own, _ := holder(t, 1)
	for _, tt := range []struct{ name, text, want string }{
		{"as it should be", policyOf(t, lawyers), ""},
		{"no requirement", policyOf(t, ""), ""},
		{"no TOML", "signers", "line 1: "},
		{"nobody", "roles = {a = []}", "there is no key in the file"},
		{"a broken line", "signers = 'anna'", "`signers`: line 1: "},
		{"another field", policyOf(t, "[role]\n"), `the policy has a field "role"`},
		{"another field within", policyOf(t, strings.Replace(lawyers, "approvals = 2", "approvals = 2\nthreshold = 3",
			1)), `"require.threshold"`},
		{"an unknown role", policyOf(t, strings.ReplaceAll(lawyers, "lawyers = ", "layers = ")),
			`nobody has the role "lawyers"`},
		{"an unknown person", policyOf(t, strings.Replace(lawyers, `"vera"`, `"gleb"`, 1)),
			"gleb, in the role lawyers, has no SSH key"},
		{"a person twice", policyOf(t, strings.Replace(lawyers, `"vera"`, `"anna"`, 1)),
			"anna stands twice in the role lawyers"},
		{"too many", policyOf(t, strings.Replace(lawyers, "approvals = 2", "approvals = 4", 1)),
			"4 approvals of 3 in the role lawyers: expected 1 to 3"},
		{"none", policyOf(t, strings.Replace(lawyers, "approvals = 2", "approvals = 0", 1)), "0 approvals of 3"},
		{"left out", policyOf(t, strings.Replace(lawyers, "approvals = 2", "", 1)), "0 approvals of 3"},
		{"no items", policyOf(t, strings.Replace(lawyers, `items = ["guidelines/fraud.*", "schemas/*"]`, "", 1)),
			"names no `items`"},
		{"one key of two people", strings.Replace(policyOf(t, lawyers), "boris ", "gleb "+own+"\nboris ", 1),
			"anna and gleb have one key"},
		{"a key for git alone", strings.Replace(policyOf(t, lawyers), "boris ", `boris namespaces="git" `, 1),
			"boris, in the role"},
		{"too long", strings.Repeat("#", MaxFile+1), "at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParsePolicy([]byte(tt.text))
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nexpected %s", err, tt.want)
			}
		})
	}
}

func TestApprover(t *testing.T) {
	s, err := ParsePolicy([]byte(policyOf(t, lawyers)))
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	sign := func(seed byte, payload, namespace string) []byte {
		_, key := holder(t, seed)
		sig, err := sshsig.Sign(strings.NewReader(payload), key, sshsig.HashSHA512, namespace)
		if err != nil {
			t.Fatal(err)
		}
		return sig.Marshal()
	}
	for _, tt := range []struct {
		name      string
		signature []byte
		at        time.Time
		want      string
	}{
		{"right", sign(1, "x", Approving), day, "anna"},
		{"of another text", sign(1, "y", Approving), day, ""},
		{"for git", sign(1, "x", "git"), day, ""},
		{"of a stranger", sign(9, "x", Approving), day, ""},
		{"within its time", sign(3, "x", Approving), day, "vera"},
		{"after its time", sign(3, "x", Approving), day.AddDate(1, 0, 0), ""},
		{"with something behind", append(sign(1, "x", Approving), 0), day, ""},
		{"cut off", sign(1, "x", Approving)[:80], day, ""},
		{"nothing", nil, day, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if by, err := s.Approver([]byte("x"), tt.signature, tt.at); by != tt.want ||
				(err == nil) != (tt.want != "") {
				t.Errorf("%q %v", by, err)
			}
		})
	}
	// A signature for approvals is none of a commit, though its key may sign those.
	if _, err := s.verifySSH([]byte("x"), sshsig.Armor(parsedAs(sshsig.ParseSignature(sign(1, "x", Approving)))),
		day); err == nil {
		t.Error("an approval is a signature for git")
	}
}

func parsedAs(s *sshsig.Signature, err error) *sshsig.Signature {
	if err != nil {
		panic(err)
	}
	return s
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte("signers = 'a ssh-ed25519 AAAA'\n" + lawyers))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if s, err := ParsePolicy(raw); err == nil {
			s.Lacking("guidelines/a", nil)
		}
	})
}
