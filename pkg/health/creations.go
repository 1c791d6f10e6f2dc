package health

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Creator is an object whose controller is to create Pods.
type Creator struct {
	Kind   view.Kind
	Object metav1.Object
	// Missing is how many Pods are to be created.
	Missing int
	// Pods are its own, those among them that are being deleted or have ended.
	Pods []*corev1.Pod
	// Replaced are Pods of others that the same rollout deletes while it goes on.
	Replaced []*corev1.Pod
	// Pod is one as it would be sent, Features what the API server makes of it.
	Pod      *corev1.Pod
	Features admission.Features
	// Failed is the stored condition that creations fail; nil for none.
	Failed *Failed
	// Events is what is read for the events of failed creations.
	Events view.Need
}

// failedCreate is the reason of events about failed creations.
const failedCreate = "FailedCreate"

// FailedCreates is what is read for the events of an object's failed creations.
func FailedCreates(k view.Kind, obj metav1.Object) view.Need {
	return view.Need{
		Kind: view.Events, Namespace: obj.GetNamespace(),
		Fields:    fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s,reason=FailedCreate", k.Kind, obj.GetName()),
		IfMissing: "whether creations fail is not known", Explains: true,
	}
}

// FailedCreatesOf is the same of a kind whose status says whether creations fail.
func FailedCreatesOf(k view.Kind, obj metav1.Object, fail bool) view.Need {
	need := FailedCreates(k, obj)
	need.IfMissing, need.Spare = "why creations failed is not known", !fail
	return need
}

// Failed is a condition of failed creations.
type Failed struct {
	Since   time.Time
	Message string
}

// Creations returns what refuses the Pods that are missing; none where nothing is
// known to. What admission lets pass now may have been refused before, by a webhook
// or something else that can't be asked: the newest event, or the condition, says so.
func Creations(r *view.Reader, c Creator, o Options) []decision.Cause {
	if c.Missing <= 0 {
		return nil
	}
	if ns := admission.Terminating(r, c.Object.GetNamespace()); ns != nil {
		since := timeOf(ns.DeletionTimestamp)
		if since.After(o.Now) {
			since = time.Time{}
		}
		return []decision.Cause{o.stops(decision.Cause{
			Object: ownership.RefTo(view.Namespaces, ns), Reason: "NamespaceTerminating", Label: "namespace " + ns.Name + " is being deleted",
			Message: "no object is created in a namespace that is being deleted", Evidence: "status.phase", Since: since,
			Next: describe("namespace", "", ns.Name),
		}, NamespaceGone, time.Time{})}
	}
	in := admission.Read(r, c.Object.GetNamespace())
	v := in.Review(c.Pod, c.Features)
	if v.Refusal != nil && v.Room < int64(c.Missing) {
		return []decision.Cause{c.refused(r, in, v, o)}
	}
	if before, found := RefusedBefore(r, c, o); found {
		return []decision.Cause{before}
	}
	return nil
}

// RefusedBefore returns what was said when a creation failed last; none where an event
// alone says so, and one of its Pods was created since.
func RefusedBefore(r *view.Reader, c Creator, o Options) (decision.Cause, bool) {
	said, found := c.said(r)
	if !found {
		return decision.Cause{}, false
	}
	return said.judge(c, o, admission.Known(r, c.Object.GetNamespace(), said.message)), true
}

// Doubts says of the next creation that it may be refused as the last one was; nothing
// where what refused that one can be read, and is asked again.
func Doubts(r *view.Reader, c Creator) []string {
	why, found := RefusedBefore(r, c, Options{Now: r.Now()})
	if !found || Retried(why) {
		return nil
	}
	return []string{fmt.Sprintf("the last attempt to create a Pod was refused (%s), and this one may be", why.Label)}
}

// MayFit reports whether what refused a Pod may accept the next one once Pods have given
// back what they use: a quota, or what is not known. Webhooks and other checks of the Pod
// itself say the same again.
func MayFit(c decision.Cause) bool { return c.Class == string(CreateFailed) }

// Retried reports whether what refused a Pod is known to accept the next one, so that only the
// retry is waited for.
func Retried(c decision.Cause) bool { return c.Class == string(CreateRetried) }

