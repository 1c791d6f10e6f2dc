package fuzz

import "testing"

// FuzzReplicaSet puts any text where the ReplicaSet controller and its rules
// read one: labels, deletion costs, times, names, reasons and messages.
func FuzzReplicaSet(f *testing.F) {
	f.Add("100", "web", "2026-11-01T11:00:00Z", "FailedCreate", "exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10", "web-1")
	f.Add("-2147483648", "", "", "", "\x1b[2J\x1b]0;title\a", "a\u202eb")
	f.Add("+7", "a=b,c", "0001-01-01T00:00:00Z", "Failed\rCreate", "two\nlines\ttab\u2028sep", "\x00")
	f.Add("1e3", "\x9b31m", "9999-12-31T23:59:59Z", "", "used: pods=\x1b[1A", "web-1\n- web-2")
	f.Fuzz(func(t *testing.T, cost, label, ready, reason, message, name string) {
		var w world
		w.add(named("apps/v1", "ReplicaSet", "web", web, nil, object{
			"spec":   object{"replicas": 1, "selector": selector, "template": template("web:1")},
			"status": object{"replicas": 1, "conditions": []any{object{"type": "ReplicaFailure", "status": "True", "reason": reason, "message": message}}},
		}))
		annotations := map[string]string{"controller.kubernetes.io/pod-deletion-cost": cost}
		for _, pod := range []string{"a", name} {
			w.add(of(named("v1", "Pod", pod, map[string]string{"app": "web", "x": label}, annotations, running(label, ready)), "apps/v1", "ReplicaSet", "web"))
		}
		w.add(of(named("v1", "Pod", "stray", map[string]string{"app": label}, nil, running("web:1", now)), "apps/v1", "ReplicaSet", "web"))
		w.add(named("v1", "Pod", "bare"+name, map[string]string{"app": "web", label: name}, nil, running("web:1", now)))
		w.add(named("v1", "Event", "web.1", nil, nil, object{
			"involvedObject": object{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "namespace": "shop", "uid": "uid-web"},
			"type":           "Warning", "reason": reason, "message": message, "count": 3, "lastTimestamp": now,
		}))
		w.add(named("v1", "ResourceQuota", "q"+name, nil, nil, object{"spec": object{"hard": object{"pods": cost}}, "status": object{"hard": object{"pods": "10"}, "used": object{"pods": "10"}}}))
		checkHarmless(t, w.bundle(t))
	})
}

// FuzzDeployment puts any text into the annotations that the Deployment
// controller keeps, and into what it reads as numbers or percent.
func FuzzDeployment(f *testing.F) {
	f.Add("1", "4", "5", "1,2", "25%", "25%", "Progressing")
	f.Add("-1", "99999999999", "", ",,,", "101%", "0%", "")
	f.Add("x", "+4", "0x5", "1", "%", "3", "\x1b[31m")
	f.Add("9223372036854775807", "2147483647", "2147483647", "9223372036854775806", "2147483647%", "0.5%", "ReplicaSetUpdated")
	f.Fuzz(func(t *testing.T, revision, desired, most, history, surge, unavailable, reason string) {
		var w world
		own := map[string]string{
			"deployment.kubernetes.io/revision": revision, "deployment.kubernetes.io/desired-replicas": desired,
			"deployment.kubernetes.io/max-replicas": most, "deployment.kubernetes.io/revision-history": history,
			"deprecated.deployment.rollback.to": revision,
		}
		w.add(named("apps/v1", "Deployment", "web", web, own, object{
			"spec": object{
				"replicas": 4, "selector": selector, "template": template("web:2"), "progressDeadlineSeconds": 600,
				"strategy": object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": raw([]byte(surge)), "maxUnavailable": unavailable}},
			},
			"status": object{"replicas": 4, "conditions": []any{object{"type": "Progressing", "status": "True", "reason": reason, "message": reason}}},
		}))
		for i, name := range []string{"web-old", "web-new"} {
			labels := map[string]string{"app": "web", "pod-template-hash": name}
			w.add(of(named("apps/v1", "ReplicaSet", name, labels, own, object{
				"spec":   object{"replicas": 3 - i, "selector": object{"matchLabels": labels}, "template": template([]string{"web:1", "web:2"}[i])},
				"status": object{"replicas": 3 - i, "readyReplicas": 1, "availableReplicas": 1},
			}), "apps/v1", "Deployment", "web"))
			w.add(of(named("v1", "Pod", name+"-1", labels, nil, running("web:1", now)), "apps/v1", "ReplicaSet", name))
		}
		checkHarmless(t, w.bundle(t))
	})
}
