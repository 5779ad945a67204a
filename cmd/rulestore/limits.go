package main

// defaultFiles is what is assumed where the system does not say how many files
// may be open.
const defaultFiles = 1024

const (
	// connectionMemory is how much memory an open connection takes, in bytes.
	connectionMemory = 21 << 10
	// mostConnections is how many there may be where nothing else bounds them.
	mostConnections = 1 << 20
)

// maxConnections is how many connections may be open: of the files that may be open a
// quarter is left for everything else, without which the repository could not be read, and
// of the memory three quarters, for the content and for what connections ask for.
func maxConnections(files uint64, memory int64) int {
	return int(max(1, min(int64(min(files, mostConnections))*3/4, memory/4/connectionMemory)))
}

// maxWaiting is how many connections more may wait for one of those to be closed.
func maxWaiting() int { return int(min(openFiles()/8, 1024)) }