// stops is a cause that keeps the controller from what its sync is to do.
//
//go:noinline // it is called at many places
func (o Options) stops(c decision.Cause, class Class, began time.Time) decision.Cause {
	c.Stops = true
	return o.Judge(c, class, began)
}

// refused is what a quota, a LimitRange or validation says.
func (c Creator) refused(r *view.Reader, in admission.Namespace, v admission.Verdict, o Options) decision.Cause {
	cause := decision.Cause{Object: ownership.RefTo(c.Kind, c.Object), Reason: string(v.Refusal.Reason), Message: v.Refusal.Message, Since: c.since()}
	class := CreateForbidden
	switch by := v.Refusal.By.(type) {
	case *corev1.ResourceQuota:
		cause.Object, class = ownership.RefTo(view.ResourceQuotas, by), Quota
		cause.Label, cause.Evidence, cause.Next = "ResourceQuota "+by.Name+" refuses the Pods", "status.used", describe("resourcequota", by.Namespace, by.Name)
		if v.Refusal.Reason == admission.RequestMissing {
			cause.Briefs = []string{cause.Label}
			cause.Label = "ResourceQuota " + by.Name + ": must specify " + unspecified(v.Refusal.Message)
		}
	case *corev1.LimitRange:
		cause.Object = ownership.RefTo(view.LimitRanges, by)
		cause.Label, cause.Evidence, cause.Next = "LimitRange "+by.Name+" refuses the Pods", "spec.limits", describe("limitrange", by.Namespace, by.Name)
		if v.Refusal.Reason == admission.Invalid {
			cause.Label = "a default of LimitRange " + by.Name + " makes the Pods invalid"
			cause.Briefs = []string{"LimitRange " + by.Name + " makes the Pods invalid"}
			cause.Message += "; LimitRange " + by.Name + " sets the request or the limit by default: set both in the Pod template, or change its default"
		}
	default:
		cause.Label, cause.Evidence, cause.Next = "the API server refuses the Pods as invalid", "spec.template", c.describe()
	}
	if OfQuota(&cause, v.Refusal) {
		short := v.Refusal.Short
		cause.Message = fmt.Sprintf("%s %s of %s used%s, each Pod asks for %s", short.Resource, short.Used.String(), short.Hard.String(), c.users(r, short, o.Now), short.Each.String())
	}
	switch going := terminating(c.Pods); {
	case class != Quota:
	case v.Room+int64(going) >= int64(c.Missing):
		class = QuotaFreed
		cause.Message += "; " + format.Plural(going, "Pod") + " being deleted free enough once they are gone"
	case len(c.Replaced) > 0 && in.Without(c.Replaced, c.Features, o.Now).Review(c.Pod, c.Features).Room > v.Room:
		class = QuotaFreed
		cause.Message += "; " + format.Plural(len(c.Replaced), "Pod") + " that the rollout deletes will free some"
	}
	cause = o.stops(cause, class, cause.Since)
	cause.Stops = v.Room == 0 // else, some are created first
	return cause
}

// unspecified are the resources that a quota wants specified, without the containers that don't.
func unspecified(message string) string {
	_, what, _ := strings.Cut(message, ": must specify ")
	parts := strings.Split(what, "; ")
	for i, part := range parts {
		parts[i], _, _ = strings.Cut(part, " for: ")
	}
	return strings.Join(parts, "; ")
}

func (c Creator) since() time.Time {
	if c.Failed == nil {
		return time.Time{}
	}
	return c.Failed.Since
}

func (c Creator) describe() string {
	return describe(strings.ToLower(c.Kind.Kind), c.Object.GetNamespace(), c.Object.GetName())
}

// saying is what was said when a creation failed.
type saying struct {
	message, evidence string
	since             time.Time
	// last is when it was said last; zero where that is not known.
	last time.Time
}

