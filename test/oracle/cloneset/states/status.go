package states

// drawStatus draws the stored status: with the current revision that a rollout
// comes from, and the conditions of earlier syncs.
func (s *scene) drawStatus() {
	s.status = map[string]any{"replicas": len(s.pods), "readyReplicas": 0, "availableReplicas": 0, "updatedReplicas": 0, "updatedReadyReplicas": 0}
	if n := len(s.revisions); n > 0 {
		s.status["currentRevision"] = s.revisions[mostly(s.draw, max(0, n-2), 30, n-1, 0)].Name
		s.status["updateRevision"] = s.revisions[n-1].Name
	}
	if s.chance(5) {
		s.status["currentRevision"] = "web-lost"
	}
	if s.chance(30) {
		s.status["collisionCount"] = 0
	}
	s.status["observedGeneration"] = s.between(0, 3)
	if s.chance(30) {
		s.status["conditions"] = s.conditions()
	}
}

func (s *scene) conditions() []any {
	var all []any
	if s.chance(40) {
		all = append(all, map[string]any{"type": pick(s.draw, "FailedScale", "FailedUpdate"), "status": "True", "message": "an old story", "lastTransitionTime": ago(900)})
	}
	if s.chance(60) {
		progressing := map[string]any{
			"type": "Progressing", "status": "True", "message": "as it was", "lastTransitionTime": ago(900),
			"reason": pick(s.draw, "CloneSetUpdated", "CloneSetAvailable", "CloneSetPaused", "ProgressPartitionAvailable"), "lastUpdateTime": ago(pick(s.draw, 20, 100, 900)),
		}
		if s.chance(20) {
			progressing["status"], progressing["reason"] = "False", "ProgressDeadlineExceeded"
		}
		all = append(all, progressing)
	}
	return all
}
