package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"rulestore/content"
)

const (
	listPath = "/api/v1/checksums"

	// parallel is the number of concurrent requests.
	parallel = 8
	// maxFailures is the number of failed requests after which the run ends.
	maxFailures = 20
	// maxDifferences is the maximum number of differences kept, and maxWait the maximum
	// average duration of a request: they limit the memory and time that a hostile server
	// can take.
	maxDifferences = 1000
	maxWait        = time.Second / 2
	// maxPatience is the maximum duration of a run.
	maxPatience = time.Hour
	// maxListed is the maximum number of publications without a repository.
	maxListed = 100_000
	// maxTogether is the maximum size of all responses, plus maxMean for each, in bytes.
	maxTogether = 1 << 30
	maxMean     = 256 << 10
	// defaultTimeout is the time limit of a request.
	defaultTimeout = 30 * time.Second
)

// Config is the configuration of a verification.
type Config struct {
	URL        string            // the base URL of the server
	Repository *content.Snapshot // the published content of a repository; nil: there is none to compare with
	Log        *Log              // nil: the log is not checked
	Timeout    time.Duration     // per request; 0 is half a minute
}

// Difference is one place at which the server does not serve what it should.
type Difference struct {
	What     string // a tag, the name of an item, or the request
	Problem  string
	Expected string // "" if there is nothing to quote
	Found    string
}

// Verification is the result of a verification. Texts of the server are shortened and safe for terminals.
type Verification struct {
	Publications int          // fetched and checked
	Redacted     int          // of them
	Current      int          // items whose current version was compared with the repository
	Answers      int          // all responses
	Leaves       int64        // of the log, signed and read
	Differences  []Difference // sorted, limited; none if all is well
	More         int          // number of differences beyond the limit
	Changed      bool         // the content changed during the run
}

// Run verifies a server. An error means that it could not be verified as a whole.
func Run(ctx context.Context, c Config) (Verification, error) {
	v := &verifier{
		Config: c, client: newClient(c.URL, cmp.Or(c.Timeout, defaultTimeout)), known: map[string]*content.Entry{},
		currents: map[string]*content.Entry{}, sums: map[string]string{}, missing: map[string]bool{},
		statuses: map[string]string{},
	}
	v.index()
	listed, err := v.list(ctx)
	if err != nil {
		return Verification{}, err
	}
	if err := v.health(ctx); err != nil {
		return Verification{}, err
	}
	v.most = maxBody + int64(len(listed))*maxElement
	for _, s := range listed {
		v.sums[s.Tag] = s.Checksum
	}
	if v.ledger, err = v.readLedger(ctx); err != nil {
		return Verification{}, err
	}
	v.compareLists(listed)
	if v.ledger != nil {
		v.highest = v.ledger.highest(listed)
		v.checkListed(listed)
		v.checkLeaves(listed, time.Now())
	}
	if err := v.each(ctx, v.jobs(listed)); err != nil {
		return Verification{}, err
	}
	v.explainMissing()
	v.checkLonger(ctx)
	slices.SortFunc(v.result.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Found, b.Found))
	})
	return v.result, nil
}

type verifier struct {
	Config
	client   *client
	known    map[string]*content.Entry // versions in the repository, by tag
	currents map[string]*content.Entry // current versions in the repository, by item
	sums     map[string]string         // checksums of listed publications, by tag
	files    bool                      // of an export
	ledger   *ledger                   // nil if it cannot be read, or nobody asks
	highest  map[string]content.Tag    // versions that count in the log, by item
	most     int64                     // maximum size of a response, in bytes

	mu       sync.Mutex
	result   Verification
	failures int
	bytes    int               // of all answers
	missing  map[string]bool   // publications of which an export has no file, by tag
	statuses map[string]string // of versions in the lists of an export, by tag
	snapshot string            // that of the first response
}

// index finds the versions in the repository.
func (v *verifier) index() {
	if v.Repository == nil {
		return
	}
	for _, it := range v.Repository.Items {
		for _, e := range it.Entries {
			v.known[e.Tag()] = e
		}
		if e := it.Current; e != nil && e.Status != content.Redacted {
			v.currents[it.ID()] = e
		}
	}
}

// health asks whether the server shows drafts; an export has no health.
func (v *verifier) health(ctx context.Context) error {
	const path = "/api/v1/health"
	a, err := v.client.once(ctx, path, jsonType, maxBody) // 503 if it is not healthy
	var health struct{ Drafts bool }
	if err == nil && a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
		v.files = true
		return nil
	}
	if err == nil {
		err = json.Unmarshal(a.body, &health)
	}
	if err != nil {
		v.differ(path, "cannot be read", "", err.Error())
	}
	if health.Drafts {
		return errors.New(
			"it shows drafts, by --drafts, which are as nobody has published them: there is nothing to check it against",
		)
	}
	return nil
}

// report has the differences of one response.
type report []Difference

// differ adds a difference, with what a server says made safe.
func (r *report) differ(what, problem, expected, found string) {
	*r = append(*r, Difference{safe(what), safe(problem), safe(expected), safe(found)})
}

func (r *report) same(what, field, expected, found string) {
	if found != expected {
		r.differ(what, field, expected, found)
	}
}

// add adds the differences of a response.
func (v *verifier) add(r report) {
	v.mu.Lock()
	defer v.mu.Unlock()
	room := min(len(r), maxDifferences-len(v.result.Differences))
	v.result.Differences = append(v.result.Differences, r[:room]...)
	v.result.More += len(r) - room
}

// differ adds one difference.
func (v *verifier) differ(what, problem, expected, found string) {
	var r report
	r.differ(what, problem, expected, found)
	v.add(r)
}

