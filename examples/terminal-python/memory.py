"""The terminal's memory: one SQLite file. A change and the reports about it are one transaction."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import uuid
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

Message = dict  # as it arrived, with its amounts in minor units
Result = Tuple[str, dict]  # a report's type, and its members besides the identifiers

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Each session that began, or that must never begin: then its end is `notStarted`.
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY,        -- in lower case
  message JSON NOT NULL,      -- the identifiers of the message that requested it
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  automatic INTEGER NOT NULL, -- whether its charge is also captured
  end JSON NOT NULL           -- the report of its end; null while it runs
);

-- The journal. A movement is `asked` before the acquirer hears of it, and then `done` or `failed`.
CREATE TABLE IF NOT EXISTS movements (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,         -- charge, capture, void, refund
  reference TEXT NOT NULL,    -- a refund's refundID, otherwise the chargeID; in lower case
  charge TEXT NOT NULL,
  session TEXT NOT NULL,
  amount INTEGER NOT NULL,
  tip INTEGER,                -- a part of the amount; null if there was no question
  currency TEXT NOT NULL,
  day TEXT NOT NULL,          -- the business day
  state TEXT NOT NULL,
  evidence JSON NOT NULL,     -- the members of its report that come from the acquirer
  UNIQUE (kind, reference)
);
CREATE INDEX IF NOT EXISTS movement_sessions ON movements (session);
CREATE INDEX IF NOT EXISTS movement_charges ON movements (charge);
CREATE INDEX IF NOT EXISTS movement_days ON movements (day);

-- The reports and closings, in the order in which they are sent.
CREATE TABLE IF NOT EXISTS reports (
  number INTEGER PRIMARY KEY,
  path TEXT NOT NULL,         -- of the call: report, day-totals
  cause TEXT NOT NULL,        -- the message in lower case, or the business day
  trace TEXT,
  body JSON NOT NULL,
  state TEXT NOT NULL,        -- waiting, answered, rejected
  repeats INTEGER NOT NULL    -- how often its message has come again
);
CREATE INDEX IF NOT EXISTS report_causes ON reports (cause);
CREATE INDEX IF NOT EXISTS report_states ON reports (state);
"""

JSON_COLUMNS = ("message", "end", "evidence", "body")

log = logging.getLogger("memory")


@dataclass(frozen=True)
class Session:
    id: str
    message: Message
    amount: int = 0
    currency: str = ""
    automatic: bool = False
    end: Optional[Result] = None


@dataclass(frozen=True)
class Movement:
    kind: str
    reference: str
    charge: str
    session: str
    amount: int
    currency: str
    day: str
    state: str = "asked"
    evidence: dict = field(default_factory=dict)
    number: Optional[int] = None
    tip: Optional[int] = None


