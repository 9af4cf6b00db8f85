"""Matches a settlement's lines with the acquirer's lines.

python3 match.py settlements.csv acquirer.csv
More files of either kind may follow: a late booking is in a later settlement than its day's file of the acquirer.
"""

import csv
import sys
from collections import defaultdict

TYPES = {"capture": "sale", "refund": "refund", "reversal": "reversal"}
SHOWN = ("date", "type", "currency", "amountMinorUnits", "brand", "last4", "authorisationCode", "rrn", "tid", "mid", "sessionID")


def without_apostrophe(cell):
    """The text before an apostrophe was put in front of it, so that no spreadsheet takes it for a formula."""
    return cell.removeprefix("'")


def read(path):
    """Whether the file is a settlement, and its lines."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restval="", strict=True)
        return "record" in (reader.fieldnames or ()), list(reader)


def bookings_in(path, lines):
    """A settlement's bookings. The last line says how many there are."""
    found = [line for line in lines if line["record"] == "booking"]
    if not lines or lines[-1]["record"] != "day" or lines[-1]["count"] != str(len(found)):
        sys.exit(f"{path} is not complete. Fetch it again.")
    if lines[-1]["status"] == "open":
        print(f"{path} is of an open day. Lines may be added.")
    bookings = [{name: without_apostrophe(cell) for name, cell in line.items()} for line in found]
    return [{**line, "type": TYPES.get(line["kind"], f"{line['kind']} {line['direction']}")} for line in bookings]


def money(line):
    return (line["type"], line["currency"], int(line["amountMinorUnits"]), line["last4"])


def by_rrn(line):
    return line["rrn"] and (line["rrn"], *money(line))


def by_code(line):
    return line["authorisationCode"] and (line["authorisationCode"], *money(line))


def by_terminal(line):
    return line["tid"] and (line["tid"], *money(line))


def has_no_reference(line):
    return not line["rrn"] and not line["authorisationCode"]


def match(ours, theirs, key):
    """The pairs with the same key, each line in one pair at most."""
    waiting = defaultdict(list)
    for line in theirs:
        waiting[key(line)].append(line)
    return [(line, waiting[key(line)].pop(0)) for line in ours if key(line) and waiting[key(line)]]


def without(lines, taken):
    names = {id(line) for line in taken}
    return [line for line in lines if id(line) not in names]


def show(title, lines):
    for line in lines:
        print(f"{title}: {' '.join(line[name] for name in SHOWN if line.get(name))}")


def main(paths):
    ours, theirs, matched = [], [], 0
    for path in paths:
        is_settlement, lines = read(path)
        if is_settlement:
            ours += bookings_in(path, lines)
        else:
            theirs += lines
    corrections = [line for line in ours if line["kind"] == "correction"]
    ours = without(ours, corrections)
    steps = (
        (by_rrn, lambda _: True),
        (by_code, lambda _: True),
        (by_terminal, has_no_reference),
    )
    for key, is_meant in steps:
        pairs = match([line for line in ours if is_meant(line)], theirs, key)
        ours = without(ours, [our for our, _ in pairs])
        theirs = without(theirs, [their for _, their in pairs])
        matched += len(pairs)
    print(f"{matched} lines match.")
    show("Correction, for a person", corrections)
    show("Only in the settlement", ours)
    show("Only at the acquirer", theirs)
    return 1 if ours or theirs else 0


if len(sys.argv) < 3:
    sys.exit(__doc__)
sys.exit(main(sys.argv[1:]))
