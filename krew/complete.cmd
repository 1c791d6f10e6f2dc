@echo off
rem kubectl runs kubectl_complete-NAME to complete what is typed after
rem "kubectl NAME". It has to be on PATH beside kubectl-NAME.exe.
setlocal
set "self=%~n0"
"kubectl-%self:kubectl_complete-=%" __complete %*
