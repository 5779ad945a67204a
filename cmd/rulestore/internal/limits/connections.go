package limits

// defaultFiles is the assumed maximum number of open files if the system states none.
const defaultFiles = 1024

const (
	// connectionMemory is the memory of an open connection in bytes.
	connectionMemory = 21 << 10
	// mostConnections is the maximum number of connections if there is no other limit.
	mostConnections = 1 << 20
)

// Connections is the maximum number of open connections.
func Connections() int { return maxConnections(openFiles(), memoryLimit()) }

// maxConnections leaves free a quarter of the open files, as for reading the repository, and
// three quarters of the memory, for the content and for requests.
func maxConnections(files uint64, memory int64) int {
	return int(max(1, min(int64(min(files, mostConnections))*3/4, memory/4/connectionMemory)))
}
