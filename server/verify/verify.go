package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"rulestore/content"
)

const (
	listPath = "/api/v1/checksums"

	// parallel is how many requests are under way at a time.
	parallel = 8
	// maxFailures is how many requests may come to nothing before the server is
	// given up.
	maxFailures = 20
	// defaultTimeout is how long one request may take.
	defaultTimeout = 30 * time.Second
)

// Config says what to verify.
type Config struct {
	URL string // the base address of the server
	// Repository is what a repository publishes; nil if only the server's own
	// words are compared.
	Repository *content.Snapshot
	Timeout    time.Duration         // of one request; 0 is half a minute
	Progress   func(done, total int) // called now and then, by one goroutine at a time; may be nil
}

// Difference is one place where the server does not serve what it should.
type Difference struct {
	What     string // a tag, or the name of an item
	Problem  string
	Expected string // "" where there is nothing to quote
	Found    string
}

// Result is what verifying came to.
type Result struct {
	Publications int          // that were fetched and checked
	Redacted     int          // of them
	Current      int          // items whose current version was compared
	Differences  []Difference // sorted; none if all is well
}

// Run verifies a server. An error means that it could not be verified as a whole.
func Run(ctx context.Context, c Config) (Result, error) {
	v := &verifier{Config: c, client: newClient(c.URL, cmp.Or(c.Timeout, defaultTimeout))}
	listed, err := v.list(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := v.each(ctx, v.jobs(listed)); err != nil {
		return Result{}, err
	}
	slices.SortFunc(v.result.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Found, b.Found))
	})
	return v.result, nil
}

type verifier struct {
	Config
	client *client

	mu       sync.Mutex
	result   Result
	failures int
	done     int
}

func (v *verifier) differ(what, problem, expected, found string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Differences = append(v.result.Differences, Difference{content.Printable(what), problem, expected, content.Printable(found)})
}

// count adds to one of the numbers of the result.
func (v *verifier) count(n *int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	*n++
}

// list fetches what the server says that it serves.
func (v *verifier) list(ctx context.Context) ([]content.Seal, error) {
	a, err := v.client.get(ctx, listPath, "text/plain", maxList)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", listPath, err)
	}
	if a.status != http.StatusOK {
		return nil, fmt.Errorf("fetch %s: the answer is %d: is this the base address of a rulestore?", listPath, a.status)
	}
	var seals []content.Seal
	n := 0
	for line := range bytes.Lines(a.body) {
		n++
		text := strings.TrimSuffix(string(line), "\n")
		s, err := content.ParseSeal(text)
		switch {
		case errors.Is(err, content.ErrForeignTag):
			v.differ(clip(text), "of a kind that this build does not know", "", "")
		case err != nil:
			return nil, fmt.Errorf("%s, line %d: %w", listPath, n, err)
		default:
			seals = append(seals, s)
		}
	}
	return seals, nil
}

// job is one request, and what becomes of its answer.
type job struct {
	path  string
	what  string
	check func(answer)
}

// jobs lists what is to be fetched: each publication that the server lists, and
// the current version of each item of the repository.
func (v *verifier) jobs(listed []content.Seal) []job {
	var jobs []job
	seen := map[string]bool{}
	for _, s := range listed {
		t, err := content.ParseTag(s.Tag)
		if err != nil || t.Kind == nil {
			continue // parsed with the seal
		}
		if seen[s.Tag] {
			v.differ(s.Tag, "listed twice", "", "")
			continue
		}
		seen[s.Tag] = true
		path := t.Kind.ItemPath(t.Name) + "/versions/" + t.Version.String()
		jobs = append(jobs, job{path, s.Tag, func(a answer) { v.publication(t, s, a) }})
	}
	if v.Repository == nil {
		return jobs
	}
	v.compare(listed)
	for _, it := range v.Repository.Items {
		if e := it.Current; e != nil && e.Status != content.Redacted {
			jobs = append(jobs, job{it.Kind.ItemPath(it.Name), it.ID(), func(a answer) { v.current(e, a) }})
		}
	}
	return jobs
}

// each does the jobs, some at a time, until the context ends or the server is
// given up.
func (v *verifier) each(ctx context.Context, jobs []job) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan job)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for j := range queue {
				a, err := v.client.get(ctx, j.path, "application/json", maxBody)
				if err != nil && ctx.Err() == nil {
					v.failed(j, err, stop)
				} else if err == nil {
					j.check(a)
				}
				v.progress(len(jobs))
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

// failed notes a request that came to nothing, and gives the server up after some.
func (v *verifier) failed(j job, err error, stop context.CancelCauseFunc) {
	v.differ(j.what, "cannot be fetched", "", err.Error())
	v.count(&v.failures)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failures >= maxFailures {
		stop(fmt.Errorf("%d requests came to nothing, the last one for %s: %w", v.failures, j.path, err))
	}
}

func (v *verifier) progress(total int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done++
	if v.Progress != nil {
		v.Progress(v.done, total)
	}
}

// clip shortens what a server sent, for people.
func clip(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
