package controlplane

import (
	"bytes"
	_ "embed" // for the policy
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	auditPolicyFile = "audit-policy.yaml"
	auditLogFile    = "audit.log"
)

//go:embed audit-policy.yaml
var auditPolicy []byte

// AuditEvent is what the tests need of an Event of audit.k8s.io/v1. Bodies are
// there for writes of pods, of their owners and of Events (see
// audit-policy.yaml); the body of a patch is the patch itself.
type AuditEvent struct {
	AuditID                  string          `json:"auditID"`
	Stage                    string          `json:"stage"`
	Verb                     string          `json:"verb"`
	User                     AuditUser       `json:"user"`
	UserAgent                string          `json:"userAgent"`
	RequestURI               string          `json:"requestURI"`
	ObjectRef                ObjectRef       `json:"objectRef"`
	ResponseStatus           ResponseStatus  `json:"responseStatus"`
	RequestObject            json.RawMessage `json:"requestObject"`
	ResponseObject           json.RawMessage `json:"responseObject"`
	RequestReceivedTimestamp time.Time       `json:"requestReceivedTimestamp"`
	StageTimestamp           time.Time       `json:"stageTimestamp"`
}

// AuditUser is who sent a request.
type AuditUser struct {
	Username string   `json:"username"`
	Groups   []string `json:"groups"`
}

// ObjectRef is what a request is about. The name is empty for a list, and for
// the creation of an object whose name the server completes.
type ObjectRef struct {
	APIGroup    string `json:"apiGroup"`
	APIVersion  string `json:"apiVersion"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
	UID         string `json:"uid"`
}

// ResponseStatus holds the HTTP code of the answer.
type ResponseStatus struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

const controllerAccounts = "system:serviceaccount:kube-system:"

// Controller is the name of the controller of the controller manager that sent
// the request, such as replicaset-controller, or "".
func (e AuditEvent) Controller() string {
	name, ok := strings.CutPrefix(e.User.Username, controllerAccounts)
	if !ok {
		return ""
	}
	return name
}

// AuditEvents are those since a mark, and the mark after them, in the order in
// which the API server received the requests.
func (c *Cluster) AuditEvents(since AuditMark) ([]AuditEvent, AuditMark, error) {
	data, err := readFrom(c.path(auditLogFile), int64(since))
	if err != nil {
		return nil, since, fmt.Errorf("read the audit log: %w", err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	events, err := parseAudit(whole)
	if err != nil {
		return nil, since, fmt.Errorf("read the audit log after byte %d: %w", since, err)
	}
	Sort(events)
	return events, since + AuditMark(len(whole)), nil
}

// Sort puts events into the order in which the API server received the requests. It logs
// an answer once it is sent, and the next request may have been answered by then.
func Sort(events []AuditEvent) {
	slices.SortStableFunc(events, func(a, b AuditEvent) int { return a.RequestReceivedTimestamp.Compare(b.RequestReceivedTimestamp) })
}

func readFrom(path string, offset int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}

func parseAudit(lines []byte) ([]AuditEvent, error) {
	var events []AuditEvent
	for line := range bytes.Lines(lines) {
		var event AuditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}

// cutTornAuditLine takes off a line that a killed API server did not finish;
// else the next one would go on in it.
func (c *Cluster) cutTornAuditLine() error {
	path := c.path(auditLogFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Truncate(path, int64(bytes.LastIndexByte(data, '\n')+1))
}