class Memory:
    """Every method but `step` and `next_waiting` belongs into a step."""

    def __init__(self, folder: Path) -> None:
        """A file that cannot be read is put aside. The terminal then begins without memory."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "memory.sqlite"
        self._changed = threading.Condition()
        try:
            self._db = _opened(file)
        except sqlite3.OperationalError as error:
            raise OSError(f"{file} is in use, or its disk fails: {error}.") from error
        except sqlite3.DatabaseError as error:
            log.error("The memory cannot be read, and is lost: %s", error)
            for one in (file, Path(f"{file}-journal")):
                if one.exists():
                    one.rename(f"{one}.unreadable-{int(time.time())}")
            self._db = _opened(file)

    @contextmanager
    def step(self) -> Iterator[Memory]:
        """All changes of a step are on the disk when it ends, or none is. One step at a time. No
        report leaves before its step has ended, because it can be found only then. (T19)"""
        with self._changed:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            self._changed.notify_all()

    # Reports

    def next_waiting(self) -> dict[str, Any]:
        """Waits for the oldest report that has no final response."""
        with self._changed:
            while not (found := self._select("reports", {"state": "waiting"}, "LIMIT 1")):
                self._changed.wait()
        return found[0]

    def report(self, message: Message, kind: str, members: dict[str, Any]) -> None:
        """Writes a report that the message caused. It is sent when the step has ended."""
        ids = {name: message[name] for name in ("sessionID", "actionRequestID") if name in message}
        ids = {"reportID": str(uuid.uuid4()), "messageID": message["messageID"], **ids}
        body = {**members, **ids, "type": kind}
        self.write("report", message["messageID"].lower(), body, message.get("traceparent"))

    def write(self, path: str, cause: str, body: dict[str, Any], trace: str | None = None) -> None:
        columns = {"path": path, "cause": cause, "trace": trace, "body": body}
        self._insert("reports", {**columns, "state": "waiting", "repeats": 0})

    def repeat(self, message: Message) -> bool:
        """Whether the message was obeyed before. Then its reports are sent again unchanged. (T5)"""
        again = "UPDATE reports SET state = 'waiting', repeats = repeats + 1"
        cause = message["messageID"].lower()
        self._run(f"{again} WHERE cause = ? AND state <> 'rejected'", cause)
        return self._run("SELECT 1 FROM reports WHERE cause = ?", cause).fetchone() is not None

    def conclude(self, report: dict[str, Any], state: str) -> None:
        """There is a final response. If its message came again meanwhile, it waits again."""
        same = "number = ? AND (repeats = ? OR ? = 'rejected')"
        values = (report["number"], report["repeats"], state)
        self._run(f"UPDATE reports SET state = ? WHERE {same}", state, *values)

    def last_sent(self, cause: str) -> dict[str, Any]:
        found = self._select("reports", {"cause": cause}, "DESC LIMIT 1")
        return found[0]["body"] if found else {}

    # Sessions

    def sessions(self, **wanted: Any) -> List[Session]:
        return [Session(**row) for row in self._select("sessions", wanted)]

    def session(self, id: str) -> Session | None:
        """Finds it in upper or lower case: partners write identifiers in either. (T8)"""
        return next(iter(self.sessions(id=id.lower())), None)

    def add_session(self, message: Message, **more: Any) -> Session:
        names = ("messageID", "sessionID", "traceparent")
        kept = {name: message[name] for name in names if name in message}
        session = Session(message["sessionID"].lower(), kept, **more)
        self._insert("sessions", asdict(session))
        return session

    def end_session(self, session: Session, kind: str, members: dict[str, Any]) -> None:
        """Reports the end as an answer to the message that requested the payment. (T11)"""
        end = _encoded("end", (kind, members))
        self._run("UPDATE sessions SET end = ? WHERE id = ?", end, session.id)
        self.report(session.message, kind, members)

    # Movements of money

    def movements(self, **wanted: Any) -> List[Movement]:
        """The movements with these columns, in order."""
        return [Movement(**row) for row in self._select("movements", wanted)]

    def movement(self, kind: str, reference: str) -> Movement | None:
        return next(iter(self.movements(kind=kind, reference=reference)), None)

    def ask(self, movement: Movement) -> Movement:
        """Writes down what the acquirer will be asked. It replaces a try that failed. The table
        refuses a movement that was asked or made before."""
        failed = "kind = ? AND reference = ? AND state = 'failed'"
        self._run(f"DELETE FROM movements WHERE {failed}", movement.kind, movement.reference)
        self._insert("movements", asdict(movement))
        return movement

    def settle(self, movement: Movement, is_done: bool, evidence: dict[str, Any]) -> Movement:
        """Writes down the acquirer's answer."""
        state = "done" if is_done else "failed"
        values = (state, _encoded("evidence", evidence), movement.kind, movement.reference)
        update = "UPDATE movements SET state = ?, evidence = ? WHERE kind = ? AND reference = ?"
        self._run(update, *values)
        return replace(movement, state=state, evidence=evidence)

    def never_asked(self, movement: Movement) -> None:
        """The acquirer does not know it, so no money moved. A message may request it again."""
        name = (movement.kind, movement.reference)
        self._run("DELETE FROM movements WHERE kind = ? AND reference = ?", *name)

    # Other facts

    def fact(self, name: str) -> str | None:
        found = self._select("facts", {"name": name})
        return found[0]["value"] if found else None

    def set_fact(self, name: str, value: str) -> None:
        self._run("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value)

    # SQL

    def _select(self, table: str, wanted: dict[str, Any], last: str = "") -> List[dict[str, Any]]:
        where = " AND ".join(f"{name} = ?" for name in wanted)
        values = (_encoded(name, value) for name, value in wanted.items())
        query = f"SELECT * FROM {table} WHERE {where} ORDER BY rowid {last}"
        rows = self._db.execute(query, tuple(values))
        return [{name: _decoded(name, row[name]) for name in row.keys()} for row in rows]

    def _insert(self, table: str, columns: dict[str, Any]) -> None:
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        values = (_encoded(name, value) for name, value in columns.items())
        self._run(f"INSERT INTO {table} ({names}) VALUES ({marks})", *values)

    def _run(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if not self._db.in_transaction:
            raise AssertionError("The memory is used outside of a step.")
        return self._db.execute(sql, values)


def _opened(file: Path) -> sqlite3.Connection:
    """Opens the file for this process alone: two terminals with one memory would charge twice. A
    commit returns when it is on the disk. `fullfsync` is for macOS, and has no effect elsewhere."""
    db = sqlite3.connect(str(file), isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    try:
        for name in ("locking_mode = EXCLUSIVE", "journal_mode = TRUNCATE", "fullfsync = ON"):
            db.execute(f"PRAGMA {name}")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN EXCLUSIVE")
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        for statement in SCHEMA.split(";\n"):
            db.execute(statement)
        _add_later_columns(db)
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _add_later_columns(db: sqlite3.Connection) -> None:
    """An earlier version of this program may have written the file. An update forgets no charge."""
    known = [column["name"] for column in db.execute("PRAGMA table_info(movements)")]
    if "tip" not in known:
        db.execute("ALTER TABLE movements ADD COLUMN tip INTEGER")


def _encoded(name: str, value: Any) -> Any:
    return json.dumps(value) if name in JSON_COLUMNS else value


def _decoded(name: str, value: Any) -> Any:
    return json.loads(value) if name in JSON_COLUMNS else value
