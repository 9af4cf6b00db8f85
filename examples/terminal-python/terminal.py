"""A terminal in Python, without further packages. T1 to T26 are the rules of docs/terminals.md.

    TERMINALS_URL=... TERMINAL_KEY=... TERMINAL_MEMORY=<folder> python3 terminal.py

Copy it, and put your card reader and your acquirer into the place of card.py. It leaves out:
- discounts, which it refuses, and questions to the partner (action requests);
- a second card for a payment, and a card that is charged after a decline;
- receipts;
- a battery, whose charge each poll may name;
- a business day other than the one in UTC. It closes a day after the day has ended;
- the deletion of old records: "What must survive" says how long each is needed.

The kit plays the rest, with these words after its own: --skip discount --skip 'second card'
--skip 'late charge' --skip 'action request accepted' --skip 'action request declined'
--skip 'tip after a discount'.
"""

from __future__ import annotations

import argparse
import logging
import os
import queue
import sys
import threading
import time
import uuid
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from card import Acquirer, Answer, CardReader
from memory import Memory, Message, Movement, Result, Session
from wire import Wire, to_major

# The reports of a movement: if it was made, and if not.
RESULTS = {
    "charge": ("authorized", "declined"),
    "capture": ("captured", "captureFailed"),
    "void": ("voided", "voidFailed"),
    "refund": ("refunded", "refundFailed"),
}
MOVES = ("capture", "void", "refund")  # the messages about money that has been charged
DAYS_BACK = 366  # the platform takes totals of the last year
# For partners and operators. Say what your device is, and change the version with each release.
DEVICE = {
    "maker": "Example Terminals",
    "model": "Python 1",
    "serialNumber": "PY-1",
    "softwareVersion": "1.0.0",
    "network": "ethernet",
}
CAN = ["tips"]  # asks the customer for a tip (T26)

log = logging.getLogger("terminal")


class Refused(Exception):
    """The terminal does not carry out a message. The text is the report's `detail`."""


