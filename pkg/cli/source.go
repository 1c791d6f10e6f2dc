package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// opened is a source with what goes with it.
type opened struct {
	view.Source
	controllers controller.Registry
	profile     profile.Profile
	// manager is the kube-controller-manager that the profile is read from.
	manager profile.Manager
	// namespace is the one asked for: by flag, or by the kubeconfig's context.
	// It is empty for files without a --namespace, where any may be meant.
	namespace string
	// config is the kubeconfig's part of the question.
	config *genericclioptions.ConfigFlags
	// files is true when there is nothing to read beyond what files hold.
	files bool
	// server is the cluster itself, nil for files.
	server *live.Source
}

// open opens what --from names, or the cluster of the kubeconfig.
func (f *sourceFlags) open(ctx context.Context, env Env) (*opened, error) {
	if slices.Contains(f.from, "") {
		return nil, usageError("--from is empty: name a file, a directory, or - for standard input")
	}
	at, err := f.instant()
	if err != nil {
		return nil, err
	}
	po, err := f.profileOptions(env.Controllers.Releases())
	if err != nil {
		return nil, err
	}
	o := &opened{controllers: env.Controllers, config: f.config}
	if len(f.from) > 0 {
		o.namespace, o.files = *f.config.Namespace, true
		o.Source, err = bundle.Open(f.from, env.In, bundle.Options{At: at})
	} else {
		err = f.openLive(o, env)
	}
	if err != nil {
		return nil, err
	}
	if err = o.model(ctx, po); err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

func (f *sourceFlags) openLive(o *opened, env Env) error {
	var err error
	if o.namespace, _, err = f.config.ToRawKubeConfigLoader().Namespace(); err != nil {
		return err
	}
	if wrong := validation.IsDNS1123Label(o.namespace); len(wrong) > 0 {
		return usageError("--namespace %s is no name of a namespace; list all with: kubectl get namespaces", beginningOf(o.namespace))
	}
	cfg, err := f.config.ToRESTConfig()
	if err != nil {
		return fmt.Errorf("%w; name a cluster with --kubeconfig or --context, or read files with --from", err)
	}
	src, err := live.Open(cfg, live.Options{Clock: env.Clock, UserAgent: "kubectl-ctrl/" + env.Version, Timeout: cfg.Timeout, AllowDryRun: f.allowDryRun})
	if err != nil {
		return err
	}
	o.server = src
	o.Source = newReported(src, env, cfg.Host)
	return nil
}

// model finds out which controllers to model. The server is asked for its version
// while its controller manager is looked for.
func (o *opened) model(ctx context.Context, po profile.Options) error {
	o.manager.Hidden = "--emulate-version stands for it"
	if po.Emulate == "" {
		src, stop := o.reporting()
		defer stop()
		found := make(chan profile.Manager, 1)
		go func() { found <- findManager(ctx, src) }()
		server, err := src.Version(ctx)
		po.Server, po.ServerBasis, po.ServerEmulates = server.Version, server.Basis, server.Emulated
		po.Manager = <-found
		o.manager = po.Manager
		if err != nil {
			return err
		}
		if server.Version == "" {
			po.Kubelets = kubelets(ctx, src)
		}
	}
	var err error
	if o.profile, err = profile.New(po); err != nil && len(po.Gates) > 0 {
		return fmt.Errorf("--feature-gates: %w", err)
	}
	return err
}

// kubelets are the versions of the kubelets of the Nodes that files hold.
func kubelets(ctx context.Context, src view.Source) (all []string) {
	nodes, _ := src.Once(ctx, view.Need{Kind: view.Nodes})
	for _, obj := range nodes {
		if n, ok := obj.(*corev1.Node); ok {
			all = append(all, n.Status.NodeInfo.KubeletVersion)
		}
	}
	return all
}

// beginningOf quotes the beginning of what may be long.
func beginningOf(text string) string {
	if most := 100; len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}
