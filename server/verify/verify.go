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
	// large is the number of publications beyond which other forms are sampled.
	large = 5_000
	// defaultTimeout is the time limit of a request.
	defaultTimeout = 30 * time.Second
)

// Config is the configuration of a verification.
type Config struct {
	URL        string            // the base URL of the server
	Repository *content.Snapshot // the published content of a repository; nil: there is none to compare with
	Log        *Log              // nil: the log is not checked
	// Markdown renders an item from its JSON, like this version of the program.
	Markdown func(t content.Tag, item content.Object) []byte
	Version  string                // of this program
	Timeout  time.Duration         // per request; 0 is half a minute
	Progress func(done, total int) // called for each publication, by one goroutine at a time; may be nil
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
	Current      int          // items whose current version was compared with the repository
	Answers      int          // all responses
	Leaves       int64        // of the log, signed and read
	Sampled      bool         // other forms were requested of some publications only: there are too many
	Differences  []Difference // sorted, limited; none if all is well
	More         int          // number of differences beyond the limit
	Notes        []i18n.Text  // remarks on both sides
}

// Run verifies a server. An error means that it could not be verified as a whole.
func Run(ctx context.Context, c Config) (Result, error) {
	v := &verifier{
		Config: c, client: newClient(c.URL, cmp.Or(c.Timeout, defaultTimeout)), known: entries(c.Repository),
		said: map[string]statement{}, served: map[string]content.Status{}, told: map[string]content.Status{},
	}
	listed, err := v.list(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := v.learn(ctx); err != nil {
		return Result{}, err
	}
	v.most = maxBody + int64(len(listed))*maxElement
	v.client.plain = len(listed) > large
	if v.ledger, err = v.readLedger(ctx); err != nil {
		return Result{}, err
	}
	v.checkListed(listed)
	v.checkLeaves(listed, time.Now())
	if err := v.each(ctx, v.jobs(listed)); err != nil {
		return Result{}, err
	}
	v.compareStatuses()
	v.samples(ctx, listed)
	v.checkLonger(ctx)
	v.note()
	slices.SortFunc(v.result.Differences, func(a, b Difference) int {
		return cmp.Or(byText(a.What, b.What), byText(a.Problem, b.Problem), byText(a.Found, b.Found))
	})
	return v.result, nil
}

type verifier struct {
	Config
	client  *client
	known   map[string]*content.Entry // by tag; nil without a repository
	files   bool                      // of an export
	same    bool                      // it runs this version of the program
	ledger  *ledger                   // nil if it cannot be read, or nobody asks
	chosen  map[string]bool           // tags of which other forms are requested
	primary int                       // number of jobs that progress counts
	most    int64                     // maximum size of a response, in bytes

	mu        sync.Mutex
	result    Result
	failures  int
	done      int
	bytes     int                       // of all answers
	said      map[string]statement      // by version and media type
	served    map[string]content.Status // of publications, by tag
	told      map[string]content.Status // in lists of versions
	snapshots map[string]bool
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

// job is one request, and the check of its response.
type job struct {
	what i18n.Text
	request
	check   func(answer, *report)
	primary bool // counted by progress
}

// get is a request; what is a text or a string.
func get(what any, path, accept string, check func(answer, *report)) job {
	return job{what: textOf(what), request: request{path: path, accept: accept}, check: check}
}

// jobs lists the requests in random order, so that a server cannot recognize the client by
// it.
func (v *verifier) jobs(listed []content.Seal) []job {
	v.choose(listed)
	jobs := append(v.publications(listed), get(upcomingPath, upcomingPath, anyJSON(), v.upcoming))
	if v.Repository != nil {
		v.compareLists(listed)
		for _, it := range v.Repository.Items {
			if e := it.Current; e != nil && e.Status != content.Redacted {
				jobs = append(jobs, get(
					it.ID(), it.Kind.ItemPath(it.Name), anyJSON(), func(a answer, r *report) { v.current(e, a, r) },
				))
			}
		}
	}
	for i := range jobs {
		jobs[i].primary = true
	}
	v.primary = len(jobs)
	jobs = slices.Concat(jobs, v.proofs(listed), v.forms(listed))
	rand.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	return jobs
}

// publications are the requests for the listed publications.
func (v *verifier) publications(listed []content.Seal) []job {
	var jobs []job
	for _, s := range listed {
		t := s.Named()
		jobs = append(
			jobs, get(s.Tag, pathOf(t), anyJSON(), func(a answer, r *report) { v.publication(t, s, a, r) }),
		)
	}
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
	a, err := v.client.ask(ctx, j.request, v.most)
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
	if name := a.header.Get("X-Snapshot"); name != "" && len(v.snapshots) < 100 {
		if v.snapshots == nil {
			v.snapshots = map[string]bool{}
		}
		v.snapshots[clip(name)] = true
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
