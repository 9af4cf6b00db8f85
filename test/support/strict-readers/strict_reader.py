"""Reads responses and webhooks as a strict program does.

Standard input is [{ headers, body }], with the bodies in base64. Writes [null if it can be read, else the complaint].
"""

import base64
import csv
import io
import json
import math
import sys
from email.message import Message


def read(headers, body):
    for name, value in headers.items():
        if any(not " " <= character <= "~" for character in value):
            raise ValueError(f"the header {name} is not printable ASCII")
    message = Message()
    message["content-type"] = headers["content-type"]
    charset = message.get_content_charset("utf-8")
    if charset != "utf-8":
        raise ValueError(f"the charset is {charset}")
    text = base64.b64decode(body).decode("utf-8", "strict")
    if message.get_content_type() == "text/csv":
        read_csv(text)
    else:
        read_value(json.loads(text, object_pairs_hook=members, parse_float=number, parse_constant=no_number), "")


def read_csv(text):
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for at, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            raise ValueError(f"line {at} has {len(line)} columns")
        read_value(line, f"line {at}")


def read_value(value, path):
    if isinstance(value, dict):
        for name, member in value.items():
            read_value(name, path)
            read_value(member, f"{path}.{name}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            read_value(item, f"{path}[{at}]")
    elif isinstance(value, str):
        read_text(value, path)


def read_text(text, path):
    try:
        text.encode("utf-8", "strict")
    except UnicodeEncodeError as error:
        raise ValueError(f"{ascii(path)}: {error}") from error
    if "\0" in text:
        raise ValueError(f"{ascii(path)}: NUL")


def members(pairs):
    read = {}
    for name, value in pairs:
        if name in read:
            raise ValueError(f"the name {ascii(name)} is repeated")
        read[name] = value
    return read


def number(text):
    return float(text) if math.isfinite(float(text)) else no_number(text)


def no_number(text):
    raise ValueError(f"the number {text} cannot be held")


def complaint(received):
    try:
        read(received["headers"], received["body"])
    except (ValueError, KeyError, csv.Error) as error:
        return f"{type(error).__name__}: {error}"
    return None


print(json.dumps([complaint(received) for received in json.load(sys.stdin.buffer)]))
