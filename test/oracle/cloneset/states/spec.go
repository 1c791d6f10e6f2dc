package states

import (
	"bytes"
	"maps"
)

// drawSpec draws the set's spec: mostly with the template of its newest
// revision, else with a new one or an older one.
func (s *scene) drawSpec() {
	s.wanted = mostly(s.draw, s.between(1, 6), 8, 0, 1, 12)
	last := len(s.templates) - 1
	template := s.templates[last]
	switch {
	case len(s.revisions) > 0 && s.chance(20):
		template = s.next(template, 90)
	case s.chance(12):
		template = s.templates[s.between(0, last)]
	}
	if s.chance(3) {
		s.takenByAnother(template)
	}
	if s.chance(5) {
		template = template.clone()
		s.newField(template)
	}
	s.spec = map[string]any{
		"replicas": s.wanted, "selector": s.selector(), "template": template,
		"updateStrategy": s.updateStrategy(), "scaleStrategy": s.scaleStrategy(),
		"minReadySeconds": mostly(s.draw, 0, s.rarely(30), 600, 90),
	}
	if s.chance(60) {
		s.spec["revisionHistoryLimit"] = pick(s.draw, 10, 0, 1, 2)
	}
	if s.chance(45) {
		s.spec["lifecycle"] = s.lifecycle()
	}
	if s.chance(25) {
		s.spec["volumeClaimTemplates"] = s.claimTemplates()
	}
	if s.chance(25) {
		s.spec["progressDeadlineSeconds"] = pick(s.draw, 600, 30, 2147483647)
	}
}

// takenByAnother gives the revision of a template to an object that was there
// before.
func (s *scene) takenByAnother(t template) {
	for _, cr := range s.revisions {
		if bytes.Equal(cr.Data.Raw, t.data()) {
			cr.OwnerReferences = reference(Name, "uid-former", true)
		}
	}
}

func (s *scene) selector() any {
	plain := map[string]any{"matchLabels": map[string]any{"app": Name}}
	if s.chance(2) {
		return map[string]any{"matchExpressions": []any{map[string]any{"key": "app", "operator": "Near", "values": []any{Name}}}}
	}
	if s.chance(5) {
		return map[string]any{"matchExpressions": []any{map[string]any{"key": "app", "operator": "In", "values": []any{Name, "shop"}}}}
	}
	return plain
}

func (s *scene) claimTemplates() []any {
	claim := func(name string) any {
		return map[string]any{
			"metadata": map[string]any{"name": name, "creationTimestamp": nil}, "status": map[string]any{},
			"spec": map[string]any{"accessModes": []any{"ReadWriteOnce"}, "resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}},
		}
	}
	return pick(s.draw, []any{claim("data")}, []any{claim("data"), claim("log")})
}

func (s *scene) number() any {
	return mostly[any](s.draw, s.between(0, 3), 40, "0%", "10%", "25%", "34%", "50%", "75%", "99%", "100%", 7)
}

func (s *scene) updateStrategy() map[string]any {
	u := map[string]any{
		"type": mostly(s.draw, "InPlaceIfPossible", 45, "ReCreate", "InPlaceOnly", "ReCreate", "InPlaceOnly", ""),
	}
	if s.modelled.AtLeast(9, 0) && s.chance(2) {
		u["type"] = "OnDelete"
	}
	if s.chance(45) {
		u["partition"] = mostly(s.draw, s.number(), 5, "12.5%", "x%", "2")
	}
	if s.chance(85) {
		u["maxUnavailable"] = mostly(s.draw, mostly[any](s.draw, s.between(1, 3), 45, s.number()), 8, "12.5%", "5", "x", 100)
	}
	if s.rolls {
		u["maxUnavailable"] = "100%"
		delete(u, "partition")
	}
	if s.shrinks {
		u["maxUnavailable"], u["partition"] = "100%", s.between(0, s.wanted)
	}
	if s.chance(35) {
		u["maxSurge"] = mostly(s.draw, s.number(), 8, "12.5%", "5")
	}
	if s.chance(8) {
		u["paused"] = true
	}
	if u["type"] != "ReCreate" && s.chance(25) {
		u["inPlaceUpdateStrategy"] = map[string]any{"gracePeriodSeconds": pick(s.draw, 30, 0, 1)}
	}
	if s.chance(20) {
		u["priorityStrategy"] = s.priorities()
	}
	if s.chance(20) {
		u["scatterStrategy"] = s.scatter()
	}
	return u
}

func (s *scene) priorities() map[string]any {
	weight := func(n int, labels map[string]any) any {
		return map[string]any{"weight": n, "matchSelector": map[string]any{"matchLabels": labels}}
	}
	return pick(s.draw,
		map[string]any{"weightPriority": []any{weight(50, map[string]any{"group": "1"}), weight(30, map[string]any{"color": "red"})}},
		map[string]any{"orderPriority": []any{map[string]any{"orderedKey": "group"}}},
		map[string]any{"orderPriority": []any{map[string]any{"orderedKey": "color"}, map[string]any{"orderedKey": "group"}}},
		map[string]any{})
}

func (s *scene) scatter() []any {
	term := func(key, value string) any { return map[string]any{"key": key, "value": value} }
	return pick(s.draw,
		[]any{term("group", "1")}, []any{term("group", "1"), term("group", "2")},
		[]any{term("color", "red"), term("group", "1"), term("group", "3")}, []any{term("color", "")})
}

// rarely is a lower percentage where a state is calm.
func (s *scene) rarely(percent int) int {
	if s.calm {
		return percent / 3
	}
	return percent
}

func (s *scene) scaleStrategy() map[string]any {
	scale := map[string]any{}
	if s.chance(20) {
		scale["maxUnavailable"] = s.number()
	}
	if s.chance(s.rarely(20)) {
		scale["podsToDelete"] = pick(s.draw, []any{podName(0)}, []any{podName(1), "gone"}, []any{podName(2), podName(0)}, []any{"gone"})
	}
	if s.chance(15) {
		scale["disablePVCReuse"] = true
	}
	return scale
}

// The hooks' labels and finalizers, by the hook's name.
var (
	hookLabels     = map[string]string{"preDelete": "hook-delete", "inPlaceUpdate": "hook-update", "preNormal": "hook-normal"}
	hookFinalizers = map[string]string{"preDelete": "example.com/delete", "inPlaceUpdate": "example.com/update", "preNormal": "example.com/normal"}
)

func (s *scene) lifecycle() map[string]any {
	all := map[string]any{}
	for _, name := range []string{"preDelete", "inPlaceUpdate", "preNormal"} {
		if !s.chance(60) {
			continue
		}
		hook := map[string]any{}
		if !s.chance(25) {
			hook["labelsHandler"] = map[string]any{hookLabels[name]: mostly(s.draw, "yes", 10, "")}
		}
		if s.chance(35) {
			hook["finalizersHandler"] = []any{hookFinalizers[name]}
		}
		if s.chance(15) {
			hook["markPodNotReady"] = true
		}
		all[name] = hook
	}
	return maps.Clone(all)
}
