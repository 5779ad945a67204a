package verify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"rulestore/content/i18n"
)

// compare compares a response with the expected one.
func (v *verifier) compare(r *report, w view, want, got answer) {
	if want.status != got.status {
		r.differ(w.what, theStatus, fmt.Sprint(want.status), fmt.Sprint(got.status))
		return
	}
	v.compareHeaders(r, w, want, got)
	if bytes.Equal(want.body, got.body) {
		return
	}
	if want, got := want.text(), got.text(); !bytes.Equal(want, got) {
		r.unequal(w.what, firstDifference(want, got), string(want), string(got))
	}
	r.moments(w.what, want.body, got.body)
}

// normalized returns the expected and the actual response with the differences removed that
// the protocol allows or that depend on the server's process.
func (v *verifier) normalized(ctx context.Context, w view, want, got answer) (answer, answer) {
	switch {
	case w.header.name == "If-None-Match" && want.status == http.StatusNotModified && got.status == http.StatusOK:
		w.header = field{} // a proxy removed the condition
		if whole, err := v.expected.answer(ctx, w.request); err == nil {
			return whole, got
		}
	case w.header.value == partHeader && want.status == http.StatusOK && got.status == http.StatusPartialContent:
		return want.part(got), got
	case w.asksHealth():
		return v.normalizedHealth(ctx, w, want, got)
	}
	return want, got
}

// part is the part of a response that a cache may return.
func (a answer) part(got answer) answer {
	h := maps.Clone(a.header)
	h.Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", partSize-1, len(a.body)))
	if g := got.header["Accept-Ranges"]; g != nil {
		h["Accept-Ranges"] = g
	}
	return answer{http.StatusPartialContent, h, a.body[:min(len(a.body), partSize)]}
}

// compareHeaders compares all headers of a response with the expected ones.
func (v *verifier) compareHeaders(r *report, w view, want, got answer) {
	for _, name := range unlikeHeaders(want.header, got.header) {
		e, g := strings.Join(want.header[name], ", "), strings.Join(got.header[name], ", ")
		if e == g || isOfProxy(name) || slices.Contains(v.Between, name) || v.mayDiffer(name, w, want, got) {
			continue
		}
		if e != "" || v.first(name+": "+g) {
			r.unequal(w.what, i18n.New("header %s", name), e, g)
		}
	}
}

// unlikeHeaders are the names of headers whose values differ, sorted.
func unlikeHeaders(want, got http.Header) (names []string) {
	for name, values := range want {
		if !slices.Equal(values, got[name]) {
			names = append(names, name)
		}
	}
	for name := range got {
		if _, known := want[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mayDiffer reports whether a header may differ from the expected one.
func (v *verifier) mayDiffer(name string, w view, want, got answer) bool {
	e, g := want.header.Get(name), got.header.Get(name)
	switch name {
	case "Content-Length": // with a body, checked by the HTTP client
		return w.method != http.MethodHead || e == "" || g == "" || got.header.Get("Content-Encoding") != ""
	case "Content-Encoding":
		return true // decoded, or the response failed
	case "Last-Modified":
		return g == "" // removed by a proxy
	case "Etag":
		return g == "" || want.namesSnapshot() && entityTag.MatchString(g)
	case "Vary":
		return variesByAll(got.header.Values(name), want.header.Values(name))
	case "X-Snapshot":
		return e != "" && snapshotID.MatchString(g)
	case "X-Held-Back":
		return heldBack().MatchString(g)
	case "Mcp-Session-Id":
		return e != "" && isSessionID(g)
	}
	return false
}

// Patterns of names that differ between servers.
var (
	entityTag = regexp.MustCompile(`^(W/)?"[0-9a-f]{24}"$`)
	heldBack  = sync.OnceValue(func() *regexp.Regexp { // large, and few processes verify anything
		return regexp.MustCompile(
			`^(guard|delay)(; (state|commit|since|until)="[0-9a-fTZ:-]{1,64}"){3,4}(; source=[a-z][a-z0-9-]{0,31})?$`,
		)
	})
)

// isSessionID reports whether a server may call a session so: in visible characters of ASCII.
func isSessionID(id string) bool {
	return 0 < len(id) && len(id) <= 200 && !strings.ContainsFunc(id, func(r rune) bool { return r < '!' || r > '~' })
}

// variesByAll reports whether a Vary header has all expected fields. More are allowed.
func variesByAll(got, want []string) bool {
	found := elements(got)
	for name := range elements(want) {
		if !found[name] && !found["*"] {
			return false
		}
	}
	return true
}

func elements(lists []string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		all[strings.ToLower(strings.TrimSpace(name))] = true
	}
	return all
}

// first reports whether an unexpected header is seen for the first time: each is reported
// once and counted.
func (v *verifier) first(line string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.strange[line] || len(v.strange) >= maxDifferences {
		v.result.More++
		return false
	}
	if v.strange == nil {
		v.strange = map[string]bool{}
	}
	v.strange[line] = true
	return true
}

// Headers that proxies, caches and CDNs usually add: about the connection, the cache, the
// proxy, the transport, and restrictions for browsers. All others are compared, whatever their
// names, since any header may affect some client; an unknown header of a proxy is reported by
// the run.
var (
	custom = []string{
		"Age", "Alt-Svc", "Cache-Status", "Connection", "Date", "Keep-Alive", "Nel", "Permissions-Policy",
		"Proxy-Connection", "Report-To", "Server", "Server-Timing", "Strict-Transport-Security", "Traceparent",
		"Transfer-Encoding", "Via", "X-Correlation-Id", "X-Frame-Options", "X-Powered-By", "X-Request-Id",
		"X-Served-By", "X-Timer", "X-Xss-Protection",
	}
	customPrefixes = []string{
		"Akamai-", "Cf-", "Fastly-", "Fly-", "X-Akamai-", "X-Amz-", "X-Amzn-", "X-Azure-", "X-Cache", "X-Cdn-",
		"X-Envoy-", "X-Fastly-", "X-Kong-", "X-Proxy-Cache", "X-Varnish", "X-Vercel-",
	}
)

// isOfProxy reports whether a header is one of those that proxies and CDNs add.
func isOfProxy(name string) bool {
	return slices.Contains(custom, name) ||
		slices.ContainsFunc(customPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
