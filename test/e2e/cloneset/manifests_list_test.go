package cloneset

// inPods sets a field of the pods' spec, inContainer one of the container.
func inPods(field string, value any) func(object) {
	return func(spec object) { spec["template"].(object)["spec"].(object)[field] = value }
}

func inContainer(field string, value any) func(object) {
	return func(spec object) {
		spec["template"].(object)["spec"].(object)["containers"].([]any)[0].(object)[field] = value
	}
}

func edits(all ...func(object)) []func(object) { return all }

// accepted are manifests that the webhook lets pass and completes.
var accepted = []manifest{
	{name: "as it is"},
	{name: "no replicas", edits: edits(field("replicas", nil))},
	{name: "no strategies", edits: edits(field("updateStrategy", object{}), field("scaleStrategy", object{}))},
	{name: "recreation with a surge", edits: edits(update("type", "ReCreate"), update("maxSurge", "10%"), update("maxUnavailable", int64(0)))},
	{name: "a partition in percent", edits: edits(update("partition", "40%"))},
	{name: "percent with decimals", edits: edits(update("maxUnavailable", "12.5%"))},
	{name: "only in place, with a grace period", edits: edits(update("type", "InPlaceOnly"), update("inPlaceUpdateStrategy", object{"gracePeriodSeconds": int64(5)}))},
	{name: "priorities and scattering", edits: edits(
		update("priorityStrategy", object{"weightPriority": []any{object{"weight": int64(0), "matchSelector": object{"matchLabels": object{"a": "b"}}}}}),
		update("scatterStrategy", []any{object{"key": "a", "value": "b"}, object{"key": "a", "value": ""}}))},
	{name: "hooks", edits: edits(hook("inPlaceUpdate"), hook("preDelete"))},
	{name: "volume claims", edits: edits(volumes)},
	{name: "resources of claims that are rounded", edits: edits(volumes, func(spec object) {
		claim := spec["volumeClaimTemplates"].([]any)[0].(object)["spec"].(object)
		claim["resources"] = object{"requests": object{"storage": "1.0005m"}, "limits": object{"storage": "2Gi"}}
		claim["dataSourceRef"] = object{"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "before"}
	})},
	{name: "a deadline and a delay", edits: edits(field("minReadySeconds", int64(5)), field("progressDeadlineSeconds", int64(6)))},
	{name: "probes and ports", edits: edits(
		inContainer("ports", []any{object{"containerPort": int64(80), "name": "http"}}),
		inContainer("readinessProbe", object{"httpGet": object{"port": "http"}}),
		inContainer("livenessProbe", object{"grpc": object{"port": int64(81)}, "periodSeconds": int64(5)}),
		inContainer("startupProbe", object{"tcpSocket": object{"port": int64(80)}}),
		inContainer("lifecycle", object{"postStart": object{"exec": object{"command": []any{"true"}}}, "preStop": object{"httpGet": object{"port": int64(80)}}}))},
	{name: "resources", edits: edits(inContainer("resources", object{"limits": object{"cpu": "1000m", "memory": "1.5Gi"}, "requests": object{"cpu": 0.5}}))},
	{name: "volumes of every sort", edits: edits(inPods("volumes", []any{
		object{"name": "none"},
		object{"name": "host", "hostPath": object{"path": "/var"}},
		object{"name": "secret", "secret": object{"secretName": "s"}},
		object{"name": "config", "configMap": object{"name": "c"}},
		object{"name": "down", "downwardAPI": object{"items": []any{object{"path": "l", "fieldRef": object{"fieldPath": "metadata.labels"}}}}},
		object{"name": "many", "projected": object{"sources": []any{object{"serviceAccountToken": object{"path": "t"}}, object{"configMap": object{"name": "c"}}}}},
		object{"name": "own", "ephemeral": object{"volumeClaimTemplate": object{"spec": object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}}}}}},
		object{"name": "iscsi", "iscsi": object{"targetPortal": "10.0.0.1", "iqn": "iqn.2001-04.com.example:a", "lun": int64(0)}},
		object{"name": "rbd", "rbd": object{"monitors": []any{"10.0.0.1"}, "image": "a"}},
		object{"name": "azure", "azureDisk": object{"diskName": "a", "diskURI": "b"}},
		object{"name": "scale", "scaleIO": object{"gateway": "g", "system": "s", "volumeName": "v", "secretRef": object{"name": "s"}}},
	}))},
	{name: "environment", edits: edits(inContainer("env", []any{
		object{"name": "NS", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.namespace"}}},
		object{"name": "CPU", "valueFrom": object{"resourceFieldRef": object{"resource": "limits.cpu"}}},
	}))},
	{name: "pod settings", edits: edits(
		inPods("initContainers", []any{object{"name": "setup", "image": "setup"}, object{"name": "more", "image": "more:1", "restartPolicy": "Always"}}),
		inPods("tolerations", []any{object{"key": "a", "operator": "Exists"}}),
		inPods("topologySpreadConstraints", []any{object{"maxSkew": int64(1), "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": object{"matchLabels": object{"app": "web"}}}}),
		inPods("hostNetwork", true), inContainer("ports", []any{object{"containerPort": int64(80)}}),
		inPods("securityContext", object{"runAsNonRoot": true}))},
}

