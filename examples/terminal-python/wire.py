"""The Terminals API: HTTP with repeats. It has major units outside, and minor units inside."""

from __future__ import annotations

import json
import logging
import random
import ssl
import time
from dataclasses import dataclass
from decimal import Decimal
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Callable, Iterator
from urllib.parse import urlencode, urlsplit

POLL_SECONDS = 55
SLACK_SECONDS = 15  # after its wait, a poll is given up
CONNECT_SECONDS = REPORT_SECONDS = LONGEST_PAUSE_SECONDS = 10
DECIMALS = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV".split(), 0),
    **dict.fromkeys("XAF XOF XPF".split(), 0),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),
    **dict.fromkeys("CLF UYW".split(), 4),
}
AMOUNTS = {"payment": ("totalAmountInclVat",), "capture": ("amount",), "refund": ("amount",)}

log = logging.getLogger("wire")


def to_minor(amount: int | Decimal, currency: str) -> int:
    """The amount in minor units. Raises ValueError if the currency has fewer decimals."""
    minor = Decimal(amount).scaleb(DECIMALS.get(currency, 2))
    if minor != int(minor):
        raise ValueError(f"{amount} {currency} has too many decimals")
    return int(minor)


def to_major(minor: int, currency: str) -> int | float:
    """The number for JSON, exact to 15 digits. Never calculate with it."""
    decimals = DECIMALS.get(currency, 2)
    return minor / 10**decimals if decimals else minor


@dataclass(frozen=True)
class Response:
    status: int  # 0 if there was no response
    retry_after: float | None
    body: bytes


class Pauses:
    """The pauses before a repeat: `Retry-After`, or a random time up to a limit that doubles."""

    def __init__(self, first_seconds: float) -> None:
        self._limit = first_seconds

    def pause(self, what: str, response: Response) -> None:
        seconds = response.retry_after
        if seconds is None:
            seconds = random.uniform(0, self._limit)
            self._limit = min(LONGEST_PAUSE_SECONDS, 2 * self._limit)
        log.warning("%s: status %s, again in %.1f s", what, response.status, seconds)
        time.sleep(seconds)


class Wire:
    def __init__(self, url: str, key: str) -> None:
        """Raises ValueError for an address or a key that cannot be right. Errors hide the key."""
        self._url = urlsplit(url)
        is_here = self._url.hostname in ("localhost", "127.0.0.1", "::1")
        if not self._url.hostname or self._url.scheme != "https" and not is_here:
            raise ValueError("TERMINALS_URL must be an https address, except of this machine.")
        if not _is_header(key):
            raise ValueError("TERMINAL_KEY has a character that no key has.")
        self._key = key
        self._tls = ssl.create_default_context() if self._url.scheme == "https" else None

    def messages(self) -> Iterator[tuple[dict[str, Any] | None, float]]:
        """Polls for ever, one poll at a time. Yields each message and the time of its arrival,
        by the monotonic clock. After a poll without a message it yields None. (T2)"""
        received: dict[str, str] = {}
        pauses = Pauses(0.5)
        while True:
            query = urlencode({"wait": POLL_SECONDS, **received})
            response = self._call("GET", f"next-message?{query}", POLL_SECONDS + SLACK_SECONDS)
            arrived = time.monotonic()
            message = _message_in(response) if response.status == 200 else None
            if message:
                received = {"received": message["messageID"]}
            if message or response.status == 204:
                pauses = Pauses(0.5)
            else:
                pauses.pause("next-message", response)
            yield message, arrived

    def deliver(
        self, path: str, body: Callable[[], dict[str, Any]], trace: str | None = None
    ) -> Response:
        """Sends until there is a final response, and returns it. `body` is called for each sending,
        for the sake of `agoMs`; everything else in it must stay the same. (T3)"""
        pauses = Pauses(0.1)
        while True:
            sent = json.dumps(body()).encode()
            response = self._call("POST", path, REPORT_SECONDS, sent, trace)
            if 0 < response.status < 500 and response.status not in (401, 408, 429):
                return response
            pauses.pause(path, response)

    def _call(
        self,
        method: str,
        path: str,
        seconds: float,
        body: bytes | None = None,
        trace: str | None = None,
    ) -> Response:
        """One request on its own connection. It follows no redirect: that may take the key away."""
        headers = {"x-terminal-key": self._key}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if trace and _is_header(trace):
            headers["traceparent"] = trace
        host, port = self._url.hostname or "", self._url.port
        if self._tls:
            connection = HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=self._tls)
        else:
            connection = HTTPConnection(host, port, timeout=CONNECT_SECONDS)
        try:
            connection.connect()
            connection.sock.settimeout(seconds)
            connection.request(method, f"{self._url.path.rstrip('/')}/{path}", body, headers)
            response = connection.getresponse()
            after = response.getheader("Retry-After", "")
            pause = float(after) if after.isdecimal() else None
            return Response(response.status, pause, response.read())
        except (OSError, HTTPException) as error:  # nobody knows whether the platform got it
            log.warning("%s: no response: %r", path.split("?")[0], error)
            return Response(0, None, b"")
        finally:
            connection.close()


def _message_in(response: Response) -> dict[str, Any] | None:
    """The message with its amounts in minor units. Unknown types and members stay. (T6)"""
    try:
        message = json.loads(response.body, parse_float=Decimal)
        for name in AMOUNTS.get(message["type"], ()):
            message[name] = to_minor(message[name], message["currency"])
        if message["type"] == "payment" and "tip" in message:
            message["tip"] = _tip_in(message["tip"], message["currency"])
        return message
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        log.error("next-message: the message cannot be read: %r in %r", error, response.body)
        return None


def _tip_in(tip: dict[str, Any], currency: str) -> dict[str, Any]:
    """The question for a tip with its amounts in minor units."""
    amounts = [to_minor(amount, currency) for amount in tip["amounts"]]
    return {**tip, "amounts": amounts, "maximum": to_minor(tip["maximum"], currency)}


def _is_header(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text
