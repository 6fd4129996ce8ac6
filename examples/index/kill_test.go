package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// child is the program, run in a directory with credentials of nobody.
func child(t testing.TB, dir string, args ...string) (cmd *exec.Cmd, output *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), "index", args...)
	output = &bytes.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, output, output
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	return cmd, output
}

// ends runs the program to its end.
func ends(t testing.TB, code int, dir string, args ...string) string {
	t.Helper()
	cmd, output := child(t, dir, args...)
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("index %q: exit code %d, want %d: %s", args, got, code, output)
	}
	return output.String()
}

// killed starts the program and kills it, with no time to clean up, when the registry has
// answered so many requests.
func killed(t testing.TB, r *hostingRegistry, requests int, dir string, args ...string) {
	t.Helper()
	reached := r.after(requests)
	cmd, output := child(t, dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		t.Fatalf("it ended before it was killed: %s", output)
	case <-reached:
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if cmd.ProcessState.Success() || cmd.ProcessState.Exited() && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("it was not killed: %s, %s", cmd.ProcessState, output)
	}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sorted(texts ...string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")...)
	}
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], "\n")
	}
	slices.Sort(all)
	return all
}

// Two thousand references: a run that is killed twice and started again gives the file that
// one run gives, byte for byte, and so, in another order, do seven parts as the Job runs them.
func TestTwoThousand(t *testing.T) {
	packages, tags := 100, 20
	if testing.Short() {
		packages, tags = 10, 10
	}
	r := newRegistry(t)
	references := r.references(t, packages, tags)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "references.txt"), "# all of them\n\n"+strings.Join(references, " # one\r\n"))
	one := filepath.Join(dir, "one.jsonl")
	told := ends(t, 1, dir, "-f", "references.txt", "-out", one)
	want := readFile(t, one)
	slices.Sort(references)
	references = slices.Compact(references)
	if got, failed := len(sorted(want)), packages*3/10; got != len(references) || !strings.Contains(told, fmt.Sprintf("%d references: %d read, 0 unchanged, %d failed", got, got-failed, failed)) {
		t.Fatalf("%d lines for %d references, and it says %q", got, len(references), told)
	}

	t.Run("killed", func(t *testing.T) {
		file := filepath.Join(dir, "killed.jsonl")
		lines := 0
		for _, share := range []int{1, 2} {
			killed(t, r, packages*tags*share*3/2, dir, "-f", "references.txt", "-out", file)
			now := strings.Count(readFile(t, file), "\n")
			if now <= lines || now >= len(references) {
				t.Fatalf("%d lines, and before it was killed the last time %d", now, lines)
			}
			lines = now
			// Which part of a line is written when it is killed is luck.
			write(t, file, readFile(t, file)+`{"reference":"`+references[0]+`","dig`)
		}
		ends(t, 1, dir, "-f", "references.txt", "-out", file)
		if got := readFile(t, file); got != want {
			t.Errorf("%d lines of %d bytes, want %d lines of %d bytes", strings.Count(got, "\n"), len(got), strings.Count(want, "\n"), len(want))
		}
	})

	t.Run("parts", func(t *testing.T) {
		var files []string
		for index, args := range jobArgs(t) {
			for i, arg := range args {
				args[i] = strings.ReplaceAll(arg, "/data/", dir+"/")
			}
			cmd, output := child(t, dir, args...)
			_ = cmd.Run()
			file := readFile(t, filepath.Join(dir, fmt.Sprintf("index-%d.jsonl", index)))
			code := 0
			if strings.Contains(file, `"error":{`) {
				code = 1
			}
			if got := cmd.ProcessState.ExitCode(); got != code {
				t.Errorf("part %d: exit code %d, want %d: %s", index, got, code, output)
			}
			if n := strings.Count(file, "\n"); n < len(references)/14 {
				t.Errorf("part %d has %d lines of %d", index, n, len(references))
			}
			files = append(files, file)
		}
		if len(files) != 7 {
			t.Fatalf("%d parts, want 7", len(files))
		}
		if !slices.Equal(sorted(files...), sorted(want)) {
			t.Error("the parts together are not the whole")
		}
	})

	t.Run("again", func(t *testing.T) {
		r.took()
		told := ends(t, 1, dir, "-f", "references.txt", "-out", "again.jsonl", "-previous", one)
		asked := r.took()
		if got := readFile(t, filepath.Join(dir, "again.jsonl")); got != want {
			t.Error("the file is another one")
		}
		// What is no reference or not there cannot be unchanged. What is no package is.
		if failed := packages * 3 / 10; asked["GET blobs"] != 0 || !strings.Contains(told, fmt.Sprintf(" 0 read, %d unchanged, %d failed", len(references)-failed, failed)) {
			t.Errorf("asked for %v, and it says %q", asked, told)
		}
	})
}

// jobArgs are the arguments of each pod of the Job.
func jobArgs(t testing.TB) [][]string {
	t.Helper()
	text, _, _ := strings.Cut(readFile(t, "job.yaml"), "\n---\n")
	var job struct {
		Spec struct {
			Completions int
			Template    struct {
				Spec struct {
					Containers []struct{ Args []string }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for index := range job.Spec.Completions {
		var args []string
		for _, arg := range job.Spec.Template.Spec.Containers[0].Args {
			args = append(args, strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index)))
		}
		all = append(all, args)
	}
	return all
}
