// Package clusterdsl answers, for tests: what does this small cluster look like,
// and what was decided about it, in words that a reader can check by eye?
//
// A sketch has an object a line: kind, name, and words. Ages are before now,
// which is 2026-11-01T12:00:00Z. UIDs are the names unless given, so that the
// order of UIDs can be read off.
//
//	rs   web  selector=app=web replicas=2 of=deployment/web
//	pod  a    of=replicaset/web app=web node=n1 ready=5m age=6m cost=-1
//	pod  b    app=web node=n1 notready age=6m        # an orphan
//
// Labels are words with a domain, and those of a short list; ns= is another namespace.
// A word that nothing reads is an error.
package clusterdsl
