package main

import (
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/pflag"
)

// logFlags are the flags of logging.
type logFlags struct {
	format, level string
}

const (
	formatFlag = "log-format"
	jsonFormat = "json"
)

// wantsJSON reports whether a command line, which may be wrong, asks for lines of JSON.
func wantsJSON(args []string, getenv func(string) string) bool {
	wanted := getenv(variable(formatFlag)) == jsonFormat
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--"+formatFlag+"="); ok {
			wanted = value == jsonFormat
		} else if arg == "--"+formatFlag && i+1 < len(args) {
			wanted = args[i+1] == jsonFormat
		}
	}
	return wanted
}

func (f *logFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, formatFlag, "text", "how log lines are written: text or json")
	flags.StringVar(
		&f.level, "log-level", "info",
		"the least that is logged: debug, info, warn or error; with debug, operators are answered at /debug/pprof too",
	)
}

func (f logFlags) check() error {
	if f.format != "text" && f.format != jsonFormat {
		return usageErrorf("--log-format %q: expected text or json", f.format)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.level)); err != nil {
		return usageErrorf("--log-level %q: expected debug, info, warn or error", f.level)
	}
	return nil
}

// debug reports whether everything is logged.
func (f logFlags) debug() bool {
	var level slog.Level
	return level.UnmarshalText([]byte(f.level)) == nil && level <= slog.LevelDebug
}

// logger returns the logger that valid flags ask for.
func (f logFlags) logger(w io.Writer) *slog.Logger {
	var options slog.HandlerOptions
	var level slog.Level
	if level.UnmarshalText([]byte(f.level)) == nil {
		options.Level = level
	}
	if f.format == jsonFormat {
		options.ReplaceAttr = durationsInSeconds
		return slog.New(slog.NewJSONHandler(w, &options))
	}
	return slog.New(slog.NewTextHandler(w, &options))
}

// durationsInSeconds writes durations as numbers that programs can add up.
func durationsInSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key, a.Value.Duration().Seconds())
	}
	return a
}
