"""Compares this project's encoder with its peers, interleaved in one run.

Started by run.sh; see there. Writes encoder-DATE.json and encoder-DATE.md to --out.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import numpy as np

import texts as corpus

HERE = pathlib.Path(__file__).resolve().parent
LENGTHS = (16, 64, 128, 256)
REFERENCE = "sentence-transformers"
BASELINES = ("onnxruntime fp32", "openvino fp32")
PEERS = ("onnxruntime fp32", "openvino fp32", REFERENCE, "openvino bf16", "onnxruntime int8", "openvino int8")
SLOW = ("cybertron", "hugot")  # timed once, and not with many texts
ABSTRACTS = 500
COMPARED = 64  # of them, by their vectors
CALIBRATION = 300  # texts after them, on which NNCF calibrates
CACHE = HERE / ".cache"


class Worker:
    """An engine in a process of its own, on some threads."""

    def __init__(self, name, command, threads, level=None):
        self.name = name
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
        environment |= {"GOMAXPROCS": str(threads), "OMP_NUM_THREADS": str(threads)}
        if level:
            environment["AKIN_CPU"] = level
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name}: the worker ended with {self.process.wait()}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def levels():
    """The processor levels that the Go engine has here, best first."""
    with open("/proc/cpuinfo") as f:
        flags = next((line for line in f if line.startswith(("flags", "Features"))), "").split()
    if "asimd" in flags:
        return ["neon"]
    have = []
    if "avx512_vnni" in flags:
        have.append("vnni")
    if "avx512bw" in flags:
        have.append("avx512")
    return [*have, "avx2"]


def engines(only):
    """Name -> (command with THREADS left open, level), ours first."""
    go = lambda engine, *more: [str(CACHE / "encoder"), "-engine", engine, *more]
    python = lambda name: [sys.executable, str(HERE / "worker.py"), name, "THREADS", str(CACHE)]
    all = {}
    for precision in ("int16", "fp32"):
        for level in levels():
            if precision == "fp32" and level == "vnni":
                continue  # VNNI is for integers: fp32 there is the AVX-512 kernel
            all[f"akin {precision} {level}"] = (go("akin", "-precision", precision), level)
    for name in PEERS:
        all[name] = (python(name), None)
    all["cybertron"] = (go("cybertron"), None)
    all["hugot"] = (go("hugot", "-models", str(CACHE)), None)
    return {n: e for n, e in all.items() if not only or any(o in n for o in only) or n in (*BASELINES, REFERENCE)}


def start(name, engine, threads):
    command, level = engine
    return Worker(name, [str(threads) if c == "THREADS" else c for c in command], threads, level)


def one_thread(args, all, by_length):
    """CPU ms a text of each engine and length; a round asks every engine in turn."""
    workers = {name: start(name, engine, 1) for name, engine in all.items()}
    ms = {name: {n: [] for n in LENGTHS} for name in all}
    for r in range(args.rounds):
        for length in LENGTHS:
            order = list(workers.items())
            for name, worker in order[r % len(order):] + order[: r % len(order)]:
                if name in SLOW and r > 0:
                    continue
                chosen = by_length[length][:1] if name in SLOW else by_length[length]
                cpu = 0.0 if name in SLOW else args.cpu
                ms[name][length].append(worker.ask(op="time", texts=chosen, cpu=cpu)["ms"])
        print(f"round {r + 1} of {args.rounds}", file=sys.stderr)
    return workers, ms


def fidelity(workers, texts, short):
    """Cosine of each engine's vectors with the reference's, over texts (for the slow ones, short)."""
    reference = dict(zip(texts + short, workers[REFERENCE].ask(op="encode", texts=texts + short)["vectors"]))
    result = {}
    for name, worker in workers.items():
        chosen = short if name in SLOW else texts
        vectors = np.array(worker.ask(op="encode", texts=chosen)["vectors"])
        expected = np.array([reference[t] for t in chosen])
        cosines = (vectors * expected).sum(1) / np.linalg.norm(vectors, axis=1) / np.linalg.norm(expected, axis=1)
        result[name] = {"texts": len(cosines), "worst": float(cosines.min()), "mean": float(cosines.mean())}
    return result


def all_cores(args, all, texts):
    """Papers a second with all cores, each at its best setting; the best of two passes."""
    result = {}
    names = [n for n in all if n not in SLOW and (not n.startswith("akin") or n.endswith(levels()[0]) or n == "akin fp32 avx512")]
    for _ in range(args.passes):
        for name in names:
            worker = start(name, all[name], os.cpu_count())
            answer = worker.ask(op="all", texts=texts)
            worker.close()
            for setting, (wall, cpu) in answer["seconds"].items():
                entry = {"papers_a_second": len(texts) / wall, "cpu_ms": cpu / len(texts) * 1e3, "setting": setting,
                         "peak_mb": answer.get("peak_mb")}
                if name not in result or entry["papers_a_second"] > result[name]["papers_a_second"]:
                    result[name] = entry
    return result


def ratios(ms):
    """Median over the rounds of an engine's time by the better baseline's of the same round."""
    result = {}
    for name, lengths in ms.items():
        result[name] = {}
        for n, times in lengths.items():
            base = [min(pair) for pair in zip(*(ms[b][n] for b in BASELINES))]
            result[name][n] = statistics.median(t / b for t, b in zip(times, base))
    return result


def versions():
    from importlib.metadata import version

    names = ("onnxruntime", "openvino", "nncf", "torch", "sentence-transformers", "transformers", "tokenizers", "numpy")
    found = {n: version(n) for n in names}
    found["go"] = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout.strip()
    for module in ("github.com/nlpodyssey/cybertron", "github.com/knights-analytics/hugot"):
        line = subprocess.run(["go", "list", "-m", module], capture_output=True, text=True, check=True, cwd=HERE).stdout
        found[module.rsplit("/", 1)[1]] = line.split()[1]
    return found


def processor():
    with open("/proc/cpuinfo") as f:
        lines = dict(line.split(":", 1) for line in f.read().split("\n\n")[0].splitlines() if ":" in line)
    fields = {k.strip(): v.strip() for k, v in lines.items()}
    wanted = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "asimd", "asimddp")
    flags = (fields.get("flags") or fields.get("Features", "")).split()
    return {
        "name": fields.get("model name", platform.processor()),
        "family_model_stepping": "/".join(fields.get(k, "?") for k in ("cpu family", "model", "stepping")),
        "cores": os.cpu_count(),
        "features": [f for f in wanted if f in flags],
    }


def table(run):
    lines = [
        f"# The encoder against its peers, {run['date']}",
        "",
        f"Made by `bench/encoder/run.sh --data DIR` on {run['processor']['cores']} cores of {run['processor']['name']}"
        f" (family/model/stepping {run['processor']['family_model_stepping']}; {', '.join(run['processor']['features'])}).",
        f"{run['rounds']} rounds, {run['passes']} passes with all cores. Read the ratios: the times move with what else the host runs.",
        "",
        "One text, one thread: median CPU milliseconds, and in brackets the median ratio, within a round, to the better of ONNX Runtime fp32",
        "and OpenVINO fp32. The runtimes are given ids; this project, sentence-transformers, cybertron and hugot are given text.",
        f"Cosine: with the vectors of sentence-transformers in the same run, over {COMPARED} abstracts (cybertron, hugot: 5 short texts).",
        "",
        "| engine | " + " | ".join(f"{n} tokens" for n in LENGTHS) + " | worst cosine | mean |",
        "|---|" + "---|" * (len(LENGTHS) + 2),
    ]
    for name, times in run["cpu_ms"].items():
        cells = [f"{statistics.median(times[str(n)]):.1f} ({run['ratio'][name][str(n)]:.2f})" for n in LENGTHS]
        cosine = run["cosine"][name]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {cosine['worst']:.7f} | {cosine['mean']:.7f} |")
    lines += ["", f"{run['abstracts']} abstracts, all cores, each engine at its best setting:", "", "| engine | papers a second | CPU ms a paper | setting | peak memory |", "|---|---|---|---|---|"]
    for name, entry in sorted(run["all_cores"].items(), key=lambda x: -x[1]["papers_a_second"]):
        peak = f"{entry['peak_mb']:.0f} MB" if entry["peak_mb"] else ""
        lines.append(f"| {name} | {entry['papers_a_second']:.1f} | {entry['cpu_ms']:.1f} | {entry['setting']} | {peak} |")
    lines += ["", "Versions: " + ", ".join(f"{n} {v}" for n, v in run["versions"].items()) + ".", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="bench/encoder/run.sh", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, metavar="DIR",
                        help="folder with corpus*.jsonl of BEIR's SciFact (allenai/scifact, abstracts under ODC-By 1.0): a title and an abstract a line")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "docs" / "benchmarks")
    parser.add_argument("--rounds", type=int, default=9, help="rounds over all engines (default 9)")
    parser.add_argument("--passes", type=int, default=2, help="passes with all cores (default 2)")
    parser.add_argument("--cpu", type=float, default=0.15, help="CPU seconds for each measurement (default 0.15)")
    parser.add_argument("--only", nargs="*", help="parts of the names of engines, besides the baselines")
    args = parser.parse_args()
    many = corpus.load(args.data, ABSTRACTS + CALIBRATION)
    many, calibration = many[:ABSTRACTS], many[ABSTRACTS:]
    if not (CACHE / "done").exists():
        print("making the peers' models: some minutes", file=sys.stderr)
        import export

        export.write_all(HERE.parents[1] / "models", CACHE, calibration)

    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(CACHE / "tokenizer.json"))
    by_length = {n: corpus.of_length(tokenizer, many, n, 4) for n in LENGTHS}
    all = engines(args.only)
    workers, ms = one_thread(args, all, by_length)
    cosine = fidelity(workers, many[:COMPARED], by_length[16] + by_length[64][:1])
    for worker in workers.values():
        worker.close()
    run = {
        "date": datetime.date.today().isoformat(), "processor": processor(), "versions": versions(),
        "rounds": args.rounds, "passes": args.passes, "abstracts": ABSTRACTS, "cpu_ms": ms, "ratio": ratios(ms), "cosine": cosine, "all_cores": {},
    }
    write(run, args.out)
    run["all_cores"] = all_cores(args, all, many)
    print(write(run, args.out))


def write(run, out):
    """Writes the figures and the table, and returns the table."""
    run = json.loads(json.dumps(run))  # numbers as keys become text, as in the file
    out.mkdir(parents=True, exist_ok=True)
    base = out / f"encoder-{run['date']}"
    base.with_suffix(".json").write_text(json.dumps(run, indent=1) + "\n")
    base.with_suffix(".md").write_text(table(run))
    return table(run)


if __name__ == "__main__":
    main()
