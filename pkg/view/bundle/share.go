package bundle

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Sharing makes copies of objects that are fit for sharing, as Write does:
// without secrets and ballast. Equal values stay equal among the copies that
// one Sharing makes.
func Sharing() func(metav1.Object) metav1.Object { return newRedactor().redact }
