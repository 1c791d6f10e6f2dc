package main

import (
	"context"
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
	"time"

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
	results, err := compareAll(programs[0], programs[1], questions)
	errorsOnly := 0
	for i, r := range results {
		if r.diff != "" {
			differ++
			fmt.Printf("== %s\n%s\n", strings.ReplaceAll(questions[i], dir+string(filepath.Separator), ""), r.diff)
		}
		if r.failed {
			errorsOnly++
		}
	}
	fmt.Printf("%d of %d answers differ; %d of them are errors\n", differ, len(questions), errorsOnly)
	if err == nil && errorsOnly > len(questions)/mostErrors {
		err = fmt.Errorf("%d of %d answers of the old program are errors: those say nothing about the new one", errorsOnly, len(questions))
	}
	return differ, err
}

// mostErrors bounds the answers that may be errors, as a part of all: an error is
// the same in both programs, whatever they would decide.
const mostErrors = 10

// result is what came of one question: how the answers differ, and whether the old
// one is an error.
type result struct {
	diff   string
	failed bool
}

// compareAll compares the answers to all questions, as many at once as there
// are processors.
func compareAll(before, after string, questions []string) ([]result, error) {
	results, errs := make([]result, len(questions)), make([]error, len(questions))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				results[i], errs[i] = compare(before, after, questions[i])
			}
		})
	}
	for i := range questions {
		next <- i
	}
	close(next)
	workers.Wait()
	return results, errors.Join(errs...)
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
			if one != "" {
				out = append(out, strings.Replace(verb, "ONE", one, 1)+" --from "+c.file)
			}
		}
		return out
	}
	return []string{verb + " --from " + c.file}
}

// compare asks both programs a question.
func compare(before, after, question string) (result, error) {
	was, status, err := answer(before, question)
	if err != nil {
		return result{}, err
	}
	is, _, err := answer(after, question)
	return result{difference(was, is), status == noAnswer}, err
}

// mostText is the most of two answers that are compared line by line, which takes
// many times their memory.
const mostText = 1 << 20

func difference(was, is string) string {
	if was != is && len(was)+len(is) > mostText {
		return fmt.Sprintf("answers of %d and %d bytes differ", len(was), len(is))
	}
	return gocmp.Diff(was, is)
}

// patience is how long a program may take for one answer.
const patience = 2 * time.Minute

// noAnswer is the exit status of an error.
const noAnswer = 2

// answer is what a program prints, on both streams, and its exit status.
func answer(program, question string) (text string, status int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, strings.Fields(question)...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "KUBECONFIG="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Sprintf("no answer within %s", patience), noAnswer, nil
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return "", 0, err
	}
	text = strings.ReplaceAll(string(out), filepath.Base(program)+" ", "kubectl-ctrl ")
	status = cmd.ProcessState.ExitCode()
	return fmt.Sprintf("%sexit status %d\n", text, status), status, nil
}
