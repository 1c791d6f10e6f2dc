package e2e

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// readVerbs are all that the tool may ever send. /version is a get.
var readVerbs = []string{"get", "list", "watch"}

// checkToolOnlyRead goes through the audit log of the whole run.
func checkToolOnlyRead() error {
	events, _, err := env.AuditEvents(0)
	if err != nil {
		return err
	}
	count, errs := map[string]int{}, []error{}
	for _, e := range events {
		if !byTool(e) {
			continue
		}
		count[e.Verb]++
		if !slices.Contains(readVerbs, e.Verb) {
			errs = append(errs, fmt.Errorf("the tool sent %s %s", e.Verb, e.RequestURI))
		}
	}
	if someRun := flag.Lookup("test.run").Value.String() != ""; len(count) == 0 && !someRun {
		return errors.New("no request of the tool is in the audit log")
	}
	fmt.Printf("requests of the tool in the audit log: %v\n", count)
	return errors.Join(errs...)
}

// byTool goes by the user, whatever the request says that sent it; or by the
// agent, for those that went through a proxy, whose user is another one.
func byTool(e controlplane.AuditEvent) bool {
	user := slices.ContainsFunc(users, func(u controlplane.User) bool { return u.Name == e.User.Username })
	return user || strings.HasPrefix(e.UserAgent, pluginName+"/")
}
