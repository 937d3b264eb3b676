"""Trains the trees and writes src/extract/model/tree-table.ts. README.md says how to run it.

The same examples give the same table, byte for byte: one thread, fixed seeds, whole numbers.
"""

import hashlib
import json
import struct
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
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
# So are English mails about codes and numbers, each written by hand.
TRAP_WEIGHT = 10.0
# Parts into which templates, and languages, are divided to see what trees are worth on those that they do not know.
PARTS = 6
# This share of the values that are shown is codes; the least confidence that they have.
SHOWN_RIGHT = 0.972
SHOWN = 0.8
# Values that have one confidence: so many at least, and so many hundredths from those before.
LEAST_IN_STEP = 300
LEAST_BETWEEN = 2
# The rules' score is where trees begin, and somewhat less of it is added to their sum in trees.ts, since in mail of
# unknown form rules are worth less: thousandths of log-odds, and the bounds of the score.
RULES_START = 800
RULES_SHARE = 600
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
    weights = numpy.array([weigh(row) for row in rows])

    score = numpy.clip(table[:, 0], *RULES_BOUNDS)

    def grow(chosen: numpy.ndarray) -> lightgbm.Booster:
        data = lightgbm.Dataset(
            table[chosen],
            labels[chosen],
            weight=weights[chosen],
            init_score=numpy.rint(RULES_START * score[chosen]) / PER_LOG_ODD,
            feature_name=names,
        )
        return lightgbm.train(PARAMETERS, data, TREES)

    sums, order = judge_unknown(table, rows, grow)
    sums += numpy.rint(RULES_SHARE * score[order]).astype(int)
    steps = calibrate(sums, labels[order])
    model = grow(numpy.ones(len(rows), dtype=bool))
    trees = [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    packed = b"".join(struct.pack("<Bh", *node) for tree in trees for node in pack(tree))
    examples = hashlib.sha256((FOLDER / "examples.f64").read_bytes()).hexdigest()
    write(packed, steps, {"inputs": about["inputs"], "examples": examples})
    used = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print(f"{len(trees)} trees, {len(packed) // 3} nodes; most used:", ", ".join(name for _, name in used[:12]))


def weigh(row: dict) -> float:
    if row["isSample"]:
        return SAMPLE_WEIGHT
    return TRAP_WEIGHT if row["template"].startswith("english-trap") else 1.0


def judge_unknown(
    table: numpy.ndarray, rows: list[dict], grow: Callable[[numpy.ndarray], lightgbm.Booster]
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns sums of trees that know either the template or the language of a row, not both, and these rows.

    On what trees were trained on they are surer than on any mail to come.
    """
    template = numpy.array([part_of("template", row["template"]) for row in rows])
    language = numpy.array([part_of("language", row["language"]) for row in rows])
    # Mails put together at random are like no mail to come.
    counted = numpy.array([not row["template"].startswith("assembled-") for row in rows])
    sums, order = [], []
    for part in range(PARTS):
        model = grow((template != part) & (language != part))
        unknown = numpy.flatnonzero(((template == part) ^ (language == part)) & counted)
        sums.append(sum_leaves(model, table[unknown]))
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


def calibrate(sums: numpy.ndarray, labels: numpy.ndarray) -> list[tuple[int, int]]:
    """Returns from which sums on values have which confidence, in hundredths.

    A value is shown from the least sum on above which enough values are codes. No step reaches from below that sum to
    above it, and none below it has as much as the least that is shown.
    """
    shown = first_shown(sums, labels)
    lower, upper = (pool(sums[side], labels[side]) for side in (sums < shown, sums >= shown))
    least = round(100 * SHOWN)
    while upper[0].share < least:
        upper[:2] = [upper[0].join(upper[1])]
    steps: list[tuple[int, int]] = []
    for step in [*lower, *upper]:
        share = step.share if step.first >= shown else min(step.share, least - 1)
        if not steps or step is upper[0] or share >= steps[-1][1] + LEAST_BETWEEN:
            steps.append((step.first, share))
    return steps


def first_shown(sums: numpy.ndarray, labels: numpy.ndarray) -> int:
    order = numpy.argsort(-sums, kind="stable")
    right = numpy.cumsum(labels[order]) / numpy.arange(1, len(order) + 1)
    return int(sums[order][numpy.flatnonzero(right >= SHOWN_RIGHT)[-1]])


@dataclass
class Step:
    first: int
    codes: int
    count: int

    @property
    def share(self) -> int:
        return round(100 * self.codes / self.count)

    def join(self, after: "Step") -> "Step":
        return Step(self.first, self.codes + after.codes, self.count + after.count)


def pool(sums: numpy.ndarray, labels: numpy.ndarray) -> list[Step]:
    """Isotonic regression: the share of codes by sum never falls."""
    steps: list[Step] = []
    for at in numpy.argsort(sums, kind="stable"):
        steps.append(Step(int(sums[at]), int(labels[at]), 1))
        while len(steps) > 1 and joins(steps[-2], steps[-1]):
            last = steps.pop()
            steps[-1] = steps[-1].join(last)
    return steps


def joins(before: Step, after: Step) -> bool:
    return before.codes * after.count >= after.codes * before.count or before.count < LEAST_IN_STEP


def write(packed: bytes, steps: list[tuple[int, int]], hashes: dict[str, str]) -> None:
    import base64

    text = base64.b64encode(packed).decode("ascii")
    lines = "\n".join(text[at : at + 110] for at in range(0, len(text), 110))
    pairs = "\n".join(f"  [{first}, {share}]," for first, share in steps)
    TARGET.write_text(
        "// Generated by train/train.py; see train/README.md. Do not edit.\n"
        f"// inputs {hashes['inputs']}\n"
        f"// examples {hashes['examples']}\n\n"
        "/** Nodes of all trees in preorder, three bytes each; see trees.ts. */\n"
        f"export const packedTrees = `\n{lines}\n`;\n\n"
        "/** Sums in thousandths of log-odds, and the share of codes among values from there to the next in hundredths. */\n"
        f"export const confidences: readonly (readonly [number, number])[] = [\n{pairs}\n];\n",
        "utf8",
    )


if __name__ == "__main__":
    main()