// said is the newest message of a failed creation. Events of long ago, of a set whose
// condition was cleared since, say nothing, and nor do those from before its newest Pod.
func (c Creator) said(r *view.Reader) (saying, bool) {
	newest := events.Newest(view.List[*corev1.Event](r, c.Events, nil), c.Object.GetUID(), failedCreate)
	switch {
	case newest != nil && c.Failed != nil:
		return saying{newest.Message, "event " + newest.Name, c.Failed.Since, events.Last(newest)}, true
	case c.Failed != nil:
		return saying{c.Failed.Message, "status.conditions", c.Failed.Since, time.Time{}}, true
	case newest != nil && r.Now().Sub(events.Last(newest)) < retries && !c.createdAfter(events.Last(newest)):
		return saying{newest.Message, "event " + newest.Name, first(newest), events.Last(newest)}, true
	}
	return saying{}, false
}

// createdAfter reports whether any of its Pods was created after an instant.
func (c Creator) createdAfter(at time.Time) bool {
	return slices.ContainsFunc(c.Pods, func(p *corev1.Pod) bool { return p.CreationTimestamp.After(at) })
}

// retries is the longest back-off after a failed sync: an event that is older is not
// of the last attempt (client-go util/workqueue DefaultTypedControllerRateLimiter).
const retries = 1000 * time.Second

func first(e *corev1.Event) time.Time {
	if e.FirstTimestamp.IsZero() || events.Count(e) == 1 {
		return events.Last(e)
	}
	return e.FirstTimestamp.Time
}

// What API servers say (apiserver pkg/admission/plugin/webhook/errors/statuserror.go
// and webhook/request/errors, pkg/admission/plugin/resourcequota, v0.37.1).
var (
	deniedBy  = regexp.MustCompile(`admission webhook "([^"]+)" denied the request(?:: (.*))?`)
	calledFor = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
	exceeded  = regexp.MustCompile(`exceeded quota: ([^,]+), `)
	served    = regexp.MustCompile(`Post "https://([^."]+)\.([^."]+)\.svc[:/]`)
)

// refusals are what admission plugins of the API server refuse Pods for (plugin/pkg/admission
// serviceaccount, priority and runtimeclass, pod-security-admission admission/admission.go, v1.37.1,
// apiserver pkg/admission/plugin/policy/validating/dispatcher.go, v0.37.1).
var refusals = []struct {
	says          *regexp.Regexp
	reason, label string
	// next is the command to type in a namespace, with the name that the message has.
	next func(namespace, name string) string
}{
	{
		regexp.MustCompile(`violates PodSecurity "([^":]+)`), "PodSecurity", "PodSecurity %s refuses the Pods",
		func(namespace, _ string) string { return "kubectl get namespace " + namespace + " --show-labels" },
	},
	{
		regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)' (?:with binding '[^']+' )?denied request`), "ValidatingAdmissionPolicy", "denied by ValidatingAdmissionPolicy %s",
		func(_, name string) string { return describe("validatingadmissionpolicy", "", name) },
	},
	{
		regexp.MustCompile(`serviceaccount "([^"]+)" not found`), "ServiceAccountNotFound", "ServiceAccount %s not found",
		func(namespace, name string) string {
			return "kubectl create serviceaccount " + name + " -n " + namespace
		},
	},
	{
		regexp.MustCompile(`no PriorityClass with name (\S+) was found`), "PriorityClassNotFound", "PriorityClass %s not found",
		func(string, string) string { return "kubectl get priorityclasses" },
	},
	{
		regexp.MustCompile(`RuntimeClass "([^"]+)" not found`), "RuntimeClassNotFound", "RuntimeClass %s not found",
		func(string, string) string { return "kubectl get runtimeclasses" },
	},
}

// forbid completes the cause that the API server refuses Pods.
func forbid(c *decision.Cause, namespace string) {
	for _, r := range refusals {
		if m := r.says.FindStringSubmatch(c.Message); m != nil {
			c.Reason, c.Label = r.reason, fmt.Sprintf(r.label, m[1])
			if len(validation.IsDNS1123Subdomain(m[1])) == 0 {
				c.Next = r.next(namespace, m[1])
			}
			return
		}
	}
	c.Label = "the API server refuses the Pods"
}

