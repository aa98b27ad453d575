package corpus

// Writer writes records in one format. What it writes, the reader of the same format
// reads back as it was.
type Writer interface {
	Write(Record) error
	// Close writes what the format has behind the last record. It does not close what is
	// written to.
	Close() error
}