// refused are manifests that it does not let pass.
var refused = []manifest{
	{name: "less than no replicas", edits: edits(field("replicas", int64(-1))), errors: []string{"spec.replicas: Invalid value"}},
	{name: "labels that do not match", edits: edits(func(spec object) { spec["template"].(object)["metadata"] = object{"labels": object{"app": "mail"}} }),
		errors: []string{"spec.template.metadata.labels: Invalid value"}},
	{name: "pods that are not restarted", edits: edits(inPods("restartPolicy", "Never")), errors: []string{"spec.template.spec.restartPolicy: Unsupported value"}},
	{name: "pods that end", edits: edits(inPods("activeDeadlineSeconds", int64(5))), errors: []string{"spec.template.spec.activeDeadlineSeconds: Forbidden"}},
	{name: "a pod to delete twice", edits: edits(scale("podsToDelete", []any{"none", "none"})), errors: []string{"spec.scaleStrategy.podsToDelete: Invalid value"}},
	{name: "a pod to delete that is not there", edits: edits(scale("podsToDelete", []any{"none"})), errors: []string{"spec.scaleStrategy.podsToDelete: Invalid value"}},
	{name: "an unknown type", edits: edits(update("type", "OnDelete")), errors: []string{"spec.updateStrategy.type: Invalid value"}},
	{name: "a partition below 0", edits: edits(update("partition", int64(-1))), errors: []string{"spec.updateStrategy.partition: Invalid value"}},
	{name: "a partition below 0 percent", edits: edits(update("partition", "-50%")), errors: []string{"spec.updateStrategy.partition: Invalid value"}},
	{name: "a partition that is no number", edits: edits(update("partition", "many")), errors: []string{"spec.updateStrategy.partition: Invalid value"}},
	{name: "a number as text", edits: edits(update("maxUnavailable", "5")), errors: []string{"spec.updateStrategy.maxUnavailable: Invalid value"}},
	{name: "a surge as text", edits: edits(update("maxSurge", "5")), errors: []string{"spec.updateStrategy.maxSurge: Invalid value"}},
	{name: "nothing may be updated", edits: edits(update("maxUnavailable", int64(0))), errors: []string{"spec.updateStrategy.maxUnavailable: Invalid value"}},
	{name: "a surge in place", edits: edits(update("type", "InPlaceOnly"), update("maxSurge", int64(1))), errors: []string{"spec.updateStrategy.maxSurge: Invalid value"}},
	{name: "two sorts of priorities", edits: edits(update("priorityStrategy", object{
		"orderPriority":  []any{object{"orderedKey": "a"}},
		"weightPriority": []any{object{"weight": int64(1), "matchSelector": object{"matchLabels": object{"a": "b"}}}},
	})), errors: []string{"spec.updateStrategy.priorityStrategy: Required value"}},
	{name: "a weight above 100", edits: edits(weight(101, object{"matchLabels": object{"a": "b"}})), errors: []string{"spec.updateStrategy.priorityStrategy: Required value"}},
	{name: "a weight of everything", edits: edits(weight(1, object{})), errors: []string{"spec.updateStrategy.priorityStrategy: Required value"}},
	{name: "a weight of an unknown operator", edits: edits(weight(1, object{"matchExpressions": []any{object{"key": "a", "operator": "Like", "values": []any{"b"}}}})),
		errors: []string{"spec.updateStrategy.priorityStrategy: Required value"}},
	{name: "an order by no label", edits: edits(update("priorityStrategy", object{"orderPriority": []any{object{"orderedKey": ""}}})), errors: []string{"spec.updateStrategy.priorityStrategy: Required value"}},
	{name: "scattering by no label", edits: edits(update("scatterStrategy", []any{object{"key": "", "value": "b"}})), errors: []string{"spec.updateStrategy.scatterStrategy: Required value"}},
	{name: "scattering twice", edits: edits(update("scatterStrategy", []any{object{"key": "a", "value": "b"}, object{"key": "a", "value": "b"}})), errors: []string{"spec.updateStrategy.scatterStrategy: Required value"}},
	{name: "a deadline before pods count", edits: edits(field("minReadySeconds", int64(5)), field("progressDeadlineSeconds", int64(5))), errors: []string{"spec.progressDeadlineSeconds: Invalid value"}},
	{name: "a deadline below 0", edits: edits(field("minReadySeconds", int64(-5)), field("progressDeadlineSeconds", int64(-1))), errors: []string{"spec.progressDeadlineSeconds: Invalid value"}},
	{name: "several errors at once", edits: edits(update("partition", int64(-1)), update("type", "None"), inPods("restartPolicy", "OnFailure")),
		errors: []string{"spec.template.spec.restartPolicy: Unsupported value", "spec.updateStrategy.partition: Invalid value", "spec.updateStrategy.type: Invalid value"}},
}

// refusedAsNew are manifests that are refused where there is no CloneSet yet.
var refusedAsNew = []manifest{
	{name: "an empty selector", edits: edits(field("selector", object{})), errors: []string{"spec.selector: Invalid value"}},
	{name: "no selector", edits: edits(func(spec object) { delete(spec, "selector") }), errors: []string{"spec.selector: Invalid value"}},
	{name: "a selector that none can meet", edits: edits(field("selector", object{"matchExpressions": []any{object{"key": "app", "operator": "Like"}}})), errors: []string{"spec.selector.matchExpressions[0].operator: Invalid value", "spec.selector: Invalid value"}},
}

// refusedAsChange are manifests that a CloneSet which is there can't become.
var refusedAsChange = []manifest{
	{name: "another selector", edits: edits(field("selector", object{"matchLabels": object{"app": "web", "tier": "a"}}),
		func(spec object) {
			spec["template"].(object)["metadata"] = object{"labels": object{"app": "web", "tier": "a"}}
		}), errors: []string{"spec: Forbidden"}},
	{name: "only in place, with another template", edits: edits(update("type", "InPlaceOnly"), inPods("hostPID", true)), errors: []string{"spec: Forbidden"}},
}

func weight(n int64, matching object) func(object) {
	return update("priorityStrategy", object{"weightPriority": []any{object{"weight": n, "matchSelector": matching}}})
}