// OfQuota makes a cause that of the quota of which a refusal says that it is exceeded, and
// reports whether it says so.
func OfQuota(c *decision.Cause, refusal *admission.Refusal) bool {
	if refusal == nil || refusal.Short == nil {
		return false
	}
	short := refusal.Short
	by := short.Quota
	c.Object = ownership.RefTo(view.ResourceQuotas, by)
	c.Reason, c.Evidence, c.Next = "ExceededQuota", "status.used["+string(short.Resource)+"]", describe("resourcequota", by.Namespace, by.Name)
	brief := fmt.Sprintf("ResourceQuota %s exceeded", by.Name)
	used := fmt.Sprintf("%s (%s: %s/%s", brief, short.Resource, short.Used.String(), short.Hard.String())
	c.Label, c.Briefs = used+")", []string{brief}
	if short.Used.Cmp(short.Hard) < 0 { // there is room, and too little of it
		c.Label, c.Briefs = used+", each asks for "+short.Each.String()+")", []string{c.Label, brief}
	}
	return true
}

// webhooks lists the configurations of webhooks: messages name only the webhook.
const webhooks = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"

// endpoints is the command that shows who serves a webhook that can't be called. One whose
// certificate is refused was reached: its configuration has the caBundle that it is held against.
func endpoints(message string) string {
	m := served.FindStringSubmatch(message)
	if m == nil || strings.Contains(message, ": x509: ") || len(validation.IsDNS1123Label(m[1]))+len(validation.IsDNS1123Label(m[2])) > 0 {
		return webhooks
	}
	if strings.HasSuffix(message, fmt.Sprintf("service %q not found", m[1])) {
		return fmt.Sprintf("kubectl get services -n %s", m[2])
	}
	return fmt.Sprintf("kubectl get endpointslices -n %s -l kubernetes.io/service-name=%s", m[2], m[1])
}

// judge returns what a message of a failed creation means. Where what refused it is known
// to accept the next one, only the retry is waited for.
func (s saying) judge(c Creator, o Options, accepted bool) decision.Cause {
	cause, class := s.cause(decision.Cause{Object: ownership.RefTo(c.Kind, c.Object), Reason: failedCreate, Label: "creating Pods fails", Next: c.describe()})
	if accepted {
		if class == CreateForbidden {
			cause.Label = "the API server refused the last attempt"
		}
		cause.Message += "; what refused it accepts the next attempt, which comes after a back-off of at most " + retries.String() + s.left(o.Now)
		return o.stops(cause, CreateRetried, s.last)
	}
	return o.stops(cause, class, s.since)
}

// left says within which time the longest back-off since the last attempt ends, empty where that is
// not known or over.
func (s saying) left(now time.Time) string {
	until := s.last.Add(retries)
	if s.last.IsZero() || !until.After(now) {
		return ""
	}
	return fmt.Sprintf(": the last one was %s ago, so within %s", format.Age(s.last, now), atMost(until.Sub(now)))
}

// atMost is an upper bound as ages are printed, which leave out the seconds of 10 minutes and more.
func atMost(d time.Duration) string {
	if d >= 10*time.Minute {
		d = (d + time.Minute - 1).Truncate(time.Minute)
	}
	return duration.HumanDuration(d)
}

// cause completes the cause that a write fails by what was said, and tells how long that
// may last.
func (s saying) cause(cause decision.Cause) (decision.Cause, Class) {
	cause.Message, cause.Since, cause.Evidence = s.message, s.since, s.evidence
	class := CreateFailed
	if m := deniedBy.FindStringSubmatch(s.message); m != nil {
		cause.Reason, cause.Label, class = "WebhookDenied", "denied by webhook "+m[1], WebhookDenied
		cause.Next = webhooks
	} else if m := calledFor.FindStringSubmatch(s.message); m != nil {
		cause.Reason, cause.Label, class = "WebhookFailed", "webhook "+m[1]+" fails", WebhookFailed
		cause.Next = endpoints(s.message)
	} else if m := exceeded.FindStringSubmatch(s.message); m != nil {
		cause.Label = "ResourceQuota " + m[1] + " refused the last attempt"
	} else if strings.Contains(s.message, " is forbidden: ") || strings.Contains(s.message, " is invalid: ") {
		forbid(&cause, cause.Object.Namespace)
		class = CreateForbidden
	}
	return cause, class
}
