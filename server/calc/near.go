package calc

// Near returns the tool whose id is the most similar to a mistyped one: fewer than half
// of its letters have to change.
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

// distance is the Levenshtein distance of two words.
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
