package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A corpus is made of the test documents' passages, mixed with rare words in the
// proportions of a natural language.
type corpus struct {
	rng      *rand.Rand
	zipf     *rand.Zipf
	passages []string
	rare     []string
}

func newCorpus(t testing.TB) *corpus {
	c := &corpus{rng: rand.New(rand.NewPCG(1, 2))}
	for _, d := range documents(t) {
		for _, p := range d.Text {
			c.passages = append(c.passages, p.Text)
		}
	}
	syllables := strings.Fields("ба ве ги до жу за ки ло ма не по ра си ту фе ха це чи ша")
	endings := strings.Fields("ция ции цию ость ости ник ника нику ный ного ным ать ал али")
	for range 20000 {
		var w strings.Builder
		for range 2 + c.rng.IntN(3) {
			w.WriteString(syllables[c.rng.IntN(len(syllables))])
		}
		c.rare = append(c.rare, w.String()+endings[c.rng.IntN(len(endings))])
	}
	c.zipf = rand.NewZipf(c.rng, 1.1, 20, uint64(len(c.rare)-1))
	return c
}

// frequent returns the n most frequent words.
func (c *corpus) frequent(n int) []string {
	counts := map[string]int{}
	for s := (scanner{src: strings.Join(c.passages, " ")}); s.next(); {
		if s.cyrillic && !stopWords[string(s.text)] {
			counts[string(s.text)]++
		}
	}
	words := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(words, func(a, b string) int { return counts[b] - counts[a] })
	return words[:n]
}

// document has the size of a guideline: about 1,300 words in 60 passages.
func (c *corpus) document(i int) Document {
	areas := []string{"product.deposit", "product.mortgage", "fraud.ai-deepfake", "consumer-rights"}
	d := Document{
		Kind:      []string{"guideline", "instruction", "term", "signal", "parameter"}[i*5/2000%5],
		ID:        fmt.Sprintf("%s.%c%c.%03d", areas[i%4], 'a'+i%26, 'a'+i/26%26, i/3380*10+i%10),
		Title:     c.rare[c.zipf.Uint64()] + " " + c.rare[c.zipf.Uint64()] + " вклада",
		Scenarios: []string{[]string{"fraud_risk", "product_analysis"}[i%2]},
	}
	d.Codes = []string{d.ID}
	for range 60 {
		words := strings.Fields(c.passages[c.rng.IntN(len(c.passages))])
		for j := range words {
			if c.rng.IntN(2) == 0 {
				words[j] = c.rare[c.zipf.Uint64()]
			}
		}
		d.Text = append(d.Text, Passage{Text: strings.Join(words, " ")})
	}
	return d
}

func (c *corpus) entries(n int) []*AnalysedDocument {
	var all []*AnalysedDocument
	for i := range n {
		all = append(all, Analyse(c.document(i)))
	}
	return all
}

func BenchmarkAnalyse(b *testing.B) {
	d := newCorpus(b).document(0)
	words := 0
	for _, p := range d.Text {
		words += len(strings.Fields(p.Text))
	}
	for b.Loop() {
		Analyse(d)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*words), "ns/word")
}

func BenchmarkNew(b *testing.B) {
	entries := newCorpus(b).entries(2000)
	for b.Loop() {
		New(entries, synonyms)
	}
}

func BenchmarkSearch(b *testing.B) { benchmarkSearch(b, 2000) }

// BenchmarkSearch20000 is of ten times as many.
func BenchmarkSearch20000(b *testing.B) { benchmarkSearch(b, 20000) }

func benchmarkSearch(b *testing.B, items int) {
	c := newCorpus(b)
	x := New(c.entries(items), synonyms)
	for _, q := range []struct{ name, text string }{
		{"rare", c.rare[1000]},
		{"common", "банк вклада"},
		{"four", "досрочное закрытие вклада процент"},
		{"code", "product.dep"},
		{"names", "омбудсмен депозит пск"},
		{"whole", "product.deposit.a"},
		{"prefixes", "pr pro prod produ produc product de dep depo deposi deposit 001"},
		{"stop", "и в не на что"},
		{"hostile", strings.Join(c.frequent(250), " ")},
		{"none", "абракадабра"},
		{"misspelt", "дасрочное закритие вкалда процэнт"},
		{"layout", "ljchjxyjt pfrhsnbt drkflf"},
		{"unknown", "gilovenetseqi konlochifeveqi siprostrazhupoqi tsechituprotseqi zasituhadoqi strapohaqi " +
			"chidoraqi prosineqi"},
		{"far", "xqkhczhischyiaoqxqkhczhischyiaoq " + strings.Repeat("щ", 32)},
		{"blank", ""},
	} {
		b.Run(q.name, func(b *testing.B) {
			var times, work []time.Duration
			var total int
			for b.Loop() {
				start, before := time.Now(), processorTime(b)
				total = x.Search(Query{Text: q.text, Limit: 20}).Total // as a page of the service
				times, work = append(times, time.Since(start)), append(work, processorTime(b)-before)
			}
			b.ReportMetric(p99(times), "µs/p99")
			b.ReportMetric(p99(work), "cpu-µs/p99")
			b.ReportMetric(float64(total), "found")
		})
	}
}

func p99(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)*99/100].Microseconds())
}

// processorTime is what the process has used: it says something on a busy machine, too.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkMemory says what one entry and its share of an index take, besides
// the document.
func BenchmarkMemory(b *testing.B) {
	c := newCorpus(b)
	var docs []Document
	for i := range 2000 {
		docs = append(docs, c.document(i))
	}
	for b.Loop() {
		before := heap()
		var entries []*AnalysedDocument
		for _, d := range docs {
			entries = append(entries, Analyse(d))
		}
		analysed := heap()
		x := New(entries, synonyms)
		after := heap()
		b.ReportMetric(float64(analysed-before)/2000, "B/entry")
		b.ReportMetric(float64(after-analysed)/2000, "B/indexed")
		b.ReportMetric(float64(len(x.postings)), "postings")
		runtime.KeepAlive(x)
	}
	size := 0
	for _, d := range docs {
		for _, p := range d.Text {
			size += len(p.Text) + 1
		}
	}
	b.ReportMetric(float64(size)/2000, "B/text")
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
