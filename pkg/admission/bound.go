package admission

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// bound is one entry of a LimitRange beside what a container or Pod has. The
// numbers are comparable with each other (requestLimitEnforcedValues).
type bound struct {
	kind, resource       string
	quantity, req, lim   resource.Quantity
	hasReq, hasLim       bool
	request, limit, edge int64
}

func newBound(kind string, name corev1.ResourceName, q resource.Quantity, requests, limits corev1.ResourceList) bound {
	b := bound{kind: kind, resource: string(name), quantity: q}
	b.req, b.hasReq = requests[name]
	b.lim, b.hasLim = limits[name]
	if exact(b.req, b.lim, q) {
		b.request, b.limit, b.edge = b.req.MilliValue(), b.lim.MilliValue(), q.MilliValue()
	} else {
		b.request, b.limit, b.edge = b.req.Value(), b.lim.Value(), q.Value()
	}
	return b
}

// belowMin mirrors minConstraint.
func (b bound) belowMin() string {
	switch {
	case !b.hasReq:
		return b.says("minimum", ".  No request is specified")
	case b.request < b.edge:
		return b.says("minimum", ", but request is "+b.req.String())
	case b.hasLim && b.limit < b.edge:
		return b.says("minimum", ", but limit is "+b.lim.String())
	}
	return ""
}

// aboveMax mirrors maxConstraint.
func (b bound) aboveMax() string {
	switch {
	case !b.hasLim:
		return b.says("maximum", ".  No limit is specified")
	case b.limit > b.edge:
		return b.says("maximum", ", but limit is "+b.lim.String())
	case b.hasReq && b.request > b.edge:
		return b.says("maximum", ", but request is "+b.req.String())
	}
	return ""
}

func (b bound) says(which, what string) string {
	return fmt.Sprintf("%s %s usage per %s is %s%s", which, b.resource, b.kind, b.quantity.String(), what)
}

// aboveRatio mirrors limitRequestRatioConstraint.
func (b bound) aboveRatio() string {
	says := func(what string) string {
		return fmt.Sprintf("%s max limit to request ratio per %s is %s, but %s", b.resource, b.kind, b.quantity.String(), what)
	}
	if b.request == 0 {
		return says("no request is specified or request is 0")
	}
	if b.limit == 0 {
		return says("no limit is specified or limit is 0")
	}
	ratio := float64(b.limit) / float64(b.request)
	if b.isRatioAbove(ratio) {
		return says(fmt.Sprintf("provided ratio is %f", ratio))
	}
	return ""
}

func (b bound) isRatioAbove(ratio float64) bool {
	if exact(b.quantity) {
		return ratio*1000 > float64(b.quantity.MilliValue())
	}
	return ratio > float64(b.quantity.Value())
}
