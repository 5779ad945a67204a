package verify_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// parties are the keys of a log and of three witnesses.
type parties struct {
	own       log.Key
	witnesses []log.Key
}

func newParties(t *testing.T) (p parties) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{}) // the same keys in each run
	key := func(name string) log.Key {
		text, err := log.NewKey(random, name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := log.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	p.own = key("rules.example.org/log")
	for _, name := range []string{"one.example.org", "two.example.org", "three.example.org"} {
		p.witnesses = append(p.witnesses, key(name))
	}
	return p
}

// policy wants two of the witnesses, of the last two days.
func (p parties) policy(t *testing.T) log.Policy {
	t.Helper()
	var public []string
	for _, w := range p.witnesses {
		public = append(public, w.PublicOfWitness())
	}
	policy, err := log.NewPolicy(p.own.Public(), public, 2, 48*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// sign signs the head of a log, and has witnesses do so some time ago.
func (p parties) sign(t *testing.T, l *log.Log, ages ...time.Duration) *log.Served {
	t.Helper()
	signed, err := l.Head(p.own.Name()).Sign(p.own.Log())
	if err != nil {
		t.Fatal(err)
	}
	public, err := log.NewVerifier(p.own.Public())
	if err != nil {
		t.Fatal(err)
	}
	for i, age := range ages {
		signed, err = log.Cosign(signed, public, log.NewWitness(p.witnesses[i], time.Now().Add(-age)))
		if err != nil {
			t.Fatal(err)
		}
	}
	return &log.Served{Log: l, Checkpoint: signed}
}

// leavesOf are the seals in a snapshot, the first version of an item first.
func leavesOf(s *content.Snapshot) (all []log.Leaf) {
	for _, it := range s.Items {
		for _, e := range slices.Backward(it.Entries) {
			all = append(all, log.SealOf(content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}))
		}
	}
	return all
}

func markLeaf(t *testing.T, m content.Mark) log.Leaf {
	t.Helper()
	leaf, ok := log.MarkOf(m)
	if !ok {
		t.Fatal("no leaf")
	}
	return leaf
}

// logHandler serves a snapshot and a log.
func logHandler(s *content.Snapshot, l *log.Served) http.Handler {
	made := site.Build(nil, s, site.Config{BaseURL: "https://rules.example.org", Version: "test",
		Schemas: schemas.Embedded(), Log: l})
	return server.New(server.Config{Sites: current{made}, Status: func() server.Status { return server.Status{} },
		Encoder: site.NewEncoder()})
}

// checked verifies a server and its log, and returns what differs, by lines, and what was
// to be remembered.
func checked(t *testing.T, h http.Handler, l verify.Log) (found []string, kept []byte) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	l.Remember = func(signed []byte) error { kept = signed; return nil }
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Log: &l})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Differences {
		found = append(found, fmt.Sprintf("%s|%s|%s|%s", d.What, d.Problem, d.Expected, d.Found))
	}
	return found, kept
}

