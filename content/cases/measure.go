package cases

import "slices"

// Measures are statistics of results. The shares are 0 if there are no questions.
type Measures struct {
	Cases              int     `json:"cases"`
	Failed             int     `json:"failed"`
	Questions          int     `json:"questions"`
	HitRate            float64 `json:"hit_rate"`
	MeanReciprocalRank float64 `json:"mean_reciprocal_rank"`
}

// Measure computes the statistics of results.
func Measure(all []Outcome) Measures {
	m := Measures{Cases: len(all)}
	hits := 0
	for _, r := range all {
		if !r.Passed() {
			m.Failed++
		}
		if r.Case.Search == nil {
			continue
		}
		m.Questions++
		if r.Passed() {
			hits++
		}
		if r.Rank > 0 {
			m.MeanReciprocalRank += 1 / float64(r.Rank)
		}
	}
	if m.Questions > 0 {
		m.HitRate = float64(hits) / float64(m.Questions)
		m.MeanReciprocalRank /= float64(m.Questions)
	}
	return m
}

// ChangedCase is a case whose result has changed.
type ChangedCase struct {
	Before Outcome `json:"before"`
	After  Outcome `json:"after"`
}

// Moved reports whether the answer to a question has another rank.
func (d ChangedCase) Moved() bool { return d.Before.Rank != d.After.Rank }

// Compare lists the cases whose results differ, in their order. Both are results of the same
// cases.
func Compare(before, after []Outcome) (all []ChangedCase) {
	for i, a := range after {
		b := before[i]
		if a.Rank != b.Rank || a.Passed() != b.Passed() || !slices.Equal(a.Got, b.Got) {
			all = append(all, ChangedCase{b, a})
		}
	}
	return all
}
