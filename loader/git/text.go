package git

import "bytes"

// Differing returns the lines in which two versions of a text differ.
func Differing(now, before []byte) (here, there []byte) {
	start := bytes.LastIndexByte(now[:commonPrefix(now, before)], '\n') + 1
	now, before = now[start:], before[start:]
	same := commonSuffix(now, before)
	return throughLine(now, len(now)-same), throughLine(before, len(before)-same)
}

// throughLine returns the beginning of a text, up to the end of the line that it ends in.
func throughLine(text []byte, end int) []byte {
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		return text[:end+i+1]
	}
	return text
}

// block is the number of bytes compared at once.
const block = 1 << 10

// commonPrefix returns the length of the common prefix of a and b.
func commonPrefix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for n+block <= most && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix returns the length of the common suffix of a and b.
func commonSuffix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	a, b = a[len(a)-most:], b[len(b)-most:]
	for n+block <= most && bytes.Equal(a[most-n-block:most-n], b[most-n-block:most-n]) {
		n += block
	}
	for n < most && a[most-n-1] == b[most-n-1] {
		n++
	}
	return n
}
