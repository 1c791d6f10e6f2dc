package e2e

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// allow lets a user read resources of this namespace, and waits until the
// server knows.
func (w *world) allow(user string, resources []string) {
	w.Helper()
	roles := w.client.RbacV1()
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: user}, Rules: []rbacv1.PolicyRule{{
		APIGroups: []string{"", "apps", "batch", "autoscaling"}, Resources: resources, Verbs: []string{"get", "list", "watch"},
	}}}
	_, err := roles.Roles(w.namespace).Create(w.Context(), role, metav1.CreateOptions{})
	w.check(err)
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	}
	_, err = roles.RoleBindings(w.namespace).Create(w.Context(), binding, metav1.CreateOptions{})
	w.check(err)
	w.waitForRight(user, resources[0])
}

func (w *world) waitForRight(user, resource string) {
	w.Helper()
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user,
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: w.namespace, Verb: "list", Group: map[string]string{"replicasets": "apps"}[resource], Resource: resource,
		},
	}}
	w.waitFor(user+" to have rights", func(ctx context.Context) (bool, error) {
		answer, err := w.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		return err == nil && answer.Status.Allowed, err
	})
}
