package rules

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The rules of downloading images ahead.
const (
	ImagesPreDownloaded    = "ImagesPreDownloaded"
	ImagesNotPreDownloaded = "ImagesNotPreDownloaded"

	preDownloadFunc = "pkg/controller/cloneset/cloneset_predownload_image.go createImagePullJobsForInPlaceUpdate (Kruise v1.9.1)"
)

var preDownloadRules = decision.Catalogue{
	{
		ID: ImagesPreDownloaded, Title: "Image pull jobs are made before Pods are updated", Source: preDownloadFunc,
		Text: "With gate PreDownloadImageForInPlaceUpdate a new revision gets an ImagePullJob for each container with another image, on the nodes of Pods that are not updated. The update does not wait for them. They are deleted when all Pods are updated.",
		Keys: []decision.Key{KeyJobs},
		Line: func(fs decision.Facts) string { return "image pull jobs are made: " + fs.Str(KeyJobs) },
	},
	{
		ID: ImagesNotPreDownloaded, Title: "No image pull job is made", Source: preDownloadFunc,
		Text: "Type ReCreate, up to three replicas, an update of all Pods in one batch and changes that can't be made in place go without; such a revision is marked, and not looked at again.",
		Keys: []decision.Key{KeyWhy},
		Line: func(fs decision.Facts) string { return "no image is downloaded ahead: " + fs.Str(KeyWhy) },
	},
}