class Terminal:
    """Three threads: one obeys messages, one takes payments at the card reader, one sends reports.
    They share the memory, whose steps come one after another."""

    def __init__(self, memory: Memory, wire: Wire, acquirer: Acquirer, reader: CardReader) -> None:
        self.memory, self.wire, self.acquirer, self.reader = memory, wire, acquirer, reader
        self.payments: queue.Queue[tuple[Message, float]] = queue.Queue()
        self.cancelled = threading.Event()  # ends the wait for a card
        self.approved_at: dict[str, float] = {}  # by chargeID; unknown after a power cut (T25)

    def run(self) -> None:
        self.end_what_the_power_cut()
        self.report_start()
        for work in (self.send_reports, self.take_payments):
            threading.Thread(target=work, daemon=True).start()
        log.info("started")
        for message, arrived in self.wire.messages():
            if message:
                self.obey(message, arrived)
            self.close_ended_days()

    # The start

    def end_what_the_power_cut(self) -> None:
        """Asks the acquirer about each movement without an outcome: only the acquirer knows whether
        its money moved. A payment that was not charged has failed. (T20)"""
        with self.memory.step() as memory:
            for movement in memory.movements(state="asked"):
                answer = self.acquirer.find(movement)
                if not answer:
                    memory.never_asked(movement)
                elif movement.kind == "charge":
                    self.end_by_card(movement, answer)
                else:
                    memory.settle(movement, answer.is_done, answer.evidence)
            for session in memory.sessions(end=None):
                memory.end_session(session, "failed", {"detail": "the power was cut"})

    def report_start(self) -> None:
        """The first call after each power-up. A loss is told until it is answered. (T1, T21)"""
        with self.memory.step() as memory:
            said = memory.fact("memory") or "lost"
        told = {"memory": said, "device": DEVICE, "can": CAN}
        started = {"reportID": str(uuid.uuid4()), "type": "started", **told}
        self.wire.deliver("report", lambda: started)
        with self.memory.step() as memory:
            memory.set_fact("memory", "kept")

    # Reports

    def send_reports(self) -> None:
        """Sends reports and closings, the oldest first, each until it has a final response. (T3)"""
        while True:
            report = self.memory.next_waiting()
            path, body, trace = report["path"], report["body"], report["trace"]
            response = self.wire.deliver(path, lambda: self.aged(body), trace)
            is_taken = response.status < 300
            if not is_taken:  # it stays in the memory, and is not sent again as it is (T4)
                log.error("rejected: %s %r %s", response.status, response.body, body)
            else:
                log.info("reported %s of %s", body.get("type", path), body.get("sessionID", "the day"))
            with self.memory.step() as memory:
                memory.conclude(report, "answered" if is_taken else "rejected")

    def aged(self, body: dict[str, Any]) -> dict[str, Any]:
        """The report of an approval, with the time since then. (T25)"""
        at = self.approved_at.get(body.get("chargeID", ""))
        if body.get("type") != "authorized" or at is None:
            return body
        return {**body, "agoMs": round(1000 * (time.monotonic() - at))}

    # Messages

    def obey(self, message: Message, arrived: float) -> None:
        """Obeys a message once. If it comes again, its reports go again. (T5)"""
        kind = message["type"]
        log.info("%s %s", kind, message["messageID"])
        with self.memory.step() as memory:
            if memory.repeat(message):
                return
            if kind == "payment":  # not in the memory yet: after a power cut it may come again (T9)
                self.payments.put((message, arrived + message["expiresInMs"] / 1000))
            elif kind == "cancel":
                self.cancel(message)
            elif kind == "statusQuery":
                memory.report(message, *self.answer_to_query(message))
            elif kind == "discount":
                memory.report(message, "discountRefused", {"discountID": message["discountID"]})
            elif kind not in MOVES:
                memory.report(message, "acknowledged", {})  # T6
        if kind in MOVES:
            self.move_money(message)

    def cancel(self, message: Message) -> None:
        """Ends the payment, unless its charge is written down: then the card decides. (T12)"""
        session = self.memory.session(message["sessionID"]) or self.refuse(message)
        if session.end:
            return self.memory.report(message, *session.end)
        self.memory.report(message, "acknowledged", {})
        if not self.memory.movements(kind="charge", session=session.id):
            self.memory.end_session(session, "cancelled", {})
            self.cancelled.set()

    def refuse(self, message: Message) -> Session:
        """The session never begins, however late its payment arrives. (T10)"""
        return self.memory.add_session(message, end=("notStarted", {}))

    def answer_to_query(self, message: Message) -> Result:
        """An unknown payment never begins. An unknown refund is made once requested. (T7, T21)"""
        if "refundID" in message:
            refund = self.memory.movement("refund", message["refundID"].lower())
            unknown = {"refundID": message["refundID"], "detail": "no such refund"}
            return result_of(refund) if refund else ("refundFailed", unknown)
        return self.state_of(self.memory.session(message["sessionID"]) or self.refuse(message))

    def state_of(self, session: Session) -> Result:
        """Still running, or the end, or what has become of the charge since. (T7)"""
        for kind in ("void",) if session.automatic else ("void", "capture"):
            for movement in self.memory.movements(kind=kind, session=session.id, state="done"):
                return result_of(movement)
        return session.end or ("stillRunning", {})

    # A payment

    def take_payments(self) -> None:
        while True:
            message, deadline = self.payments.get()
            self.reader.get_ready(message["totalAmountInclVat"])
            session = self.begin(message, deadline)
            if session:
                self.take_card(session, message.get("tip"))

    def begin(self, message: Message, deadline: float) -> Session | None:
        """Begins a session once, in time, and only if it was not refused. (T8, T9, T10)"""
        with self.memory.step() as memory:
            if memory.repeat(message):
                return None
            known = memory.session(message["sessionID"])
            if not known and time.monotonic() >= deadline:
                known = self.refuse(message)
            if known:
                memory.report(message, *self.state_of(known))
                return None
            money = {"amount": message["totalAmountInclVat"], "currency": message["currency"]}
            automatic = message["captureMode"] == "automatic"
            self.cancelled.clear()
            memory.report(message, "accepted", {})
            return memory.add_session(message, **money, automatic=automatic)

    def take_card(self, session: Session, question: dict[str, Any] | None = None) -> None:
        """Writes down the charge, charges the card, then writes down outcome and report. (T15)"""
        tip = self.reader.wait_for_card(session.amount, question, self.cancelled)
        with self.memory.step() as memory:
            if not memory.sessions(id=session.id, end=None):
                return  # a cancel has ended it
            if tip is None:
                return memory.end_session(session, "cancelled", {"detail": "by the customer"})
            name = str(uuid.uuid4())
            money = (session.amount + tip, session.currency, today())
            named = tip if question else None
            charge = memory.ask(Movement("charge", name, name, session.id, *money, tip=named))
        answer = self.acquirer.move(charge)
        self.approved_at[name] = time.monotonic()
        with self.memory.step():
            self.end_by_card(charge, answer)
        if self.reader.closes_day(session.amount):
            with self.memory.step():
                self.close_day(charge.day)

    def end_by_card(self, charge: Movement, answer: Answer) -> None:
        """Ends the payment as the acquirer says. An automatic charge is captured at once. (T11)"""
        settled = self.memory.settle(charge, answer.is_done, answer.evidence)
        (session,) = self.memory.sessions(id=charge.session)
        if session.automatic and answer.is_done:
            capture = self.memory.ask(replace(charge, kind="capture", number=None))
            self.memory.settle(capture, True, answer.evidence)
        self.memory.end_session(session, *result_of(settled))

    # Captures, voids and refunds

    def move_money(self, message: Message) -> None:
        """Writes down the movement, asks the acquirer, then writes down outcome and report. If
        it was made before, it is reported again, whichever message requests it. (T16 to T18)"""
        with self.memory.step() as memory:
            try:
                movement = self.requested(message)
            except Refused as why:
                ids = {name: message[name] for name in ("chargeID", "refundID") if name in message}
                failed = RESULTS[message["type"]][1]
                return memory.report(message, failed, {**ids, "detail": str(why)})
            if movement.state != "asked":
                return memory.report(message, *result_of(movement))
        answer = self.acquirer.move(movement)
        with self.memory.step() as memory:
            settled = memory.settle(movement, answer.is_done, answer.evidence)
            memory.report(message, *result_of(settled))

    def requested(self, message: Message) -> Movement:
        """The movement that a message requests: made before, or written down now."""
        kind, memory = message["type"], self.memory
        charge = self.charge_of(message)
        reference = message["refundID"].lower() if kind == "refund" else charge.reference
        before = memory.movement(kind, reference)
        if before and (before.state == "done" or kind == "refund"):
            return before
        captured = sum(one.amount for one in self.done("capture", charge))
        amount = (captured or charge.amount) if kind == "void" else message["amount"]
        tip = tip_in(charge, amount) if kind == "capture" else None
        money = {"amount": amount, "tip": tip, "day": today()}
        fresh = {"state": "asked", "evidence": {}, "number": None}
        movement = replace(charge, kind=kind, reference=reference, **money, **fresh)
        refusal = self.refusal_of(movement, charge, captured, message.get("currency"))
        if not refusal:
            return memory.ask(movement)
        if kind == "refund":  # every later message gets this answer too (T18)
            return memory.settle(memory.ask(movement), False, {"detail": refusal})
        raise Refused(refusal)

    def refusal_of(
        self, asked: Movement, charge: Movement, captured: int, currency: str | None
    ) -> str:
        """The reason if the movement must not be made, otherwise an empty text. (T16, T17, T24)"""
        refunded = sum(one.amount for one in self.done("refund", charge))
        if asked.kind == "void":
            return "a part of the charge was refunded" if refunded else ""
        if currency != charge.currency:
            return f"the charge is in {charge.currency}"
        if self.done("void", charge):
            return "the charge was given back"
        left = charge.amount if asked.kind == "capture" else captured - refunded
        return "more than is left of the charge" if asked.amount > left else ""

    def charge_of(self, message: Message) -> Movement:
        """The session's charge that the message names. Without a name the first one. (T17)"""
        session, name = message["sessionID"].lower(), message.get("chargeID")
        wanted = {"reference": name.lower()} if name else {}
        charges = self.memory.movements(kind="charge", session=session, state="done", **wanted)
        if not charges:
            raise Refused("no such charge")  # T21
        return charges[0]

    def done(self, kind: str, charge: Movement) -> list[Movement]:
        return self.memory.movements(kind=kind, charge=charge.charge, state="done")

    # Business days

    def close_ended_days(self) -> None:
        """Closes each day that has ended, also the days without power. A day waits for the outcomes
        of its movements. If the clock was set back, days end again, and are corrected. (T23)"""
        with self.memory.step() as memory:
            now, known = today(), memory.fact("day")
            day = max(known or now, next_day(now, -DAYS_BACK))
            while day < now and not memory.movements(state="asked", day=day):
                self.close_day(day)
                day = next_day(day)
            if known != (day := min(day, now)):
                memory.set_fact("day", day)

    def close_day(self, day: str) -> None:
        """Writes the totals of the whole day, unless they were sent before. (T23)"""
        moved = self.memory.movements(state="done", day=day)
        counted = [one for one in moved if one.kind != "charge" and self.done("capture", one)]
        currencies = sorted({one.currency for one in counted})
        totals = [totals_of(currency, counted) for currency in currencies]
        captured = [one.charge for one in counted if one.kind == "capture"]
        last = {"lastChargeID": captured[-1]} if captured else {}
        said = {"businessDay": day, "totals": totals, **last}
        before = self.memory.last_sent(day)
        if said != {name: before[name] for name in before if name != "closingID"}:
            self.memory.write("day-totals", day, {"closingID": str(uuid.uuid4()), **said})


