package faults

import "testing"

// TestJudgeOnABusyMachine holds that an answer may name the request that was
// answered too late in place of the one that it then had no use for, and that one
// which names neither is wrong.
func TestJudgeOnABusyMachine(t *testing.T) {
	sets := request{cluster: "a", method: "GET", path: "/apis/apps/v1/namespaces/shop/replicasets"}
	pods := request{cluster: "a", method: "GET", path: "/api/v1/namespaces/shop/pods"}
	full := said{out: "one\ntwo\n"}
	late := said{out: "one\nCAVEATS   replicasets.apps web in namespace shop: not read within 4s [NotRead]\n"}
	for _, c := range []struct {
		name    string
		got     said
		hit     []request
		wrong   bool
		unnamed int
	}{
		{"the late one is named", late, []request{sets, pods}, false, 1},
		{"it did not fail", late, []request{pods}, true, 0},
		{"none is named", said{out: "one\n"}, []request{sets, pods}, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong, unnamed := judge(c.got, full, "text", []request{pods}, c.hit)
			if (wrong != "") != c.wrong || len(unnamed) != c.unnamed {
				t.Errorf("wrong %q, unnamed %v", wrong, unnamed)
			}
		})
	}
}
