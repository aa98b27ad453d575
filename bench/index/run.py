"""Compares this project's index with its peers on one set of vectors.

usage: python run.py PROGRAM DIR OUT [ENGINE[:M[:EFC]][@LEVEL] ...]

PROGRAM is the compiled Go command of this folder, DIR what it made (`index clustered`, `index sentences`), OUT the name of the
table (.md), figures (.json) and plot (.svg) to write, without its ending. Each engine is a process pinned to one core; they are
asked in turn, so that what else the machine does meets them alike, and the best of the rounds counts (CPU time a query).
"""
import json
import os
import platform
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ENGINES = "akin:16 akin:24 hnswlib:16 hnswlib:24 faiss-sq8:16 usearch-f32:16 usearch-i8:16 akin-flat faiss-flat coder".split()
BREADTHS = [6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64, 80, 100, 128, 160, 200, 280, 400, 600, 800]
ROUNDS = int(os.environ.get("ROUNDS", "3"))
EFC = os.environ.get("EFC", "200")  # the peers' efConstruction; ours is 100, its default, unless its name says otherwise
RECALLS = [.95, .98, .99, .995, .999]
CORE = os.environ.get("CORE", "1")


class Engine:
    def __init__(self, program, folder, name):
        self.name = name
        name, _, level = name.partition("@")
        parts = name.split(":")
        kind, m, efc = parts + [None, "16", "100" if parts[0] == "akin" else EFC][len(parts):]
        # A breadth below the ten that are asked for is ten to the peers.
        self.breadths = [64] if kind.endswith("-flat") else BREADTHS if kind == "akin" else [b for b in BREADTHS if b >= 10]
        command = [program, "serve"] if kind.startswith(("akin", "coder")) else [sys.executable, os.path.join(HERE, "worker.py")]
        command += [kind, folder, m, efc]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "GOMAXPROCS": "1", "AKIN_CPU": level})
        self.stats = self.answer()
        os.sched_setaffinity(self.process.pid, {int(CORE)})
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            os.sched_setaffinity(int(task), {int(CORE)})
        self.points = {}  # breadth -> [recall, us]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.name} ended")
        return json.loads(line)

    def ask(self, breadth):
        self.process.stdin.write(f"{breadth}\n")
        self.process.stdin.flush()
        a = self.answer()
        recall, us = self.points.get(breadth, (0, 1e9))
        self.points[breadth] = (a["recall"], min(us, a["us"]))
        self.stats["rss"] = a["rss"]

    def time_at(self, recall):
        """The time a query at a recall, between the measured points; None where it is not reached."""
        curve = sorted(self.points.values())
        # A point counts only if none with more recall is faster.
        curve = [p for i, p in enumerate(curve) if all(p[1] <= q[1] for q in curve[i + 1:])]
        if not curve or curve[-1][0] < recall:
            return None
        if recall <= curve[0][0]:
            return curve[0][1]
        r, t = zip(*curve)
        return float(np.interp(recall, r, t))


def main():
    program, folder, out, *names = sys.argv[1:]
    engines = [Engine(program, folder, name) for name in names or ENGINES]
    for _ in range(ROUNDS):
        for breadth in BREADTHS:
            for e in engines:
                if breadth in e.breadths:
                    e.ask(breadth)
    n = os.path.getsize(os.path.join(folder, "vectors.f32")) // (384 * 4)
    result = {
        "date": time.strftime("%Y-%m-%d"), "machine": machine(), "vectors": n, "data": os.path.basename(os.path.normpath(folder)),
        "engines": {e.name: {"stats": e.stats, "points": [[b, *e.points[b]] for b in sorted(e.points)],
                             "at": {str(r): e.time_at(r) for r in RECALLS}} for e in engines},
    }
    with open(out + ".json", "w") as f:
        json.dump(result, f, indent=1)
    with open(out + ".md", "w") as f:
        f.write(table(result))
    plot(result, out + ".svg")
    print(table(result))


def machine():
    with open("/proc/cpuinfo") as f:
        flags = next(line for line in f if line.startswith("flags"))
    level = "AVX-512 with VNNI" if "avx512_vnni" in flags else "AVX-512" if "avx512f" in flags else "AVX2"
    return f"{platform.machine()}, {level}, {os.cpu_count()} cores, load average {os.getloadavg()[1]:.0f}"


def table(result):
    engines = result["engines"]
    lines = [f"# {result['data']}: {result['vectors']:,} vectors of 384", "",
             f"{result['date']}, {result['machine']}. µs of CPU a query on one pinned thread at a recall of the true ten, engines asked in "
             f"turn, best of {ROUNDS} rounds; in brackets the ratio to the better hnswlib.", "",
             "| engine | " + " | ".join(str(r) for r in RECALLS) + " | recall at ef 10 / 64 / 200 |", "|" + "---|" * (len(RECALLS) + 2)]
    for name, e in engines.items():
        cells = []
        for r in RECALLS:
            t = e["at"][str(r)]
            best = min((x["at"][str(r)] for k, x in engines.items() if k.startswith("hnswlib") and x["at"][str(r)]), default=None)
            cells.append("–" if t is None else f"{t:.0f}" + (f" ({t / best:.2f})" if best and not is_hnswlib(name) else ""))
        points = {p[0]: p for p in e["points"]}
        recalls = " / ".join(f"{points[b][1]:.4f}" if b in points else "" for b in (10, 64, 200)) if len(points) > 1 else f"{e['points'][0][1]:.4f}"
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {recalls} |")
    lines += ["", "| engine | what it took |", "|---|---|"]
    for name, e in engines.items():
        s = {k: v for k, v in e["stats"].items() if k != "rss_before"}
        s["rss"] = (e["stats"]["rss"] - e["stats"]["rss_before"]) / result["vectors"] if "rss_before" in e["stats"] else 0
        s = {NAMES.get(k, k): v for k, v in s.items() if v}
        lines.append(f"| {name} | " + ", ".join(f"{k} {v:,.2f}" for k, v in s.items()) + " |")
    return "\n".join(lines) + "\n"


NAMES = {
    "build_cpu": "build CPU s", "build_wall": "build wall s (2 threads)", "build_cpu_1": "build CPU s (1 worker)",
    "build_cpu_2": "build CPU s (2 workers)", "build_wall_1": "wall s (1)", "build_wall_2": "wall s (2)", "open_ms": "open ms",
    "first_answer_ms": "open and first answer ms", "first_answers_ms": "open and 1,000 answers ms",
    "gigabytes_a_second": "memory bandwidth, GB/s",
    "bytes_a_vector": "bytes a vector without float32", "rss": "resident bytes a vector",
}


def is_hnswlib(name):
    return name.startswith("hnswlib")


def plot(result, path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "akin"
    import matplotlib.pyplot as plt
    fig, ax = plt.subplots(figsize=(7, 4.5))
    for name, e in result["engines"].items():
        points = [p for p in e["points"] if p[1] >= .85]
        if points:
            ax.plot([p[1] for p in points], [1e6 / p[2] for p in points], marker="o", markersize=3, label=name)
    ax.set(xlabel="recall@10", ylabel="queries a second, one thread", yscale="log", title=f"{result['data']}, {result['vectors']:,} vectors of 384")
    ax.grid(alpha=.3)
    ax.legend(fontsize=8)
    fig.savefig(path, metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
