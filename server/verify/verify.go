package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/i18n"
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
	// maxSurplus is how much larger than expected a response may be, in bytes.
	maxSurplus = 256 << 10
	// defaultTimeout is the time limit of a request.
	defaultTimeout = 30 * time.Second
)

// Config is the configuration of a verification.
type Config struct {
	URL string // the base URL of the server
	// Repository is the published content of a repository; nil if only the server's responses
	// are compared with each other.
	Repository *content.Snapshot
	// Expect returns the expectation for a server that states this about itself. nil: only the
	// publications are compared, as JSON.
	Expect func(context.Context, Named) (*Expected, error)
	// Logs are checked too: that of the repository or, of several, all in their order. nil: none.
	Logs []Log
	// BaseURL is the address that the server has to state; "" is URL, or that in the
	// repository.
	BaseURL string
	// Markdown renders an item from its JSON, like this version of the program; it is used
	// without a repository. It may be nil.
	Markdown   func(t content.Tag, item content.Object) []byte
	Version    string
	WithoutMCP bool                  // the server does not serve MCP
	All        bool                  // no sampling: request every form of everything, however long that takes
	Between    []string              // headers, in canonical form, that a proxy adds or changes
	Timeout    time.Duration         // per request; 0 is half a minute
	Progress   func(done, total int) // called for each publication, by one goroutine at a time; may be nil
}

// Difference is one place at which the server does not serve what it should.
type Difference struct {
	What     i18n.Text // a tag, the name of an item, or the request
	Problem  i18n.Text
	Expected i18n.Text // "" if there is nothing to quote
	Found    i18n.Text
}

// Result is the result of a verification.
type Result struct {
	Publications int          // fetched and checked
	Redacted     int          // of them
	Current      int          // items whose current version was compared
	Answers      int          // all responses
	Leaves       int64        // of the log, signed and read
	Sampled      bool         // not every form was requested: there are too many
	Differences  []Difference // sorted, limited; none if all is well
	More         int          // number of differences beyond the limit
	Notes        []i18n.Text  // remarks on both sides
}

// Run verifies a server. An error means that it could not be verified as a whole.
func Run(ctx context.Context, c Config) (Result, error) {
	c.Logs = placed(c.Logs)
	v := &verifier{
		Config: c, client: newClient(c.URL, cmp.Or(c.Timeout, defaultTimeout)), known: entries(c.Repository),
		said: map[string]statement{},
	}
	listed, err := v.list(ctx)
	if err != nil {
		return Result{}, err
	}
	if c.Markdown != nil || c.Expect != nil {
		if err := v.learn(ctx); err != nil {
			return Result{}, err
		}
	}
	v.most = maxBody + int64(len(listed))*maxElement
	v.client.plain = len(listed) > large && !c.All
	if err := v.readLedgers(ctx, listed); err != nil {
		return Result{}, err
	}
	if err := v.each(ctx, v.jobs(ctx, listed)); err != nil {
		return Result{}, err
	}
	v.closeSessions(ctx)
	v.checkLonger(ctx)
	v.reportStale(ctx)
	v.note()
	slices.SortFunc(v.result.Differences, func(a, b Difference) int {
		return cmp.Or(byText(a.What, b.What), byText(a.Problem, b.Problem), byText(a.Found, b.Found))
	})
	return v.result, nil
}

type verifier struct {
	Config
	client   *client
	known    map[string]*content.Entry // by tag; nil without a repository
	named    Named
	expected *Expected // nil without an expectation
	ledgers  ledgers   // nil if one of them does not hold, or nobody asks
	primary  int       // number of jobs that progress counts
	most     int64     // maximum size of a response without an expectation, in bytes

	mu        sync.Mutex
	result    Result
	failures  int
	done      int
	bytes     int                  // of all answers
	said      map[string]statement // without a repository: by version and media type
	snapshots map[string]bool
	sessions  []string        // ids of MCP sessions opened by responses
	strange   map[string]bool // unexpected headers
	trouble   string          // the process state that noteProcess has noted
	repeated  map[string]bool // without a repository: tags of which other forms are requested

	process sync.Mutex // held from Expected.Process until the expected response is made
}

// report has the differences of one response.
type report []Difference

