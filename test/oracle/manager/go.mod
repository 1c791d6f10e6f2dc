module github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/manager

go 1.26.0
