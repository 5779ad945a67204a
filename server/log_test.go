package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
	"rulestore/server/site"
)

// logKey signs the logs of all tests.
var logKey = sync.OnceValue(func() log.Key {
	return must(log.ParseKey(must(log.NewKey(bytes.NewReader(make([]byte, 64)), "rules.example.org/log"))))
})

// withLog is the store as it is with another log, signed or not.
func withLog(l *log.Served) *site.Site {
	s := load(readScript("testdata/store.txtar")).Snapshot
	logs.Store(s, l)
	return build(nil, s)
}

// Whoever has the log's public key can check what is served with what is served: the tiles
// make the signed root, they hold every seal, and each version proves its own.
func TestLog(t *testing.T) {
	c := ask(t, kindsSite())
	public := must(log.NewVerifier(logKey().Public()))
	r := c.get(api.CheckpointPath)
	head := must(log.OpenCheckpoint(r.body, public))
	if kind, cache := r.header.Get("Content-Type"),
		r.header.Get("Cache-Control"); kind != "text/plain; charset=utf-8" || cache != "public, max-age=5" {
		t.Errorf("the checkpoint is %q, %q", kind, cache)
	}
	var size int64
	var l *log.Log
	for ; size < head.Size; size += 256 {
		path := log.Tile{}
		path.H, path.L, path.N, path.W = 8, -1, size/256, int(min(256, head.Size-size))
		r := c.get(api.LogRoot + path.Path())
		if r.status != http.StatusOK || r.header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			r.header.Get("Content-Type") != "application/octet-stream" {
			t.Fatalf("%s: %d %v", path.Path(), r.status, r.header)
		}
		l = l.Extend(must(log.ReadBundle(r.body))...)
	}
	if !l.Agrees(head.Checkpoint) || l.Size() != head.Size {
		t.Fatalf("%d leaves make another tree than that of %d", l.Size(), head.Size)
	}
	for _, tile := range l.Tiles() {
		if want, _ := l.Tile(tile); !bytes.Equal(c.get(api.LogRoot+tile.Path()).body, want) {
			t.Errorf("%s is not made of the leaves", tile.Path())
		}
	}
	proven := 0
	for _, item := range kindsSite().Snapshot.Items {
		for _, e := range item.Entries {
			if e.Status == content.Redacted {
				continue
			}
			leaf := log.SealOf(content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt})
			index, ok := l.Index(leaf)
			if got := c.get(e.Path()).header.Get("X-Log-Index"); !ok || got != strconv.FormatInt(index, 10) {
				t.Errorf("%s: X-Log-Index is %q, the log has it at %d", e.Tag(), got, index)
			}
			p := must(log.ParseProof(c.get(e.Path() + "/proof").body))
			if _, err := p.Verify(leaf, public); err != nil {
				t.Errorf("%s: %v", e.Tag(), err)
			}
			proven++
		}
	}
	if proven == 0 || int64(proven) > l.Size() {
		t.Errorf("%d versions, %d leaves", proven, l.Size())
	}
	var said struct {
		Size       int64
		Root       string
		Checkpoint struct{ Origin, Root, URL string }
	}
	if err := json.Unmarshal(c.get(api.LogPath).body, &said); err != nil || said.Size != head.Size ||
		said.Root != head.Root.String() || said.Checkpoint.Origin != head.Origin {
		t.Errorf("%+v %v", said, err)
	}
	var versions struct {
		Versions []struct {
			Index *int64 `json:"log_index"`
		}
	}
	if err := json.Unmarshal(c.get("/api/v1/guidelines/fraud.code.001/versions").body, &versions); err != nil ||
		len(versions.Versions) == 0 || versions.Versions[0].Index == nil {
		t.Errorf("a list of versions names no place in the log: %+v %v", versions, err)
	}
}

// What cannot be had says why, and what to do.
func TestNotInTheLog(t *testing.T) {
	store := load(readScript("testdata/store.txtar"))
	refused := &log.Served{Refused: true}
	older := &log.Served{Log: store.Log.Log, Checkpoint: store.Log.Checkpoint, Refused: true}
	version := "/api/v1/guidelines/investment.promise.001/versions/1.0.0"
	for _, test := range []struct {
		name   string
		log    *log.Served
		path   string
		status int
		want   string
	}{
		{"refused", refused, api.CheckpointPath, 404, "не сходится"},
		{"no log", nil, api.CheckpointPath, 404, "Журнала у этого репозитория нет"},
		{"no log", nil, api.LogPath, 404, "path_not_found"},
		{"no log", nil, version + "/proof", 404, "Журнала у этого репозитория нет"},
		{"no log", nil, "/api/v1/changelog?since=0", 400, "no_log"},
		{"refused", refused, api.LogPath, 200, `"checkpoint":null,"reason":"Журнал репозитория не сходится."`},
		{"older", older, api.LogPath, 200, "отдаётся последний, который сходится"},
		{"no tile", store.Log, "/log/tile/0/123", 404, "tile_not_found"},
		{"bad path", store.Log, "/log/tile/0/x/../1", 404, "tile_not_found"},
		{"a parameter", store.Log, "/log/checkpoint?a=b", 400, "unknown_parameter"},
		{"not sealed", store.Log, version + "/proof", 404, "Печати у этой версии нет"},
		{"no version", store.Log, "/api/v1/guidelines/investment.promise.001/versions/9.9.9/proof",
			404, "version_not_found"},
		{"no checksum", store.Log, "/api/v1/checksums/sha256:1", 404, "Это не контрольная сумма"},
		{"unknown", store.Log, "/api/v1/checksums/sha256:" + strings.Repeat("0", 64), 404, "Это не значит"},
	} {
		r := ask(t, withLog(test.log)).get(test.path)
		if r.status != test.status || !strings.Contains(string(r.body), test.want) {
			t.Errorf("%s: %s: %d %s", test.name, test.path, r.status, r.body)
		}
	}
}
