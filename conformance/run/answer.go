package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// answer is what a program printed and ended with.
type answer struct {
	Error       struct{ Code, Message string }
	Diagnostics []diagnostic
	Objects     []object
	Packages    []pkg

	facts  map[string]any
	exit   int
	memory int64 // bytes at most, 0 where it is not known
	stderr string
}

type diagnostic struct {
	Class    string `json:"class"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Object   object `json:"object"`
	Path     string `json:"path"`
}

// fact is a value by its keys: spec.name is that of name in spec.
func (a *answer) fact(path string) any {
	var v any = a.facts
	for key := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	if list, ok := v.([]any); ok && len(list) == 0 {
		return nil
	}
	return v
}

func (a *answer) brief() string {
	text := ""
	if a.Error.Message != "" {
		text = fmt.Sprintf(": %s: %.300s", a.Error.Code, a.Error.Message)
	}
	for i, d := range a.Diagnostics {
		if i == 4 {
			break
		}
		text += fmt.Sprintf(" [%s %s:%d %.200s]", d.Rule, d.File, d.Line, d.Message)
	}
	if text == "" && a.stderr != "" {
		text = fmt.Sprintf(": %.300s", a.stderr)
	}
	return text
}

// program is what is tested: a command in which {job} is the name of the job, or which has
// it as its first argument.
type program struct {
	command []string
	timeout time.Duration
}

// line is the command for a job. It is called in another directory than the one it was
// written for, so files that it names get their complete names.
func (p *program) line(job string) ([]string, error) {
	var line []string
	placed := false
	for i, word := range p.command {
		placed = placed || strings.Contains(word, "{job}")
		word = strings.ReplaceAll(word, "{job}", job)
		info, err := os.Stat(word)
		if i == 0 && filepath.Base(word) != word || i > 0 && err == nil && info.Mode().IsRegular() {
			if word, err = filepath.Abs(word); err != nil {
				return nil, err
			}
		}
		line = append(line, word)
	}
	if !placed {
		line = append(line, job)
	}
	return line, nil
}

// run calls the program in a directory.
func (p *program) run(ctx context.Context, dir, home string, s *step, args []string) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	line, err := p.line(s.Job)
	if err != nil {
		return nil, err
	}
	line = append(append(line, "-o", "json"), args...)
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	c.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home+"/cache", "LocalAppData="+home, "USERPROFILE="+home, "DOCKER_CONFIG="+home)
	for key, value := range s.Env {
		c.Env = append(c.Env, key+"="+value)
	}
	c.WaitDelay = 5 * time.Second
	err = asUser(c.Start)
	if err == nil {
		err = c.Wait()
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("it did not end within %s", p.timeout)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	a := &answer{exit: c.ProcessState.ExitCode(), memory: peak(c.ProcessState), stderr: stderr.String()}
	for _, into := range []any{a, &a.facts} {
		if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
			return nil, fmt.Errorf("exit code %d, and its standard output is no JSON object (%v): %.300s%.300s", a.exit, err, stdout.Bytes(), stderr.Bytes())
		}
	}
	return a, nil
}