def totals_of(currency: str, counted: list[Movement]) -> dict[str, Any]:
    totals: dict[str, Any] = {"currency": currency}
    names = {"capture": ("captures", "captured"), "refund": ("refunds", "refunded")}
    for kind, (number, sum_) in {**names, "void": ("reversals", "reversed")}.items():
        amounts = [one.amount for one in counted if (one.kind, one.currency) == (kind, currency)]
        totals[number], totals[sum_] = len(amounts), to_major(sum(amounts), currency)
    return totals


def result_of(movement: Movement) -> Result:
    """The report of a movement, always the same. It names the day of the movement. (T22)"""
    done, failed = RESULTS[movement.kind]
    refund = {"refundID": movement.reference} if movement.kind == "refund" else {}
    ids = {"chargeID": movement.charge, **refund}
    if movement.state != "done":  # a decline names no charge, because none was made
        return failed, {**(ids if movement.kind != "charge" else {}), **movement.evidence}
    money = {"amount": to_major(movement.amount, movement.currency), "currency": movement.currency}
    if movement.tip is not None:
        money["tipAmount"] = to_major(movement.tip, movement.currency)
    return done, {**ids, **money, "businessDay": movement.day, **movement.evidence}


def tip_in(charge: Movement, captured: int) -> int | None:
    """The tip in a captured part of a charge: the sale is taken first."""
    return None if charge.tip is None else max(0, captured - (charge.amount - charge.tip))


def today() -> str:
    return str(datetime.now(timezone.utc).date())


def next_day(day: str, days: int = 1) -> str:
    return str(date.fromisoformat(day) + timedelta(days))


def end_at_once(failure: threading.ExceptHookArgs) -> None:
    """Without one of its threads a terminal would take money and not report it. So it ends, as by a
    power cut. Have it started again."""
    sys.excepthook(failure.exc_type, failure.exc_value, failure.exc_traceback)
    os._exit(1)


def setting(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set.")
    return value


def main() -> None:
    words = argparse.ArgumentParser(description="A terminal. Its settings are in the environment.")
    words.add_argument("--pace", type=float, default=40, help="milliseconds: a slow card takes 50")
    pace = words.parse_args().pace / 1000
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    threading.excepthook = end_at_once
    os.umask(0o077)  # the memory is for this user alone
    folder = Path(setting("TERMINAL_MEMORY"))
    acquirer = Acquirer(Path(os.environ.get("TERMINAL_CARDS") or folder / "acquirer.jsonl"), pace)
    try:
        wire = Wire(setting("TERMINALS_URL"), setting("TERMINAL_KEY"))
        memory = Memory(folder)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    try:
        Terminal(memory, wire, acquirer, CardReader(pace)).run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
