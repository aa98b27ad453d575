"""One peer in a process of its own; run.py talks to it in JSON lines.

usage: python worker.py ENGINE THREADS MODELS      ENGINE is a key of ENGINES

Requests, one a line; each is answered by one line:
  {"op": "encode", "texts": [...]}               {"vectors": [...]}
  {"op": "time", "texts": [...], "cpu": 0.2}     {"ms": CPU milliseconds a text, "texts": how many}
  {"op": "all", "texts": [...]}                  {"seconds": {setting: [wall, CPU]}}
The runtimes are given ids: the time of their tokenizer is not counted.
sentence-transformers and the Go engines are given texts.
"""
import concurrent.futures
import json
import os
import pathlib
import sys
import time


class Runtime:
    """A runtime that takes ids and gives vectors, one text at a time."""

    def __init__(self, models, threads):
        from tokenizers import Tokenizer

        self.models, self.threads = models, threads
        self.tokenizer = Tokenizer.from_file(str(models / "tokenizer.json"))
        self.known = {}
        self.open()

    def ids(self, text):
        import numpy as np

        if text not in self.known:
            self.known[text] = np.array([self.tokenizer.encode(text).ids], np.int64)
        return self.known[text]

    def encode(self, text):
        return self.run(self.ids(text))[0]

    def settings(self):
        """Named ways to encode many texts with all cores."""
        return {}


class OnnxRuntime(Runtime):
    file = "single.onnx"

    def open(self):
        self.one = self.session(self.threads)

    def session(self, threads):
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        return ort.InferenceSession(str(self.models / self.file), options, providers=["CPUExecutionProvider"])

    def run(self, ids):
        return self.one.run(None, {"input_ids": ids})[0]

    def settings(self):
        alone = self.session(1)

        def side_by_side(texts):
            with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(lambda t: alone.run(None, {"input_ids": self.ids(t)}), texts))

        def one_by_one(texts):
            for t in texts:
                self.run(self.ids(t))

        return {"a text a thread": side_by_side, "a text at a time, all threads": one_by_one}


class OnnxRuntimeInt8(OnnxRuntime):
    file = "single-int8.onnx"


class OpenVino(Runtime):
    file, precision = "single.onnx", "f32"

    def open(self):
        self.request = self.compile("LATENCY", self.threads).create_infer_request()

    def compile(self, hint, threads, **more):
        import openvino as ov

        config = {"PERFORMANCE_HINT": hint, "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": self.precision, **more}
        return ov.Core().compile_model(str(self.models / self.file), "CPU", config)

    def run(self, ids):
        return self.request.infer({0: ids})[0].copy()

    def settings(self):
        import openvino as ov

        queue = ov.AsyncInferQueue(self.compile("THROUGHPUT", self.threads, NUM_STREAMS=self.threads), self.threads)

        def side_by_side(texts):
            for t in texts:
                queue.start_async({0: self.ids(t)})
            queue.wait_all()

        def one_by_one(texts):
            for t in texts:
                self.run(self.ids(t))

        return {"a text a stream": side_by_side, "a text at a time, all threads": one_by_one}


class OpenVinoBF16(OpenVino):
    precision = "bf16"


class OpenVinoInt8(OpenVino):
    file = "int8.xml"


class SentenceTransformers:
    def __init__(self, models, threads):
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        self.model = SentenceTransformer(str(models / "st"), device="cpu")

    def encode(self, text):
        return self.model.encode([text], show_progress_bar=False)[0]

    def settings(self):
        def batches_of(size):
            return lambda texts: self.model.encode(texts, batch_size=size, show_progress_bar=False)

        return {f"batches of {size}": batches_of(size) for size in (1, 8, 32)}


ENGINES = {
    "onnxruntime fp32": OnnxRuntime,
    "onnxruntime int8": OnnxRuntimeInt8,
    "openvino fp32": OpenVino,
    "openvino bf16": OpenVinoBF16,
    "openvino int8": OpenVinoInt8,
    "sentence-transformers": SentenceTransformers,
}


def measure(engine, texts, cpu):
    """CPU milliseconds a text, over whole rounds of texts until cpu seconds are spent."""
    engine.encode(texts[0])
    start, n = time.process_time(), 0
    while True:
        for t in texts:
            engine.encode(t)
            n += 1
        spent = time.process_time() - start
        if spent >= cpu:
            return {"ms": spent / n * 1e3, "texts": n}


def throughput(engine, texts):
    seconds = {}
    for name, run in engine.settings().items():
        run(texts[:20])
        wall, cpu = time.perf_counter(), time.process_time()
        run(texts)
        seconds[name] = [time.perf_counter() - wall, time.process_time() - cpu]
    return {"seconds": seconds}


def answer(engine, request):
    texts = request["texts"]
    if request["op"] == "encode":
        return {"vectors": [[float(x) for x in engine.encode(t)] for t in texts]}
    if request["op"] == "time":
        return measure(engine, texts, request["cpu"])
    return throughput(engine, texts)


if __name__ == "__main__":
    name, threads, models = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    os.environ.update(OMP_NUM_THREADS=str(threads), TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
    answers, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    engine = ENGINES[name](models, threads)
    for line in sys.stdin:
        print(json.dumps(answer(engine, json.loads(line))), file=answers, flush=True)
