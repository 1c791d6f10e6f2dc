package test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// snippets are the shell blocks of a page.
func snippets(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(read(t, page), -1) {
		all = append(all, m[1])
	}
	return all
}

// shell builds the program and returns what runs snippets with it, in dir. EXTRA holds
// arguments that are added to each command. What is not for the program is said, not done.
func shell(t *testing.T) func(dir, snippet string, extra ...string) (out string, status int) {
	t.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "kubectl-ctrl"), "../cmd/kubectl-ctrl")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	kubectl := "#!/bin/sh\n[ \"$1\" = ctrl ] || { echo \"kubectl $*\"; exit; }\nshift\nexec kubectl-ctrl \"$@\" $EXTRA\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(dir, snippet string, extra ...string) (string, int) {
		cmd := exec.Command("sh", "-uc", snippet)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "KUBECONFIG=/dev/null", "EXTRA="+strings.Join(extra, " "))
		out, _ := cmd.Output() // what it ends with is compared
		return string(out), cmd.ProcessState.ExitCode()
	}
}

// TestFilters runs the filters of docs/json.md on the saved clusters.
func TestFilters(t *testing.T) {
	sh := shell(t)
	want := []string{
		"shop/web-7b46c4b544-2k5qt certain\nshop/web-7b46c4b544-x2x9p certain\nshop/debug-shell certain\n" +
			"shop/web-7b46c4b544-stblp certain\nshop/web-7b46c4b544-sx8gh certain\n",
		"Deployment/web Lease/kube-controller-manager NoActiveLeader\nDeployment/web Pod/web-7b46c4b544-x2x9p CrashLoopBackOff\n",
		"0\n",
		"FirstSyncWins 1\nNeverAdopts 1\nOwnerReplaced 1\nReleaseMismatch 1\nStandaloneSet 4\n",
		"web-7b46c4b544-2k5qt Pending 2026-11-01T11:58:30Z\nweb-7b46c4b544-gone7 Terminating 2026-11-01T11:59:50Z\n" +
			"kube-controller-manager NoActiveLeader 2026-11-01T11:58:50Z\nweb-7b46c4b544-x2x9p CrashLoopBackOff 2026-11-01T11:40:00Z\n",
		`{"object":"left-alone","competitors":2}` + "\n",
	}
	all := snippets(t, "../docs/json.md")
	if len(all) != len(want) {
		t.Fatalf("%d filters, want %d", len(all), len(want))
	}
	for i, snippet := range all {
		out, status := sh("..", snippet)
		if status != 0 {
			t.Errorf("ends with %d:\n%s", status, snippet)
		}
		if diff := cmp.Diff(want[i], out); diff != "" {
			t.Errorf("%s\n%s", snippet, diff)
		}
	}
}

// web is a ReplicaSet with 2 Pods, and fullQuota has no room for more.
const web = `apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: shop, uid: u1, generation: 1, creationTimestamp: "2026-11-01T10:00:00Z"}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "web:1"}]}
status: {replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 1}
`

const webPods = `apiVersion: v1
kind: List
items:
-
  apiVersion: v1
  kind: Pod
  metadata:
    name: web-a
    namespace: shop
    uid: p1
    labels: {app: web}
    creationTimestamp: "2026-11-01T10:00:00Z"
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u1, controller: true, blockOwnerDeletion: true}]
  spec: {nodeName: n1, containers: [{name: main, image: "web:1"}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-01T10:00:10Z"}]}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-b
    namespace: shop
    uid: p2
    labels: {app: web}
    creationTimestamp: "2026-11-01T10:00:00Z"
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u1, controller: true, blockOwnerDeletion: true}]
  spec: {nodeName: n2, containers: [{name: main, image: "web:1"}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-01T10:00:10Z"}]}
`

const fullQuota = `apiVersion: v1
kind: ResourceQuota
metadata: {name: compute, namespace: shop, uid: q1}
spec: {hard: {pods: "2"}}
status: {hard: {pods: "2"}, used: {pods: "2"}}
`

