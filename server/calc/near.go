package calc

// Near is the tool whose id is most like the one given, for those who made a
// typo: a tool is near if fewer than half of its letters have to change.
func (r *Registry) Near(id string) (*Tool, bool) {
	var best *Tool
	least := 0
	if len(id) > maxName {
		return nil, false
	}
	for _, t := range r.tools {
		if d := distance(id, t.ID); d < len(t.ID)/2 && (best == nil || d < least) {
			best, least = t, d
		}
	}
	return best, best != nil
}

// distance is how many letters have to be put in, taken out or exchanged to make
// one word of the other (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
