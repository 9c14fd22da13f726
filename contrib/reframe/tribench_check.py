"""A ReFrame test: every map is right on this system, and how much it gains over the bounding box.

reframe -c contrib/reframe -r                                  # tribench is on PATH, or in a module of the environment
reframe -c contrib/reframe -r -S engine=cpu -S n=1024 -S executable=$PWD/tribench

Set references for the improvements in a site's own subclass, or with --setvar.
"""

import json
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, run_before, sanity_function, variable


@rfm.simple_test
class TribenchCheck(rfm.RunOnlyRegressionTest):
    descr = "maps of thread blocks on triangles"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "tribench"
    keep_files = ["tribench.json"]
    workload = parameter(["write", "edm4"])
    engine = variable(str, value="cuda")
    strategies = variable(str, value="bb,ltm-i,rb-b,rec,hmap")
    n = variable(int, value=8192)
    more = variable(str, value="")  # options of tribench

    @run_before("run")
    def choose_runs(self):
        self.executable_opts = [
            "--quiet", "--engine", self.engine, "--strategy", self.strategies, "--workload", self.workload,
            "--n", str(self.n), "--output", "tribench.json",
            *self.more.split(),
        ]

    def runs(self):
        return json.loads((Path(self.stagedir) / "tribench.json").read_text(encoding="utf-8"))["runs"]

    @sanity_function
    def every_run_is_verified(self):
        runs = self.runs()
        bad = [run["key"] for run in runs if run["status"] != "ok" or run["verified"]["status"] != "pass"]
        return sn.assert_true(runs and not bad, msg=f"not verified: {', '.join(bad) or 'no runs'}")

    @run_before("performance")
    def read_times(self):
        self.perf_variables = {}
        for run in self.runs():
            figures = [("time", run["time_ms"]["median"], "ms")]
            if run["improvement"] is not None:
                figures.append(("improvement", run["improvement"]["factor"], "times"))
            for name, value, unit in figures:
                function = sn.make_performance_function(sn.defer(value), unit)
                self.perf_variables[f"{run['strategy']}_{name}"] = function