// TestGates runs the gates of docs/ci.md on a server: on what is harmless, on what
// deletes, on what a quota blocks, and on what could not be read.
func TestGates(t *testing.T) {
	sh := shell(t)
	all := snippets(t, "../docs/ci.md")
	deletions, blocked := all[0], all[1]
	for name, tt := range map[string]struct {
		replicas, forbidden string
		manifest            bool
		deletions, blocked  int
	}{
		"as it is":       {replicas: "2", manifest: true},
		"deletes a Pod":  {replicas: "1", manifest: true, deletions: 1},
		"quota exceeded": {replicas: "3", manifest: true, blocked: 3},
		"no manifest":    {deletions: 2, blocked: 2},
		"forbidden":      {replicas: "2", manifest: true, forbidden: "pods", deletions: 2, blocked: 2},
		"partial answer": {replicas: "2", manifest: true, forbidden: "resourcequotas"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"web.yaml": web, "pods.yaml": webPods, "quota.yaml": fullQuota}
			if tt.manifest {
				files["manifests/web.yaml"] = strings.Replace(web, "replicas: 2\n", "replicas: "+tt.replicas+"\n", 1)
			}
			for file, text := range files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			config := serveFiles(t, tt.forbidden, dir+"/web.yaml", dir+"/pods.yaml", dir+"/quota.yaml")
			for _, gate := range []struct {
				snippet string
				want    int
			}{{deletions, tt.deletions}, {blocked, tt.blocked}} {
				if out, status := sh(dir, gate.snippet, "--kubeconfig", config); status != gate.want {
					t.Errorf("ends with %d, want %d:\n%s\n%s", status, gate.want, gate.snippet, out)
				}
			}
		})
	}
}

// site is a Deployment of one Pod, and sitePod that Pod in a state.
const site = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop, uid: d1, generation: 1, creationTimestamp: "2026-11-01T10:00:00Z", annotations: {deployment.kubernetes.io/revision: "1"}}
  spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "web:1"}]}}}
  status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, AVAILABLE}
- apiVersion: apps/v1
  kind: ReplicaSet
  metadata:
    name: web-1
    namespace: shop
    uid: r1
    generation: 1
    creationTimestamp: "2026-11-01T10:00:00Z"
    labels: {app: web, pod-template-hash: "1"}
    annotations: {deployment.kubernetes.io/revision: "1", deployment.kubernetes.io/desired-replicas: "1", deployment.kubernetes.io/max-replicas: "2"}
    ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d1, controller: true, blockOwnerDeletion: true}]
  spec:
    replicas: 1
    selector: {matchLabels: {app: web, pod-template-hash: "1"}}
    template: {metadata: {labels: {app: web, pod-template-hash: "1"}}, spec: {containers: [{name: main, image: "web:1"}]}}
  status: {observedGeneration: 1, replicas: 1, fullyLabeledReplicas: 1, AVAILABLE}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-1-a
    namespace: shop
    uid: p1
    creationTimestamp: "2026-11-01T10:00:00Z"
    labels: {app: web, pod-template-hash: "1"}
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: r1, controller: true, blockOwnerDeletion: true}]
  spec: {nodeName: n1, containers: [{name: main, image: "web:1"}]}
  status: STATUS
`

// readyPod is the status of a Pod that is ready.
const readyPod = `{phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-01T10:00:10Z"}], containerStatuses: [{name: main, ready: true, state: {running: {}}}]}`

// TestGateOnSurge: the gate against deletions finds those of a rollout whose next sync
// only creates, because maxUnavailable is 0 of 1 Pod.
func TestGateOnSurge(t *testing.T) {
	sh := shell(t)
	gate := snippets(t, "../docs/ci.md")[0]
	const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "IMAGE"}]}}}
`
	for image, want := range map[string]int{"web:1": 0, "web:2": 1} {
		t.Run(image, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "site.yaml")
			text := strings.NewReplacer("AVAILABLE", "readyReplicas: 1, availableReplicas: 1", "STATUS", readyPod).Replace(site)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "manifests"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "manifests", "web.yaml"), []byte(strings.Replace(manifest, "IMAGE", image, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, status := sh(dir, gate, "--kubeconfig", serveFiles(t, "", file)); status != want {
				t.Errorf("ends with %d, want %d:\n%s", status, want, out)
			}
		})
	}
}

// ordered is a StatefulSet of 2 Pods, of which web-0 crashes, and whose scale-down deletes claims.
const ordered = `apiVersion: v1
kind: List
items:
-
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: web, namespace: shop, uid: s1, generation: 1, creationTimestamp: "2026-11-01T10:00:00Z"}
  spec:
    replicas: 2
    serviceName: web
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "web:1", volumeMounts: [{name: data, mountPath: /data}]}]}}
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
    persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Delete}
  status: {observedGeneration: 1, replicas: 2, readyReplicas: 1, currentReplicas: 2, updatedReplicas: 2, currentRevision: web-1, updateRevision: web-1}
- apiVersion: apps/v1
  kind: ControllerRevision
  metadata: {name: web-1, namespace: shop, uid: v1, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s1, controller: true, blockOwnerDeletion: true}]}
  revision: 1
  data: {spec: {template: {$patch: replace, metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "web:1", volumeMounts: [{name: data, mountPath: /data}]}]}}}}
