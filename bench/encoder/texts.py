"""The texts that are encoded: abstracts, and pieces of them with an exact length."""
import json


def load(data, count):
    """The first count texts of a folder: title and abstract of each line of corpus*.jsonl."""
    files = sorted(data.glob("corpus*.jsonl"))
    if not files:
        raise SystemExit(f"{data}: no corpus*.jsonl; --help names the data")
    texts = []
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                paper = json.loads(line)
                abstract = paper.get("abstract") or paper.get("text") or ""
                if isinstance(abstract, list):
                    abstract = " ".join(abstract)
                texts.append(f"{paper['title'].rstrip('.')}. {abstract}")
                if len(texts) == count:
                    return texts
    raise SystemExit(f"{data}: {len(texts)} papers, {count} are needed")


def of_length(tokenizer, texts, tokens, count):
    """count texts of exactly the given number of tokens, made by leaving words off."""
    found = []
    for text in texts:
        words = text.split()
        low, high = 1, len(words)
        while low < high:  # the fewest words that reach the length
            middle = (low + high) // 2
            if len(tokenizer.encode(" ".join(words[:middle])).ids) < tokens:
                low = middle + 1
            else:
                high = middle
        piece = " ".join(words[:low])
        if len(tokenizer.encode(piece).ids) == tokens:
            found.append(piece)
            if len(found) == count:
                return found
    raise SystemExit(f"only {len(found)} texts of {tokens} tokens, {count} are needed")