// differ adds a difference; its arguments are texts, errors or strings.
func (r *report) differ(what, problem, expected, found any) {
	*r = append(*r, Difference{textOf(what), textOf(problem), textOf(expected), textOf(found)})
}

func (r *report) same(what, field any, expected, found string) {
	if found != expected {
		r.differ(what, field, expected, clip(found))
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
func (v *verifier) differ(what, problem, expected, found any) {
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
	r := request{path: listPath, accept: "text/plain"}
	a, err := v.client.ask(ctx, r, maxList)
	if broken, ok := errors.AsType[codingError](err); ok { // the rest can be checked by what it is without
		v.differ(listPath, notFetched, "", broken)
		r.coding = "identity"
		a, err = v.client.ask(ctx, r, maxList)
	}
	if err != nil {
		return nil, i18n.Errorf("fetch %s: %w", listPath, err)
	}
	v.noteSnapshot(a)
	switch {
	case a.status/100 == 3:
		return nil, i18n.Errorf(
			"fetch %s: it redirects to %q, which is not followed: verify that address if it is the server's", listPath,
			clip(a.header.Get("Location")),
		)
	case a.status != http.StatusOK:
		return nil, i18n.Errorf(
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
			v.differ(clip(text), i18n.New("of a kind that this build does not know"), "", "")
		case err != nil:
			return nil, i18n.Errorf("%s, line %d: %w", listPath, n, err)
		case v.known != nil && v.known[s.Tag] == nil:
			v.differ(s.Tag, i18n.New("not in the repository"), "", s.Checksum)
		case seen[s.Tag]:
			v.differ(s.Tag, i18n.New("listed twice"), "", "")
		case len(seals) == max(maxListed, len(v.known)):
			return nil, i18n.Errorf(
				"%s has more than %d publications: compare it with a repository, by --repo", listPath, maxListed,
			)
		default:
			seen[s.Tag] = true
			seals = append(seals, s)
		}
	}
	return seals, nil
}

// job is one request, and an additional check of its response.
type job struct {
	view
	check   func(answer, *report) // may be nil
	primary bool                  // counted by progress
}

// jobs lists the requests in random order, so that a server cannot recognize the client by
// it.
func (v *verifier) jobs(ctx context.Context, listed []content.Seal) []job {
	jobs := append(v.publications(listed), job{plain(upcomingPath, upcomingPath, anyJSON()), v.upcoming, true})
	if v.Repository != nil {
		v.compareLists(listed)
		for _, it := range v.Repository.Items {
			if e := it.Current; e != nil && e.Status != content.Redacted {
				jobs = append(
					jobs,
					job{
						plain(it.ID(), it.Kind.ItemPath(it.Name), anyJSON()),
						func(a answer, r *report) { v.current(e, a, r) }, true,
					},
				)
			}
		}
	}
	v.primary = len(jobs)
	jobs = append(append(jobs, v.proofs(listed)...), v.otherJobs(ctx, listed)...)
	rand.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	return jobs
}

// publications are the requests for the listed publications.
func (v *verifier) publications(listed []content.Seal) []job {
	var jobs []job
	for _, s := range listed {
		t := s.Named()
		jobs = append(
			jobs,
			job{plain(s.Tag, pathOf(t), anyJSON()), func(a answer, r *report) { v.publication(t, s, a, r) }, true},
		)
	}
	return jobs
}

// pathOf is the permanent path of a publication.
func pathOf(t content.Tag) string {
	return t.Kind.ItemPath(t.Name) + "/versions/" + t.Version.String()
}

// otherJobs are the requests for all other forms of the content.
func (v *verifier) otherJobs(ctx context.Context, listed []content.Seal) (jobs []job) {
	switch {
	case v.expected != nil:
		for _, w := range v.otherViews(ctx) {
			jobs = append(jobs, job{view: w})
		}
	case v.Repository == nil && v.Markdown != nil:
		jobs = v.repeats(ctx, listed)
	}
	return jobs
}

// each does the jobs concurrently, until the context ends or the run is aborted.
func (v *verifier) each(ctx context.Context, jobs []job) error {
	patience := min(maxPatience, cmp.Or(v.Timeout, defaultTimeout)+time.Duration(len(jobs))*maxWait/parallel)
	ctx, cancel := context.WithTimeoutCause(
		ctx, patience, i18n.Errorf("the server is too slow: %d answers took more than %s", len(jobs), patience),
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
	defer v.progress(j)
	want, limit, err := v.expectation(ctx, j)
	if err != nil {
		v.differ(j.what, i18n.New("cannot be compared"), "", err)
		return
	}
	ask := v.client.ask
	if j.path == healthPath {
		ask = v.client.once // an unhealthy server may answer 503
	}
	a, err := ask(ctx, j.request, limit)
	switch {
	case err != nil && ctx.Err() == nil:
		v.failed(j, err, stop)
	case err == nil:
		v.limitBytes(a, stop)
		v.add(v.checkAnswer(ctx, j, want, a))
	}
}

// expectation is the expected response, and the maximum size of the actual one; without a
// repository only the latter.
func (v *verifier) expectation(ctx context.Context, j job) (want answer, limit int64, err error) {
	if v.expected == nil {
		return answer{}, v.most, nil
	}
	want, err = v.expected.answer(ctx, j.request)
	return want, int64(len(want.body)) + maxSurplus, err
}

// checkAnswer returns the differences of a response. It is compared with the expected one
// only if the job's check finds none.
func (v *verifier) checkAnswer(ctx context.Context, j job, want, a answer) (r report) {
	v.noteSnapshot(a)
	if j.check != nil {
		j.check(a, &r)
	}
	if v.expected == nil || len(r) > 0 {
		return r
	}
	want, a = v.normalized(ctx, j.view, want, a)
	v.compare(&r, j.view, want, a)
	return r
}

// limitBytes aborts the run if the responses are too large.
func (v *verifier) limitBytes(a answer, stop context.CancelCauseFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bytes += len(a.body); v.bytes > maxTogether+maxMean*v.result.Answers {
		stop(i18n.Errorf("the server sends too much: %d MiB in %d answers", v.bytes>>20, v.result.Answers))
	}
}

// noteSnapshot records the snapshot of a response.
func (v *verifier) noteSnapshot(a answer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Answers++
	if id := a.header.Get("Mcp-Session-Id"); isSessionID(id) && len(v.sessions) < parallel {
		v.sessions = append(v.sessions, id)
	}
	if name := a.header.Get("X-Snapshot"); name != "" && len(v.snapshots) < 100 {
		if v.snapshots == nil {
			v.snapshots = map[string]bool{}
		}
		v.snapshots[clip(name)] = true
	}
}

// reportStale reports that the server is out of date if no other difference shows it, for
// instance in settings or marks.
func (v *verifier) reportStale(ctx context.Context) {
	if v.expected == nil || v.expected.Newer == nil || len(v.result.Differences) > 0 {
		return
	}
	for _, path := range v.expected.Newer.Paths {
		r := request{path: path, accept: jsonType}
		newer, err1 := v.expected.Newer.answer(ctx, r)
		older, err2 := v.expected.answer(ctx, r)
		if err1 == nil && err2 == nil &&
			(newer.status != older.status || !bytes.Equal(withoutTimes(newer.body), withoutTimes(older.body))) {
			v.differ(
				path, i18n.New("is older than the repository"), i18n.New("what the repository's head says"),
				i18n.New("what an older commit says"),
			)
			return
		}
	}
}

// note adds remarks at the end of the run.
func (v *verifier) note() {
	if len(v.snapshots) > 1 && len(v.result.Differences) > 0 {
		v.result.Notes = append(v.result.Notes, i18n.New("its content changed meanwhile, so verify it again"))
	}
}

// failed counts a failed request, and aborts the run after some.
func (v *verifier) failed(j job, err error, stop context.CancelCauseFunc) {
	v.differ(j.what, notFetched, "", err)
	v.count(&v.failures)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failures >= maxFailures {
		stop(i18n.Errorf("%d requests came to nothing, the last one for %s: %w", v.failures, j.path, err))
	}
}

// progress counts publications and current versions.
func (v *verifier) progress(j job) {
	if !j.primary {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done++
	if v.Progress != nil {
		v.Progress(v.done, v.primary)
	}
}

// clip shortens a text of a server for display.
func clip(s string) string {
	const most = 100
	s = s[:min(len(s), 4*most+utf8.UTFMax)]
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