- apiVersion: v1
  kind: Pod
  metadata: {name: web-0, namespace: shop, uid: p0, creationTimestamp: "2026-11-01T10:00:00Z", labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-0, apps.kubernetes.io/pod-index: "0"}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s1, controller: true, blockOwnerDeletion: true}]}
  spec: {nodeName: n1, hostname: web-0, subdomain: web, containers: [{name: main, image: "web:1"}], volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}]}
  status: {phase: Running, conditions: [{type: Ready, status: "False", lastTransitionTime: "2026-11-01T10:00:10Z"}], containerStatuses: [{name: main, ready: false, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, finishedAt: "2026-11-01T11:00:00Z"}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: web-1, namespace: shop, uid: p1, creationTimestamp: "2026-11-01T10:00:00Z", labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-1, apps.kubernetes.io/pod-index: "1"}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s1, controller: true, blockOwnerDeletion: true}]}
  spec: {nodeName: n1, hostname: web-1, subdomain: web, containers: [{name: main, image: "web:1"}], volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-1}}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-01T10:00:10Z"}]}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {name: data-web-0, namespace: shop, uid: c0, labels: {app: web}}
  status: {phase: Bound}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {name: data-web-1, namespace: shop, uid: c1, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s1}]}
  status: {phase: Bound}
`

// TestGateOnBlocked: the gate against deletions finds those that are left where the rounds end
// blocked: OrderedReady deletes no Pod while another one is not ready.
func TestGateOnBlocked(t *testing.T) {
	sh := shell(t)
	gate := snippets(t, "../docs/ci.md")[0]
	file := filepath.Join(t.TempDir(), "web.yaml")
	if err := os.WriteFile(file, []byte(ordered), 0o600); err != nil {
		t.Fatal(err)
	}
	set, _, _ := strings.Cut(strings.TrimPrefix(ordered, "apiVersion: v1\nkind: List\nitems:\n-\n"), "  status:")
	for replicas, want := range map[string]int{"2": 0, "1": 1} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "manifests"), 0o700); err != nil {
			t.Fatal(err)
		}
		manifest := strings.Replace(set, "replicas: 2\n", "replicas: "+replicas+"\n", 1)
		if err := os.WriteFile(filepath.Join(dir, "manifests", "web.yaml"), []byte(manifest), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, status := sh(dir, gate, "--kubeconfig", serveFiles(t, "", file)); status != want {
			plan, _ := os.ReadFile(filepath.Join(dir, "plan.json"))
			t.Errorf("of %s replicas it ends with %d, want %d:\n%s\n%s", replicas, status, want, out, plan)
		}
	}
}

// TestWaitSnippetOnServer runs the snippet of docs/ci.md with the program: on a rollout that
// is done, on one that is stuck, and where there is none.
func TestWaitSnippetOnServer(t *testing.T) {
	sh := shell(t)
	all := snippets(t, "../docs/ci.md")
	snippet := all[len(all)-1]
	const (
		available = "readyReplicas: 1, availableReplicas: 1"
		ready     = readyPod
		unpulled  = `{phase: Pending, conditions: [{type: Ready, status: "False", lastTransitionTime: "2026-11-01T10:00:10Z"}], containerStatuses: [{name: main, ready: false, state: {waiting: {reason: ErrImagePull, message: "manifest for web:1 not found: manifest unknown"}}}]}`
	)
	for name, tt := range map[string]struct {
		available, pod string
		status         int
		// said are texts of the output.
		said []string
	}{
		"done":  {available, ready, 0, []string{"deployment/web in shop: stable, 1 of 1 replicas available.", "\ndone\n"}},
		"stuck": {"unavailableReplicas: 1", unpulled, 3, []string{"deployment/web in shop: blocked, 0 of 1 available; 1 image not found.", "\nstuck\nkubectl rollout undo deploy/web -n shop\n"}},
		"none":  {"", "", 2, []string{"no answer\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := web
			if tt.pod != "" {
				text = strings.NewReplacer("AVAILABLE", tt.available, "STATUS", tt.pod).Replace(site)
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "site.yaml")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, status := sh(dir, snippet, "--kubeconfig", serveFiles(t, "", file))
			if status != tt.status {
				t.Errorf("ends with %d, want %d:\n%s", status, tt.status, out)
			}
			for _, said := range tt.said {
				if !strings.Contains(out, said) {
					t.Errorf("does not say %q:\n%s", said, out)
				}
			}
		})
	}
}

// serveFiles is the kubeconfig of a server with the objects of files.
func serveFiles(t *testing.T, forbidden string, files ...string) string {
	t.Helper()
	objs, err := bundle.ReadObjects(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := kubeapi.New(objs)
	server.Forbidden = strings.Split(forbidden, ",")
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	t.Cleanup(listening.CloseClientConnections)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte(kubeapi.Kubeconfig(listening.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
