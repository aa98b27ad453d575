"""Makes the peers' models from the bundled weights.

write_all gives its folder st/ (sentence-transformers), single.onnx (fp32, one text
without a mask), single-int8.onnx (ONNX Runtime), int8.xml (OpenVINO, NNCF) and hugot/.
"""
import json
import shutil

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

OPSET = 17
HIDDEN = "last_hidden_state"  # the name by which hugot knows it


class Sentence(torch.nn.Module):
    """The token ids of one text to its unit vector: the model, mean pooling, L2."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, input_ids):
        hidden = self.bert(input_ids=input_ids).last_hidden_state
        return torch.nn.functional.normalize(hidden.mean(dim=1), dim=1)


class Hidden(torch.nn.Module):
    """What hugot pools itself: the last layer's states.

    It gets one text at a time, whose mask is all ones; its converter does not take the
    graph by which transformers makes an attention mask.
    """

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.bert(input_ids, token_type_ids=token_type_ids).last_hidden_state
        return hidden * attention_mask.unsqueeze(-1).to(hidden.dtype)


def load_bert(models):
    config = BertConfig.from_json_file(models / "config.json")
    config._attn_implementation = "eager"  # the form that the runtimes' fusions know
    bert = BertModel(config, add_pooling_layer=False)
    weights = {name: w.float() for name, w in load_file(models / "model.safetensors").items()}
    missing, unexpected = bert.load_state_dict(weights, strict=False)
    assert not unexpected and all("position_ids" in m or "token_type_ids" in m for m in missing), (missing, unexpected)
    return bert.eval()


def export(module, inputs, path, output):
    names = list(inputs)
    axes = {n: {1: "tokens"} for n in [*names, *([output] if output == HIDDEN else [])]}
    torch.onnx.export(
        module, tuple(inputs.values()), str(path), input_names=names, output_names=[output],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )


def write_onnx(bert, out):
    ids = torch.randint(1000, 20000, (1, 9))
    export(Sentence(bert), {"input_ids": ids}, out / "single.onnx", "vector")
    hugot = out / "hugot"
    hugot.mkdir(exist_ok=True)
    export(
        Hidden(bert),
        {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)},
        hugot / "export.onnx", HIDDEN,
    )
    fold_constants(hugot / "export.onnx", hugot / "model.onnx")
    (hugot / "export.onnx").unlink()


def fold_constants(path, out):
    """hugot's converter refuses the empty constants of an export."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(out)
    ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def write_tokenizers(models, out):
    """tokenizer.json as the model uses it: cut at 256, never padded."""
    spec = json.loads((models / "tokenizer.json").read_text())
    spec["truncation"]["max_length"] = 256
    spec["padding"] = None
    (out / "tokenizer.json").write_text(json.dumps(spec))
    shutil.copy(out / "tokenizer.json", out / "hugot" / "tokenizer.json")
    shutil.copy(models / "config.json", out / "hugot" / "config.json")
    special = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    (out / "hugot" / "special_tokens_map.json").write_text(json.dumps(special))
    (out / "hugot" / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 256, "do_lower_case": True, **special}))


def write_sentence_transformers(bert, out):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Normalize, Pooling, Transformer
    from transformers import PreTrainedTokenizerFast

    raw = out / "bert"
    bert.config._attn_implementation = "sdpa"  # what a user gets
    bert.save_pretrained(raw)
    PreTrainedTokenizerFast(
        tokenizer_file=str(out / "tokenizer.json"), model_max_length=256, cls_token="[CLS]", sep_token="[SEP]",
        pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]",
    ).save_pretrained(raw)
    transformer = Transformer(str(raw), max_seq_length=256)
    SentenceTransformer(modules=[transformer, Pooling(384, "mean"), Normalize()], device="cpu").save(str(out / "st"))


def write_onnxruntime(out):
    """int8 by dynamic quantisation per channel, its most faithful form.

    In fp32 the plain export is used: at load ONNX Runtime fuses it to a graph that was as
    fast as, or faster than, the offline optimizer's and one written down with its fused
    Attention operator (256 tokens: 60.1, 65.6 and 63.6 ms).
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(str(out / "single.onnx"), str(out / "single-int8.onnx"), per_channel=True, weight_type=QuantType.QInt8)


def write_openvino(texts, out):
    """Static int8: NNCF's transformer settings, calibrated on texts of the data."""
    import nncf
    import numpy as np
    import openvino as ov
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    ids = [np.array([tokenizer.encode(t).ids], np.int64) for t in texts]
    model = ov.Core().read_model(out / "single.onnx")
    quantised = nncf.quantize(
        model, nncf.Dataset(ids), model_type=nncf.ModelType.TRANSFORMER, subset_size=len(ids),
        preset=nncf.QuantizationPreset.MIXED,
    )
    ov.save_model(quantised, out / "int8.xml", compress_to_fp16=False)


def write_all(models, out, texts):
    torch.manual_seed(1)
    out.mkdir(parents=True, exist_ok=True)
    bert = load_bert(models)
    write_onnx(bert, out)
    write_tokenizers(models, out)
    write_sentence_transformers(bert, out)
    write_onnxruntime(out)
    write_openvino(texts, out)
    (out / "done").write_text("")
