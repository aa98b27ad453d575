package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// session is one run of the program: its streams and its global flags.
type session struct {
	proc     Process
	global   globalOptions
	out      *bufio.Writer // the standard output
	err      *locked       // the standard error
	progress *progress     // nil where none is shown
	end      func()        // ends what begin began
}

func newSession(p Process) *session {
	s := &session{proc: p, err: &locked{w: p.Stderr}, end: func() {}}
	s.out = bufio.NewWriterSize(sink{s}, 64<<10)
	return s
}

// begin has progress shown, if a person looks at a terminal that can move its cursor, and the
// end of ctx told: keeps is whether the command then keeps what is done. The flags are known
// by now.
func (s *session) begin(ctx context.Context, keeps bool) {
	if w := s.proc.Columns(s.proc.Stderr); w > 0 && !s.global.quiet && s.proc.Getenv("TERM") != "dumb" {
		screen := io.Writer(s.err)
		if f, ok := s.proc.Stderr.(*os.File); ok { // whose console is asked how it moves its cursor
			screen = f
		}
		s.progress = newProgress(screen, w)
	}
	stopping := "stopping"
	if keeps {
		stopping = "stopping; what is done is kept"
	}
	told := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		defer close(told)
		s.notef("%s (Ctrl-C again ends at once)", stopping)
	})
	s.end = func() {
		if !unwatch() {
			<-told
		}
		s.progress.end()
	}
}

// locked makes a stream safe for a command and its progress to write to at once.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// sink is the standard output behind its buffer. An answer ends the progress before it,
// since both may stand on one terminal; and an error says where it came from.
type sink struct{ s *session }

func (k sink) Write(p []byte) (int, error) {
	k.s.progress.end()
	n, err := k.s.proc.Stdout.Write(p)
	if err != nil {
		err = fmt.Errorf("writing the answer: %w", err)
	}
	return n, err
}

// closedPipe reports whether err says that nobody reads what is written any more, as
// in "akin list | head -1": no fault of anyone.
func closedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // Windows
	return errors.Is(err, syscall.EPIPE) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// say writes a line to the standard error, above the progress if there is one.
func (s *session) say(line string) {
	if !s.progress.say(line) {
		fmt.Fprintln(s.err, line)
	}
}

// notef tells a person something that is no error; --quiet drops it.
func (s *session) notef(format string, args ...any) {
	if !s.global.quiet {
		s.say("akin: " + oneLine(fmt.Sprintf(format, args...)))
	}
}

// writeJSON writes v as one line of JSON.
func (s *session) writeJSON(v any) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// library is the folder of the library: the flag, AKIN_LIBRARY, or akin in the XDG data
// folder (on Windows in the folder for local data); "" where none of them is known.
func (s *session) library() string {
	if s.global.library != "" {
		return s.global.library
	}
	if dir := s.proc.Getenv("AKIN_LIBRARY"); dir != "" {
		return dir
	}
	return s.folder("XDG_DATA_HOME", ".local/share")
}

// folder is akin's folder below the one that an XDG variable names, by default a folder
// of the user's home. The XDG specification has relative paths ignored.
func (s *session) folder(variable, fallback string) string {
	if dir := s.proc.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "akin")
	}
	if dir := s.proc.Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "akin")
	}
	if home := s.proc.Getenv("HOME"); home != "" {
		return filepath.Join(home, filepath.FromSlash(fallback), "akin")
	}
	return ""
}

// open opens the library with an engine of the user's choice; the caller closes it.
func (s *session) open(ctx context.Context, o engineOptions) (*engine.Engine, error) {
	return engine.Open(ctx, s.config(o))
}

// config is what flags and environment say of the engine.
func (s *session) config(o engineOptions) engine.Config {
	name := o.engine
	if name == "" {
		name = s.proc.Getenv("AKIN_ENGINE")
	}
	return engine.Config{
		Library:   s.library(),
		Engine:    name,
		Precision: o.precision,
		Exact:     o.exact,
		Cache:     s.folder("XDG_CACHE_HOME", ".cache"),
		Progress:  s.progress.report,
		Warn:      func(message string) { s.notef("%s", message) },
	}
}

// openToRead is open, and says so where the seeds answer.
func (s *session) openToRead(ctx context.Context, o engineOptions) (*engine.Engine, error) {
	e, err := s.open(ctx, o)
	if err != nil {
		return nil, err
	}
	if e.OnSeeds() {
		s.notef("no library yet: the bundled seed papers answer (akin add PATH makes a library of yours)")
	}
	return e, nil
}
