"""The BenchExec tool-info module of Provident: tool="provident_benchexec.tool"."""
