"""Trains the trees and writes src/extract/model/tree-table.ts. README.md says how to run it.

The same examples give the same table, byte for byte: one thread, fixed seeds, whole numbers.
"""

import hashlib
import json
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import lightgbm
import numpy

FOLDER = Path(sys.argv[1])
TARGET = Path(sys.argv[2])
TREES = 300
# Thresholds in fortieths, leaves in thousandths: see trees.ts.
PER_UNIT = 40
PER_LOG_ODD = 1000
# Samples in the style of real services are few, and count for more than made mails.
SAMPLE_WEIGHT = 30.0
# Parts into which templates, and languages, are divided to see what trees are worth on those that they do not know.
PARTS = 6
LEAST_IN_STEP = 200
# The rules' score is added to the trees' sum, as in trees.ts: thousandths of log-odds, and the bounds of the score.
RULES_SHARE = 300
RULES_BOUNDS = (-2, 4)

PARAMETERS = {
    "objective": "binary",
    "num_leaves": 15,
    "learning_rate": 0.08,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 1.0,
    "boost_from_average": False,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 7,
    "verbose": -1,
}


def main() -> None:
    about = json.loads((FOLDER / "examples.json").read_text("utf8"))
    names = about["names"]
    rows = about["rows"]
    known = numpy.array([row["split"] == "train" for row in rows])
    table = numpy.fromfile(FOLDER / "examples.f64").reshape(-1, len(names))[known]
    rows = [row for row in rows if row["split"] == "train"]
    labels = numpy.array([row["isCode"] for row in rows])
    weights = numpy.where([row["isSample"] for row in rows], SAMPLE_WEIGHT, 1.0)

    def grow(chosen: numpy.ndarray) -> lightgbm.Booster:
        data = lightgbm.Dataset(table[chosen], labels[chosen], weight=weights[chosen], feature_name=names)
        return lightgbm.train(PARAMETERS, data, TREES)

    sums, order = judge_unknown(table, rows, grow)
    points = calibrate(sums, labels[order], weights[order])
    model = grow(numpy.ones(len(rows), dtype=bool))
    trees = [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    packed = b"".join(struct.pack("<Bh", *node) for tree in trees for node in pack(tree))
    examples = hashlib.sha256((FOLDER / "examples.f64").read_bytes()).hexdigest()
    write(packed, points, {"inputs": about["inputs"], "examples": examples})
    used = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print(f"{len(trees)} trees, {len(packed) // 3} nodes; most used:", ", ".join(name for _, name in used[:12]))


def judge_unknown(
    table: numpy.ndarray, rows: list[dict], grow: Callable[[numpy.ndarray], lightgbm.Booster]
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns sums of trees that know either the template or the language of a row, not both, and these rows.

    On what trees were trained on they are surer than on any mail to come.
    """
    template = numpy.array([part_of("template", row["template"]) for row in rows])
    language = numpy.array([part_of("language", row["language"]) for row in rows])
    score = numpy.clip(table[:, 0], *RULES_BOUNDS)
    sums, order = [], []
    for part in range(PARTS):
        model = grow((template != part) & (language != part))
        unknown = numpy.flatnonzero((template == part) ^ (language == part))
        sums.append(sum_leaves(model, table[unknown]) + numpy.rint(RULES_SHARE * score[unknown]).astype(int))
        order.append(unknown)
    return numpy.concatenate(sums), numpy.concatenate(order)


def part_of(kind: str, name: str) -> int:
    return zlib.crc32(f"{kind} {name}".encode()) % PARTS


def pack(node: dict) -> list[tuple[int, int]]:
    """Returns a tree's nodes in preorder: feature and threshold, or 0 and the leaf."""
    if "split_feature" not in node:
        return [(0, round(node["leaf_value"] * PER_LOG_ODD))]
    threshold = round(node["threshold"] * PER_UNIT)
    if abs(node["threshold"] * PER_UNIT - threshold) > 0.01:
        raise SystemExit(f"{node['threshold']} is not between two values of feature {node['split_feature']}")
    here = (node["split_feature"] + 1, threshold)
    return [here, *pack(node["left_child"]), *pack(node["right_child"])]


def sum_leaves(model: lightgbm.Booster, table: numpy.ndarray) -> numpy.ndarray:
    """Returns what trees.ts adds up: the sums of the rounded leaves."""
    trees = [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    places = model.predict(table, pred_leaf=True)
    sums = numpy.zeros(len(table), dtype=numpy.int64)
    for at, tree in enumerate(trees):
        leaves = dict(list_leaves(tree))
        sums += numpy.array([leaves[place] for place in range(len(leaves))])[places[:, at]]
    return sums


def list_leaves(node: dict) -> list[tuple[int, int]]:
    if "split_feature" not in node:
        return [(node["leaf_index"], round(node["leaf_value"] * PER_LOG_ODD))]
    return [*list_leaves(node["left_child"]), *list_leaves(node["right_child"])]


def calibrate(sums: numpy.ndarray, labels: numpy.ndarray, weights: numpy.ndarray) -> list[tuple[int, int]]:
    """Isotonic regression: the share of codes by sum never falls. Returns sums and shares in hundredths."""
    steps: list[list[float]] = []
    for at in numpy.argsort(sums, kind="stable"):
        steps.append([weights[at], weights[at] * labels[at], weights[at] * sums[at], 1])
        while len(steps) > 1 and joins(steps[-2], steps[-1]):
            weight, codes, total, count = steps.pop()
            before = steps[-1]
            steps[-1] = [before[0] + weight, before[1] + codes, before[2] + total, before[3] + count]
    points: dict[int, int] = {}
    for weight, codes, total, _ in steps:
        points[round(total / weight)] = round(100 * codes / weight)
    return sorted(points.items())


def joins(before: list[float], after: list[float]) -> bool:
    return before[1] / before[0] >= after[1] / after[0] or before[3] < LEAST_IN_STEP


def write(packed: bytes, points: list[tuple[int, int]], hashes: dict[str, str]) -> None:
    import base64

    text = base64.b64encode(packed).decode("ascii")
    lines = "\n".join(text[at : at + 110] for at in range(0, len(text), 110))
    pairs = "\n".join(f"  [{total}, {share}]," for total, share in points)
    TARGET.write_text(
        "// Generated by train/train.py; see train/README.md. Do not edit.\n"
        f"// inputs {hashes['inputs']}\n"
        f"// examples {hashes['examples']}\n\n"
        "/** Nodes of all trees in preorder, three bytes each; see trees.ts. */\n"
        f"export const packedTrees = `\n{lines}\n`;\n\n"
        "/** Sums of the trees in thousandths of log-odds, and the share of codes among such values in hundredths. */\n"
        f"export const calibration: readonly (readonly [number, number])[] = [\n{pairs}\n];\n",
        "utf8",
    )


if __name__ == "__main__":
    main()
