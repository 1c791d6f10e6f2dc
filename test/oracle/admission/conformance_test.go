package admission

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// share is how many cases per version an everyday run takes; $ORACLE_STATES
// sets another number.
const share = 20_000

// versions are those whose oracles answer for admission.
var versions = []string{"1.37"}

func TestAdmission(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs upstream's admission")
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			n := program.States(t, version, share)
			dir, err := oracle.BinariesOf("..", version)
			if err != nil {
				t.Fatal(err)
			}
			check(t, filepath.Join(dir, "oracle-"+version), version, n)
		})
	}
}

// check asks n cases and reports what came out how often.
func check(t *testing.T, binary, version string, n int) {
	v, err := profile.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	f := admission.FeaturesOf(v)
	cmd := exec.Command(binary, "admission")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		w := bufio.NewWriterSize(in, 1<<20)
		to := json.NewEncoder(w)
		for seed := range n {
			if to.Encode(newDraw(seed, f.PodLevel, f.DeviceClasses).request()) != nil {
				return
			}
		}
		_ = w.Flush()
		_ = in.Close()
	}()
	from := json.NewDecoder(bufio.NewReaderSize(out, 1<<20))
	reasons, wrong := map[admission.Reason]int{}, 0
	for seed := range n {
		var theirs Answer
		if err := from.Decode(&theirs); err != nil {
			t.Fatal(err)
		}
		req := newDraw(seed, f.PodLevel, f.DeviceClasses).request()
		ours, reason := answer(req, f, theirs)
		reasons[reason]++
		if ours.Accepted != theirs.Accepted || ours.Stage != theirs.Stage || !slices.Equal(ours.Errors, theirs.Errors) {
			if wrong++; wrong <= 3 {
				text, _ := json.Marshal(req)
				t.Errorf("seed %d: predicted %+v, observed %+v for\n%s", seed, ours, theirs, text)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	for _, reason := range []admission.Reason{"", admission.Invalid, admission.OutsideRange, admission.RequestMissing, admission.UsageNotCounted, admission.QuotaExceeded} {
		if reasons[reason] == 0 {
			t.Errorf("no case comes out as %q", reason)
		}
	}
	t.Logf("%d cases, %d disagree: %v", n, wrong, reasons)
}

var quotaNamed = regexp.MustCompile(`quota: (quota-\d)`)

// answer is what package admission predicts, as an oracle would say it. Where
// several quotas refuse the same object, which one says so is chance: it is
// asked of the one that upstream names.
func answer(r *Request, f admission.Features, theirs Answer) (Answer, admission.Reason) {
	ns := admission.Namespace{LimitRanges: r.LimitRanges}
	for i := range r.Quotas {
		ns.Quotas = append(ns.Quotas, &r.Quotas[i])
	}
	v := review(ns, r, f)
	if v.Refusal == nil || v.Room >= tries {
		return Answer{Accepted: tries}, ""
	}
	a := Answer{Accepted: int(v.Room)}
	message := v.Refusal.Message
	switch v.Refusal.Reason {
	case admission.Invalid:
		a.Stage = "invalid"
	case admission.OutsideRange:
		a.Stage = "limits"
	default:
		a.Stage = "quota"
		if m := quotaNamed.FindStringSubmatch(strings.Join(theirs.Errors, "")); m != nil {
			ns.Quotas = slices.DeleteFunc(ns.Quotas, func(q *corev1.ResourceQuota) bool { return q.Name != m[1] })
			if one := review(ns, r, f); one.Refusal != nil && one.Room == v.Room {
				message = one.Refusal.Message
			}
		}
		of := "pods"
		if r.Count != "" {
			of = r.Count
		}
		a.Errors = []string{of + ` "new" is forbidden: ` + message}
		return a, v.Refusal.Reason
	}
	// Errors of one kind are compared as sets of texts.
	a.Errors = v.Refusal.All
	return a, v.Refusal.Reason
}

func review(ns admission.Namespace, r *Request, f admission.Features) admission.Verdict {
	if r.Count != "" {
		return ns.ReviewCount(schema.ParseGroupResource(r.Count))
	}
	return ns.Review(r.Pod, f)
}
