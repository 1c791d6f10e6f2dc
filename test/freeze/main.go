package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	gocmp "github.com/google/go-cmp/cmp"
)

// verbs are asked of each cluster. TYPES are those that it holds, ONE is each
// of them that scales alone.
var verbs = []string{
	"explain TYPES", "explain TYPES -o json --no-truncate", "plan ONE --replicas 7 -o json --no-truncate", "plan ONE --replicas 4 --until-stable -o json", "orphans -A -o json",
}

// others are asked once.
var others = []string{
	"trace --from docs/examples/trace.jsonl", "trace --from docs/examples/trace.jsonl -o json", "trace --from docs/examples/trace.jsonl -o wide", "rules",
	"owners deploy/web --dependents --from docs/examples/shop.yaml", "explain rs -o html --from docs/examples/shop.yaml",
	"explain rs -o wide --from docs/examples/shop.yaml", "plan clonesets -o name --from docs/examples/cart.yaml", "snapshot clonesets --from docs/examples/cart.yaml",
}

func main() {
	keep := flag.String("keep", "", "a folder to keep the clusters in")
	flag.Parse()
	differ, err := run(*keep, flag.Args())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case differ > 0:
		os.Exit(1)
	}
}

func run(dir string, programs []string) (differ int, err error) {
	if len(programs) != 2 {
		return 0, errors.New("want two programs, OLD and NEW")
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "freeze"); err != nil {
			return 0, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	questions, err := all(dir)
	if err != nil {
		return 0, err
	}
	diffs, err := compareAll(programs[0], programs[1], questions)
	for i, diff := range diffs {
		if diff != "" {
			differ++
			fmt.Printf("== %s\n%s\n", strings.ReplaceAll(questions[i], dir+string(filepath.Separator), ""), diff)
		}
	}
	fmt.Printf("%d of %d answers differ\n", differ, len(questions))
	return differ, err
}

// compareAll compares the answers to all questions, as many at once as there
// are processors.
func compareAll(before, after string, questions []string) ([]string, error) {
	diffs, errs := make([]string, len(questions)), make([]error, len(questions))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				diffs[i], errs[i] = compare(before, after, questions[i])
			}
		})
	}
	for i := range questions {
		next <- i
	}
	close(next)
	workers.Wait()
	return diffs, errors.Join(errs...)
}

// all are the questions.
func all(dir string) ([]string, error) {
	held, err := clusters(dir)
	if err != nil {
		return nil, err
	}
	questions := slices.Clone(others)
	for _, c := range held {
		for _, verb := range verbs {
			questions = append(questions, c.questions(verb)...)
		}
	}
	return questions, nil
}

func (c cluster) questions(verb string) []string {
	switch {
	case strings.Contains(verb, "TYPES"):
		if c.types == "" {
			return nil
		}
		return []string{strings.Replace(verb, "TYPES", c.types, 1) + " --from " + c.file}
	case strings.Contains(verb, "ONE"):
		var out []string
		for one := range strings.SplitSeq(c.types, ",") {
			if one != "" && (one != "deploy" || !strings.Contains(verb, "--until-stable")) {
				out = append(out, strings.Replace(verb, "ONE", one, 1)+" --from "+c.file)
			}
		}
		return out
	}
	return []string{verb + " --from " + c.file}
}

// compare is the difference of two answers, empty for none.
func compare(before, after, question string) (string, error) {
	was, err := answer(before, question)
	if err != nil {
		return "", err
	}
	is, err := answer(after, question)
	if err != nil {
		return "", err
	}
	return gocmp.Diff(was, is), nil
}

// answer is what a program prints, on both streams, and its exit status.
func answer(program, question string) (string, error) {
	cmd := exec.Command(program, strings.Fields(question)...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "KUBECONFIG="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return "", err
	}
	text := strings.ReplaceAll(string(out), filepath.Base(program)+" ", "kubectl-ctrl ")
	return fmt.Sprintf("%sexit status %d\n", text, cmd.ProcessState.ExitCode()), nil
}