// Who knows the keys of a log and what it saw last finds whatever a server, or who writes
// the repository, changes, hides or takes back.
func TestLog(t *testing.T) {
	p := newParties(t)
	policy := p.policy(t)
	snapshot := oneRule()
	seals := leavesOf(snapshot)
	if len(seals) != 2 {
		t.Fatalf("%d versions", len(seals))
	}
	const item, tag = "guidelines/product.common.001", "guidelines/product.common.001/v1.0.0"
	const path = "/api/v1/guidelines/product.common.001/versions/1.0.0"
	sum := strings.Repeat("0", 64)
	seal := func(tag, at string) log.Leaf {
		leaf, ok := log.ReadSeal(tag + " sha256:" + sum + " " + at)
		if !ok {
			t.Fatal("no seal")
		}
		return leaf
	}
	void := content.Mark{Item: item, Version: "0.9.0", Status: content.Void, Since: "2026-01-01", Reason: "lost"}
	redacted := content.Mark{Item: item, Version: "1.0.0", Status: content.Redacted,
		Since: "2026-01-01", Reason: "wrong"}
	archived := content.Mark{Item: item, Version: "1.1.0", Status: content.Archived,
		Since: "2026-01-01", Reason: "wrong"}
	whole := archived
	whole.Version = ""
	later := redacted
	later.Since = "2999-01-01"
	logOf := func(leaves ...log.Leaf) *log.Log { return (*log.Log)(nil).Extend(leaves...) }
	honest := logOf(seals...)
	replaced := func(at, old, with string) func(string, *httptest.ResponseRecorder) {
		return func(path string, w *httptest.ResponseRecorder) {
			if path == at {
				w.Body = bytes.NewBuffer(regexp.MustCompile(old).ReplaceAll(w.Body.Bytes(), []byte(with)))
			}
		}
	}
	nothing := func(string, *httptest.ResponseRecorder) {}
	other := p.sign(t, logOf(append(slices.Clone(seals), seal("guidelines/x.y.001/v1.0.0-rc.1",
		"2999-01-01T00:00:00Z"))...), 0, 0)
	forked := p.sign(t, logOf(seals[1], seals[0]), 0, 0)
	third := parties{own: p.witnesses[2]}
	for _, tt := range []struct {
		name     string
		snapshot *content.Snapshot // nil: as above
		log      *log.Served
		last     log.Checkpoint
		lie      func(string, *httptest.ResponseRecorder)
		want     []string // parts of the differences; none: all is well
		kept     bool
	}{
		{name: "honest, and never seen", log: p.sign(t, honest, 0, 0), kept: true},
		{name: "honest, and seen so", log: p.sign(t, honest, 0, time.Hour, 2*time.Hour),
			last: honest.Head(p.own.Name()), kept: true},
		{name: "honest, and grown", log: p.sign(t, honest, 0, 0), last: logOf(seals[0]).Head(p.own.Name()), kept: true},
		{name: "nothing seen yet", log: p.sign(t, honest, 0, 0), last: logOf().Head(p.own.Name()), kept: true},
		{name: "rollback", log: p.sign(t, honest, 0, 0), last: other.Head(p.own.Name()),
			want: []string{"/log/checkpoint|the signed log||the log had 3 leaves, and now has 2: it was rolled back"}},
		{name: "force-push", log: other, last: logOf(seals[1], seals[0]).Head(p.own.Name()),
			want: []string{"the log of 2 leaves is no beginning of that of 3: its history was rewritten"}},
		{name: "split view", log: forked, last: honest.Head(p.own.Name()),
			want: []string{"there are two logs of 2 leaves"}},
		{name: "freeze", log: p.sign(t, honest, 49*time.Hour, 50*time.Hour, time.Hour),
			want: []string{"more than 48h0m0s ago: it is an old one, or nobody signs any more"}},
		{name: "fresh by two of three", log: p.sign(t, honest, 990*time.Hour, time.Hour, 47*time.Hour), kept: true},
		{name: "of the future", log: p.sign(t, honest, -time.Minute, -999*time.Hour),
			want: []string{"1 of 3 witnesses have signed the log of 2 leaves, and 2 have to"}},
		{name: "one witness", log: p.sign(t, honest, 0), want: []string{"1 of 3 witnesses have signed"}},
		{name: "another key", log: third.sign(t, honest),
			want: []string{"/log/checkpoint|the signed log||the checkpoint of three.example.org is not signed by the " +
				"key rules.example.org/log+"}},
		{name: "no head", log: &log.Served{Log: honest}, want: []string{"fetch /log/checkpoint: the answer is 404"}},
		{name: "no checkpoint", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == api.CheckpointPath {
				w.Body = bytes.NewBufferString("<html>")
			}
		}, want: []string{"this is no checkpoint"}},
		{name: "a signature that is wrong", log: p.sign(t, honest, 0, 0),
			lie:  replaced(api.CheckpointPath, `rules.example.org/log\n2\n`, "rules.example.org/log\n3\n"),
			want: []string{"the signature of "}},
		{name: "a huge checkpoint", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == api.CheckpointPath {
				w.Body.Write(make([]byte, 1<<20))
			}
		}, want: []string{"the answer is larger than 65536 bytes"}},
		{name: "another leaf", log: p.sign(t, honest, 0, 0),
			lie:  replaced("/log/tile/entries/000.p/2", "v1.0.0", "v1.0.9"),
			want: []string{"the 2 leaves that are served have another root than the one that is signed"}},
		{name: "a leaf less", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == "/log/tile/entries/000.p/2" {
				w.Body.Truncate(2 + len(seals[0]))
			}
		}, want: []string{"/log/tile/entries/000.p/2 has 1 leaves, and 2 are expected"}},
		{name: "broken leaves", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == "/log/tile/entries/000.p/2" {
				w.Body.Truncate(9)
			}
		}, want: []string{"ends after 7"}},
		{name: "another tile", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == "/log/tile/0/000.p/2" {
				w.Body.Bytes()[0] ^= 1
			}
		}, want: []string{"/log/tile/0/000.p/2|the body|the hashes of the leaves|64 bytes, status 200"}, kept: true},
		{name: "the proof of another log", log: p.sign(t, honest, 0, 0),
			lie: func(at string, w *httptest.ResponseRecorder) {
				if at == path+"/proof" {
					i, _ := forked.Index(seals[0])
					proof, _ := forked.Prove(i, forked.Checkpoint)
					w.Body = bytes.NewBuffer(proof.Text())
				}
			}, want: []string{tag +
				" (proof)|the signed log||the proof is for another log of 2 leaves, where this is " +
				"leaf 1"}, kept: true},
		{name: "no proof", log: p.sign(t, honest, 0, 0), lie: replaced(path+"/proof", "^", "x"),
			want: []string{tag + " (proof)|the body||this is no proof"}, kept: true},
		{name: "a hidden version", log: p.sign(t, honest, 0, 0),
			lie:  replaced("/api/v1/checksums", `guidelines/product.common.001/v1.0.0 .*\n`, ""),
			want: []string{tag + "|in the signed log, and not served|sha256:"}, kept: true},
		{name: "a hidden version, everywhere", snapshot: few(snapshot, 1), log: p.sign(t, honest, 0, 0),
			want: []string{tag + "|in the signed log, and not served|sha256:"}, kept: true},
		{name: "what the log has not", log: p.sign(t, logOf(seals[1]), 0, 0),
			want: []string{tag + "|not in the signed log||sha256:"}, kept: true},
		{name: "another checksum", log: p.sign(t, logOf(seals[1], seal(tag, "2026-02-02T07:00:00Z")), 0, 0),
			want: []string{
				tag + "|another one in the signed log|sha256:" + sum + " 2026-02-02T07:00:00Z|sha256:",
				tag + "|not in the signed log||sha256:",
			}, kept: true},
		{name: "another date", log: p.sign(t, honest, 0, 0),
			lie: replaced("/api/v1/checksums", "(product.common.001/v1.0.0 .*) 2026-02-02", "$1 2026-02-03"),
			want: []string{
				tag + "|another one in the signed log|", tag + "|not in the signed log|", tag + "|published_at|",
			}, kept: true},
		{name: "an old version for the current one", log: p.sign(t, honest, 0, 0),
			lie: replaced("/api/v1/guidelines/product.common.001", `"guideline_version":"1.1.0"`,
				`"guideline_version":"1.0.0"`), want: []string{item + " (current)|guideline_version|1.1.0|1.0.0"},
			kept: true},
		{name: "a nonsense for the current one", log: p.sign(t, honest, 0, 0),
			lie: replaced("/api/v1/guidelines/product.common.001", `"guideline_version":"1.1.0"`,
				`"guideline_version":"/"`), want: []string{item + " (current)|guideline_version|1.1.0|/"}, kept: true},
		{name: "one that nobody sealed for the current one", log: p.sign(t, honest, 0, 0),
			lie: replaced("/api/v1/guidelines/product.common.001", `"guideline_version":"1.1.0"`,
				`"guideline_version":"9.9.9"`), want: []string{item +
				" (current)|guideline_version|not listed among the publications|9.9.9"}, kept: true},
		{name: "other words for the current one", log: p.sign(t, honest, 0, 0),
			lie:  replaced("/api/v1/guidelines/product.common.001", `"title":"`, `"title":"X`),
			want: []string{item + " (current)|recomputed checksum|sha256:"}, kept: true},
		{name: "upcoming, and sealed by nobody", log: p.sign(t, honest, 0, 0),
			lie: replaced("/api/v1/upcoming", `"upcoming":\[`,
				`"upcoming":[{"tag":"guidelines/x.y.001/v1.0.0",`+
					`"content_checksum":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",`+
					`"body":{}}`), want: []string{"guidelines/x.y.001/v1.0.0|not in the signed log|"}, kept: true},
		{name: "upcoming, and kept secret", log: p.sign(t, logOf(append(slices.Clone(seals),
			seal(item+"/v9.0.0", "2999-01-01T00:00:00Z"))...), 0, 0),
			want: []string{item + "/v9.0.0|not listed as upcoming|sha256:"}, kept: true},
		{name: "no current one", log: p.sign(t, honest, 0, 0), lie: func(at string, w *httptest.ResponseRecorder) {
			if at == "/api/v1/guidelines/product.common.001" {
				w.Code = 404
			}
		}, want: []string{item + " (current)|status|200|404"}, kept: true},
		{name: "the last one is archived", snapshot: oneRule(archived),
			log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, archived))...), 0, 0), kept: true},
		{name: "archived, and so no more", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, archived))...),
			0, 0), want: []string{item + "/v1.1.0|status|archived|current",
			item + " (current)|guideline_version|another, as this one is archived in the signed log|1.1.0"}, kept: true},
		{name: "archived, and the end of it", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, archived),
			markLeaf(t, archived).End())...), 0, 0), kept: true},
		{name: "archived as a whole, and so no more", log: p.sign(t, logOf(append(slices.Clone(seals),
			markLeaf(t, whole))...), 0, 0), want: []string{item + " (current)|status|archived|current"}, kept: true},
		{name: "archived as a whole", snapshot: oneRule(whole), log: p.sign(t, logOf(append(slices.Clone(seals),
			markLeaf(t, whole))...), 0, 0), kept: true},
		{name: "redacted, and so no more", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, redacted))...),
			0, 0), want: []string{tag + "|status|410, as it is redacted in the signed log|200"}, kept: true},
		{name: "redacted, and the end of it", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, redacted),
			markLeaf(t, redacted).End())...), 0, 0), kept: true},
		{name: "redacted later", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, later))...), 0, 0),
			kept: true},
		{name: "redacted beyond the end", snapshot: oneRule(redacted),
			log: p.sign(t, logOf(append(slices.Clone(seals),
				markLeaf(t, redacted), markLeaf(t, redacted).End())...), 0, 0),
			want: []string{tag + "|status|200, as no mark in the signed log redacts it|410"}, kept: true},
		{name: "an end of nothing", log: p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, redacted).End())...),
			0, 0), want: []string{"/log/checkpoint|the signed log||leaf 2 cannot follow those before it: end {"},
			kept: true},
		{name: "a seal twice", log: p.sign(t, logOf(append(slices.Clone(seals), seals[0])...), 0, 0),
			want: []string{"/log/checkpoint|the signed log||leaf 2 cannot follow those before it: seal "}, kept: true},
		{name: "archived by nobody", snapshot: oneRule(archived), log: p.sign(t, honest, 0, 0),
			want: []string{item + " (current)|guideline_version|1.1.0|1.0.0"}, kept: true},
		{name: "taken away", snapshot: oneRule(redacted), log: p.sign(t,
			logOf(append(slices.Clone(seals), markLeaf(t, redacted))...), 0, 0), kept: true},
		{name: "taken away by nobody", snapshot: oneRule(redacted), log: p.sign(t, honest, 0, 0),
			want: []string{tag + "|status|200, as no mark in the signed log redacts it|410"}, kept: true},
		{name: "taken away too early", snapshot: oneRule(redacted),
			log:  p.sign(t, logOf(append(slices.Clone(seals), markLeaf(t, later))...), 0, 0),
			want: []string{tag + "|status|200, as no mark in the signed log redacts it|410"}, kept: true},
		{name: "not to be served", log: p.sign(t, logOf(append(
			slices.Clone(seals), seal(item+"/v0.9.0", "2026-01-01T00:00:00Z"), markLeaf(t, void),
			seal(item+"/v9.0.0-rc.2", "2999-01-01T00:00:00Z"),
			seal(item+"/v9.0.0-rc.1", "2026-01-01T00:00:00Z"), seal("spells/fire/v1.0.0", "2026-01-01T00:00:00Z"),
		)...), 0, 0), kept: true},
		{name: "lost, and nobody says so", log: p.sign(t, logOf(append(slices.Clone(seals),
			seal(item+"/v0.9.0", "2026-01-01T00:00:00Z"))...), 0, 0),
			want: []string{item + "/v0.9.0|in the signed log, and not served|"}, kept: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.snapshot == nil {
				tt.snapshot = snapshot
			}
			if tt.lie == nil {
				tt.lie = nothing
			}
			found, kept := checked(t, tampered(logHandler(tt.snapshot, tt.log), tt.lie),
				verify.Log{Policy: policy, Last: tt.last})
			all := strings.Join(found, "\n")
			if len(found) != len(tt.want) {
				t.Errorf("found\n%s\nexpected %q", all, tt.want)
			}
			for _, want := range tt.want {
				if !strings.Contains(all, want) {
					t.Errorf("found\n%s\nexpected %s", all, want)
				}
			}
			if tt.kept && !bytes.Equal(kept, tt.log.Checkpoint) || !tt.kept && kept != nil {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// A proof for a longer log than was read is one of a log that has grown meanwhile, or that of
// another log, which is shown to those who ask for proofs alone.
func TestLongerLogs(t *testing.T) {
	p := newParties(t)
	snapshot := oneRule()
	seals := leavesOf(snapshot)
	next, ok := log.ReadSeal("guidelines/x.y.001/v1.0.0-rc.1 sha256:" + strings.Repeat("0", 64) +
		" 2026-01-01T00:00:00Z")
	if !ok {
		t.Fatal("no seal")
	}
	logOf := func(leaves ...log.Leaf) *log.Served { return p.sign(t, (*log.Log)(nil).Extend(leaves...), 0, 0) }
	short := logOf(seals...)
	for name, tt := range map[string]struct {
		grown *log.Served
		want  string
	}{
		"grown": {logOf(seals[0], seals[1], next), ""},
		"another": {logOf(seals[1], seals[0], next),
			"the log of 2 leaves is no beginning of that of 3: its history was rewritten"},
		"hidden": {logOf(seals[0], next, seals[1]),
			"the log of 2 leaves is no beginning of that of 3: its history was rewritten"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := logHandler(snapshot, short), logHandler(snapshot, tt.grown)
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/proof") || strings.HasSuffix(r.URL.Path, ".p/3") {
					after.ServeHTTP(w, r)
					return
				}
				before.ServeHTTP(w, r)
			})
			found, kept := checked(t, h, verify.Log{Policy: p.policy(t)})
			all := strings.Join(found, "\n")
			if (tt.want == "") != (len(found) == 0) || !strings.Contains(all, tt.want) {
				t.Errorf("found\n%s\nexpected %s", all, tt.want)
			}
			if !bytes.Equal(kept, short.Checkpoint) {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// few is the rule without the first of its versions.
func few(s *content.Snapshot, without int) *content.Snapshot {
	in := content.Input{Source: s.Source, Settings: s.Settings}
	for _, e := range s.Item(content.Guidelines, "product.common.001").Entries {
		if e.Version.Minor() >= uint64(without) {
			in.Publications = append(in.Publications, e.Publication)
		}
	}
	return content.NewSnapshot(in)
}

// A log that is longer than can be read is refused before it is read, and one whose head
// cannot be kept is no success.
func TestLogLimits(t *testing.T) {
	p := newParties(t)
	signed, err := log.Checkpoint{Origin: p.own.Name(), Size: 1 << 40}.Sign(p.own.Log())
	if err != nil {
		t.Fatal(err)
	}
	policy, err := log.NewPolicy(p.own.Public(), nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := oneRule()
	honest := p.sign(t, (*log.Log)(nil).Extend(leavesOf(snapshot)...))
	huge := func(path string, w *httptest.ResponseRecorder) {
		if path == api.CheckpointPath {
			w.Body = bytes.NewBuffer(signed)
		}
		if strings.HasPrefix(path, "/log/tile/") {
			t.Errorf("%s was asked for", path)
		}
	}
	found, kept := checked(t, tampered(logHandler(snapshot, honest), huge), verify.Log{Policy: policy})
	if len(found) != 1 || !strings.Contains(found[0],
		"the log has 1099511627776 leaves, and at most 1048576 are read") || kept != nil {
		t.Errorf("%q", found)
	}
	s := httptest.NewServer(logHandler(snapshot, honest))
	defer s.Close()
	full := errors.New("the disk is full")
	_, err = verify.Run(t.Context(), verify.Config{URL: s.URL,
		Log: &verify.Log{Policy: policy, Remember: func([]byte) error { return full }}})
	if err != full {
		t.Error(err)
	}
}
