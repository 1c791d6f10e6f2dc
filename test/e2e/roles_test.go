package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// reader is a user who has nothing but the role of docs/rbac that is tested.
const reader = "reader"

// TestRoles applies each role of docs/rbac as it is written. With it, no answer
// about a world that needs everything has a word of what is forbidden; without
// any one of its resources some answer names that resource.
func TestRoles(t *testing.T) {
	paths, err := filepath.Glob("../../docs/rbac/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no roles: %v", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			s, known := situations[name]
			if !known {
				t.Fatalf("%s belongs to no situation", path)
			}
			w := newWorld(t, t.Name())
			s.make(w)
			role := readRole(t, path)
			w.grant(role, nil)
			w.wantNothingForbidden(reader, s)
			for _, left := range eachResource(role) {
				w.grant(role, &left)
				w.wantNamed(s, left)
			}
		})
	}
}

// right is a resource that a rule of a role lets somebody read.
type right struct {
	rule           int
	group, name    string
	verb, instance string
}

func (r right) String() string { return fmt.Sprintf("%s %s of %q", r.verb, r.name, r.group) }

// readRole reads a role and demands that it is the least in form: it gives no
// verb but get and list, and to who traces list and watch.
func readRole(t *testing.T, path string) *rbacv1.ClusterRole {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(text, &role); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if verb != "get" && verb != "list" && (verb != "watch" || role.Name != "kubectl-ctrl-trace") {
				t.Errorf("%s lets its user %s %v", path, verb, rule.Resources)
			}
		}
	}
	return &role
}

// eachResource lists the rights one by one, by resource and verb.
func eachResource(role *rbacv1.ClusterRole) []right {
	var all []right
	for i, rule := range role.Rules {
		for _, name := range rule.Resources {
			for _, verb := range rule.Verbs {
				r := right{rule: i, group: rule.APIGroups[0], name: name, verb: verb}
				if len(rule.ResourceNames) > 0 {
					r.instance = rule.ResourceNames[0]
				}
				all = append(all, r)
			}
		}
	}
	return all
}

// less is the role without one right.
func less(role *rbacv1.ClusterRole, without right) *rbacv1.ClusterRole {
	given := role.DeepCopy()
	rule := &given.Rules[without.rule]
	rest := rule.DeepCopy()
	rest.Resources, rest.Verbs = []string{without.name}, slices.DeleteFunc(rest.Verbs, func(v string) bool { return v == without.verb })
	rule.Resources = slices.DeleteFunc(rule.Resources, func(r string) bool { return r == without.name })
	if len(rule.Resources) == 0 {
		given.Rules = slices.Delete(given.Rules, without.rule, without.rule+1)
	}
	if len(rest.Verbs) > 0 {
		given.Rules = append(given.Rules, *rest)
	}
	return given
}

// grant gives the reader the role, without one resource, and waits until the
// server knows.
func (w *world) grant(role *rbacv1.ClusterRole, without *right) {
	w.Helper()
	given := role.DeepCopy()
	if without != nil {
		given = less(role, *without)
	}
	roles := w.client.RbacV1().ClusterRoles()
	w.gone(roles.Delete(w.Context(), given.Name, metav1.DeleteOptions{}))
	_, err := roles.Create(w.Context(), given, metav1.CreateOptions{})
	w.check(err)
	w.bind(given.Name)
	for _, r := range eachResource(role) {
		w.waitForAccess(reader, r, without == nil || r != *without)
	}
}

// gone wants a deletion to succeed, or to find nothing.
func (w *world) gone(err error) {
	w.Helper()
	if !apierrors.IsNotFound(err) {
		w.check(err)
	}
}

// bind makes the role the only one that the reader has.
func (w *world) bind(role string) {
	w.Helper()
	bindings := w.client.RbacV1().ClusterRoleBindings()
	w.gone(bindings.Delete(w.Context(), reader, metav1.DeleteOptions{}))
	_, err := bindings.Create(w.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: reader},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: reader}},
	}, metav1.CreateOptions{})
	w.check(err)
}

func (w *world) waitForAccess(user string, r right, want bool) {
	w.Helper()
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               user,
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: w.namespace, Verb: r.verb, Group: r.group, Resource: r.name, Name: r.instance},
	}}
	w.waitFor(fmt.Sprintf("%s to %s: %v", user, r, want), func(ctx context.Context) (bool, error) {
		answer, err := w.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		return err == nil && answer.Status.Allowed == want, err
	})
}

// ask is what all answers say about the world.
func (w *world) ask(user string, s situation) (string, bool) {
	w.Helper()
	var all bytes.Buffer
	ok := true
	for _, q := range s.questions {
		if verb := q[0]; verb != "trace" && verb != "snapshot" {
			q = append(slices.Clone(q), "-o", "wide") // folds no line
		}
		r := w.call(env.tool.as(w.kubeconfigFor(user)), false, q...)
		fmt.Fprintf(&all, "$ %s\n%s%s", strings.Join(q, " "), r.stdout, r.stderr)
		ok = ok && r.code == 0
	}
	return all.String(), ok
}

// refused is how answers say that a right is missing.
var refused = regexp.MustCompile(`forbidden for this user|this user may not list`)

// madeUpOwner is about an owner that another test made up, of a type that no
// controller of the tool knows.
var madeUpOwner = regexp.MustCompile(`configmaps \S+ in namespace \S+: forbidden`)

func (w *world) wantNothingForbidden(user string, s situation) {
	w.Helper()
	said, ok := w.ask(user, s)
	for line := range strings.SplitSeq(said, "\n") {
		outside := user == local && s.outside != "" && strings.Contains(line, " "+s.outside+" ")
		if !ok || refused.MatchString(line) && !madeUpOwner.MatchString(line) && !outside {
			w.Errorf("the role does not give enough (%s):\n%s", line, said)
			return
		}
	}
}

func (w *world) wantNamed(s situation, left right) {
	w.Helper()
	said, _ := w.ask(reader, s)
	name := schema.GroupResource{Group: left.group, Resource: left.name}.String()
	named := regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(name) + `([^\w.]|$)`)
	for line := range strings.SplitSeq(said, "\n") {
		if refused.MatchString(line) && named.MatchString(line) {
			return
		}
	}
	w.Errorf("without the right to %s no answer says so:\n%s", left, said)
}