// count increments one of the numbers of the result.
func (v *verifier) count(n *int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	*n++
}

// list fetches the server's list of publications.
func (v *verifier) list(ctx context.Context) ([]content.Seal, error) {
	a, err := v.client.ask(ctx, listPath, textType, maxList)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", listPath, err)
	}
	v.noteSnapshot(a)
	switch {
	case a.status/100 == 3:
		return nil, fmt.Errorf(
			"fetch %s: it redirects to %q, which is not followed: verify that address if it is the server's", listPath,
			safe(a.header.Get("Location")),
		)
	case a.status != http.StatusOK:
		return nil, fmt.Errorf(
			"fetch %s: the answer is %d: is this the base address of a rulestore?", listPath, a.status,
		)
	}
	return v.parse(a.body)
}

// parse parses a list of publications. Those unknown to the repository are reported and left
// out, as there is no expectation for them.
func (v *verifier) parse(list []byte) ([]content.Seal, error) {
	var seals []content.Seal
	seen, n := map[string]bool{}, 0
	for line := range bytes.Lines(list) {
		n++
		text := strings.TrimSuffix(string(line[:min(len(line), maxLine)]), "\n")
		s, err := content.ParseSeal(text)
		switch {
		case errors.Is(err, content.ErrForeignTag):
			v.differ(safe(text), "of a kind that this build does not know", "", "")
		case err != nil:
			return nil, fmt.Errorf("%s, line %d: %w", listPath, n, err)
		case v.Repository != nil && v.known[s.Tag] == nil:
			v.differ(s.Tag, "not in the repository", "", s.Checksum)
		case seen[s.Tag]:
			v.differ(s.Tag, "listed twice", "", "")
		case len(seals) == max(maxListed, len(v.known)):
			return nil, fmt.Errorf(
				"%s has more than %d publications: compare it with a repository, by --repo", listPath, maxListed,
			)
		default:
			seen[s.Tag] = true
			seals = append(seals, s)
		}
	}
	return seals, nil
}

// job is one request, and the check of its response.
type job struct {
	what, path, accept string
	check              func(response, *report)
}

// jobs lists the requests in random order.
func (v *verifier) jobs(listed []content.Seal) []job {
	jobs := append(v.proofs(listed), job{upcomingPath, upcomingPath, jsonType, v.upcoming})
	items := map[string]*content.Kind{}
	for _, s := range listed {
		t := s.Named()
		check := func(a response, r *report) { v.publication(t, s, a, r) }
		jobs = append(jobs, job{s.Tag, pathOf(t), jsonType, check})
		if v.files && items[t.Item()] == nil {
			check := func(a response, r *report) { v.versions(t, a, r) }
			jobs = append(jobs, job{t.Item() + " (versions)", t.Kind.ItemPath(t.Name) + "/versions", jsonType, check})
		}
		items[t.Item()] = t.Kind
	}
	for item, e := range v.currents {
		items[item] = e.Kind
	}
	for item, k := range items {
		check := func(a response, r *report) { v.current(item, k, a, r) }
		path := k.ItemPath(strings.TrimPrefix(item, k.Folder+"/"))
		jobs = append(jobs, job{item + " (current)", path, jsonType, check})
	}
	rand.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	return jobs
}

// pathOf is the permanent path of a publication.
func pathOf(t content.Tag) string {
	return t.Kind.ItemPath(t.Name) + "/versions/" + t.Version.String()
}

// each does the jobs concurrently, until the context ends or the run is aborted.
func (v *verifier) each(ctx context.Context, jobs []job) error {
	patience := min(maxPatience, cmp.Or(v.Timeout, defaultTimeout)+time.Duration(len(jobs))*maxWait/parallel)
	ctx, cancel := context.WithTimeoutCause(
		ctx, patience, fmt.Errorf("the server is too slow: %d answers took more than %s", len(jobs), patience),
	)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan job)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for j := range queue {
				v.do(ctx, j, stop)
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	wg.Wait()
	return context.Cause(ctx)
}

// do does one job.
func (v *verifier) do(ctx context.Context, j job, stop context.CancelCauseFunc) {
	a, err := v.client.ask(ctx, j.path, j.accept, v.most)
	switch {
	case err != nil && ctx.Err() == nil:
		v.failed(j, err, stop)
	case err == nil:
		v.limitBytes(a, stop)
		v.noteSnapshot(a)
		var r report
		j.check(a, &r)
		v.add(r)
	}
}

// limitBytes aborts the run if the responses are too large.
func (v *verifier) limitBytes(a response, stop context.CancelCauseFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bytes += len(a.body); v.bytes > maxTogether+maxMean*v.result.Answers {
		stop(fmt.Errorf("the server sends too much: %d MiB in %d answers", v.bytes>>20, v.result.Answers))
	}
}

// noteSnapshot counts a response, and notes whether it is of another snapshot than the first.
func (v *verifier) noteSnapshot(a response) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Answers++
	name := a.header.Get("X-Snapshot")
	v.snapshot = cmp.Or(v.snapshot, name)
	v.result.Changed = v.result.Changed || name != "" && name != v.snapshot
}

// failed counts a failed request, and aborts the run after some.
func (v *verifier) failed(j job, err error, stop context.CancelCauseFunc) {
	v.differ(j.what, "cannot be fetched", "", err.Error())
	v.count(&v.failures)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failures >= maxFailures {
		stop(fmt.Errorf("%d requests came to nothing, the last one for %s: %w", v.failures, j.path, err))
	}
}

// safe shortens a text of a server for display, and makes it safe for terminals.
func safe(s string) string {
	const most = 200
	s = s[:min(len(s), 4*most+utf8.UTFMax)]
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return content.Printable(s)
}
