"""A simulated card reader, with its customer and its acquirer. Put your own into its place.

The last two digits of an amount, in minor units, choose what happens: 01 declined; 04 the customer
cancels; 06 the payment begins after a second; 07 the card comes after two seconds; 09 the charge
takes two seconds; 20 the day is closed after the payment; 21 a tip of 10 %, if there is a question.
Every other amount is approved at once, without a tip.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import Movement
from wire import to_major


@dataclass(frozen=True)
class Answer:
    is_done: bool
    evidence: dict[str, Any]  # the members of the report that come from the acquirer


class Acquirer:
    """Moves money. It is not a part of the terminal: its book is not in the terminal's memory."""

    def __init__(self, book: Path, pace_seconds: float) -> None:
        self._book = book
        self._pace = pace_seconds

    def move(self, movement: Movement) -> Answer:
        """Moves money each time it is called. A capture also releases the rest of the charge. (T16)

        It returns only the acquirer's final answer. If yours does not respond, ask it by
        `reference` until it does: silence is not a decline, and a repeat may charge twice."""
        digits = (movement.amount - (movement.tip or 0)) % 100 if movement.kind == "charge" else 0
        if digits == 9:
            time.sleep(50 * self._pace)
        if digits == 1:
            return Answer(False, {"declineCode": "insufficientFunds", "hostCode": "51"})
        name = {"refundID": movement.reference} if movement.kind == "refund" else {}
        currency = movement.currency
        money = {"amount": to_major(movement.amount, currency), "currency": currency}
        ids = {"sessionID": movement.session, "chargeID": movement.charge, **name}
        with open(self._book, "a", encoding="utf-8") as book:
            book.write(json.dumps({"moved": movement.kind, **ids, **money}) + "\n")
            book.flush()
            os.fsync(book.fileno())
        return _done(movement)

    def find(self, movement: Movement) -> Answer | None:
        """The answer to a movement that was asked before a power cut. None is a promise that it was
        not made and will not be. If yours cannot promise that, reverse the reference first."""
        text = self._book.read_text(encoding="utf-8") if self._book.exists() else ""
        name = "refundID" if movement.kind == "refund" else "chargeID"
        made = {(line["moved"], line.get(name)) for line in map(json.loads, text.splitlines())}
        return _done(movement) if (movement.kind, movement.reference) in made else None


def _done(movement: Movement) -> Answer:
    """The same movement always has the same references, and no other movement has them."""
    digest = hashlib.sha256(f"{movement.kind} {movement.reference}".encode()).hexdigest()
    rrn = f"{int(digest, 16) % 10**12:012}"
    acquirer = {"authorisationCode": digest[:6].upper(), "rrn": rrn, "tid": "00471100"}
    card = {"brand": "visa", "last4": "4242", "entryMode": "contactless"}
    return Answer(True, {"card": card, "acquirer": acquirer})


class CardReader:
    def __init__(self, pace_seconds: float) -> None:
        self._pace = pace_seconds

    def get_ready(self, amount: int) -> None:
        """Called before the payment is accepted. A real reader wakes up here, if it must."""
        if amount % 100 == 6:
            time.sleep(25 * self._pace)

    def wait_for_card(
        self, amount: int, question: dict[str, Any] | None, cancelled: threading.Event
    ) -> int | None:
        """Shows the amount, asks for a tip if there is a question, and waits for a card without
        charging it. Returns the tip, or None if the customer or the partner cancels. (T26)"""
        if amount % 100 == 7 and cancelled.wait(50 * self._pace):
            return None
        if amount % 100 == 4:
            return None
        if not question or amount % 100 != 21:
            return 0
        return min((amount + 5) // 10, question["maximum"])  # 10 %, rounded half up

    def closes_day(self, amount: int) -> bool:
        """For the kit's `day closed` alone. A real reader returns False."""
        return amount % 100 == 20
