package cli

import (
	"flag"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// apiserver starts a server with the objects of files for the script, and a
// kubeconfig for it:
//
//	apiserver [-forbid RESOURCE,...] [-unserved RESOURCE,...] [-notfound RESOURCE,...] [-unauthorized] [-down] FILE...
func apiserver(ts *testscript.TestScript, _ bool, args []string) {
	flags := flag.NewFlagSet("apiserver", flag.ContinueOnError)
	forbid := flags.String("forbid", "", "resources that can't be read")
	unserved := flags.String("unserved", "", "resources that no API serves")
	notFound := flags.String("notfound", "", "resources that are listed as served, and answer 404")
	unauthorized := flags.Bool("unauthorized", false, "accept no credentials")
	down := flags.Bool("down", false, "refuse connections")
	name := flags.String("context", "", "add a context of this name")
	ts.Check(flags.Parse(args))
	files := flags.Args()
	for i, name := range files {
		files[i] = ts.MkAbs(name)
	}
	objs, err := bundle.ReadObjects(files, nil)
	ts.Check(err)
	s := kubeapi.New(objs)
	s.Forbidden, s.Unauthorized = strings.Split(*forbid, ","), *unauthorized
	s.Unserved, s.NotFound = strings.Split(*unserved, ","), strings.Split(*notFound, ",")
	web := httptest.NewServer(s)
	ts.Defer(web.Close)
	ts.Defer(web.CloseClientConnections)
	if *down {
		web.Close()
	}
	if *name != "" {
		ts.Check(kubeapi.AddContext(ts.Getenv("KUBECONFIG"), *name, web.URL))
		return
	}
	ts.Check(os.WriteFile(ts.Getenv("KUBECONFIG"), []byte(kubeapi.Kubeconfig(web.URL)), 0o600))
}
