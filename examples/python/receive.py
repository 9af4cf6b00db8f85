import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [base64.b64decode(one.removeprefix("whsec_")) for one in os.environ["WEBHOOK_SECRETS"].split()]
PAYMENTS = ("payment.", "refund.", "reversal.", "discount.")  # the data of these events is the whole payment
MOST_BYTES = 1024 * 1024  # no event of the platform is longer; anybody else may send more

# In your shop a database: event and effect are stored in one transaction, before the response.
seen = set()
newest = {}


def is_verified(body, headers):
    """Standard Webhooks: HMAC-SHA256 of id, timestamp and body as it arrived. Two secrets are active while one is rotated."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)) for key in SECRETS]
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(one, other) for one in expected for other in signatures)


def take(event):
    name = f"{event['type']} {event['id']}"
    if event["id"] in seen:
        return print(name, "again", flush=True)
    seen.add(event["id"])
    if not event["type"].startswith(PAYMENTS):
        return print(f"{name}: received", flush=True)
    payment = event["data"]
    if event["sequence"] < newest.get(payment["sessionID"], 0):
        return print(name, "late", flush=True)
    newest[payment["sessionID"]] = event["sequence"]
    print(f"{name}: {payment['status']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds for which a sender may be silent

    def do_POST(self):
        status, body = self.receive()
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)
        if status in (411, 413):
            time.sleep(1)  # the body is not read: a sender that still writes would lose the response as the connection ends

    def receive(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]+", length):
            return 411, b""  # for instance a body in chunks: the platform sends none
        if len(length) > 7 or int(length) > MOST_BYTES:
            return 413, b""
        body = self.rfile.read(int(length))
        if not is_verified(body, self.headers):
            print("rejected: no valid signature", flush=True)
            return 400, b""
        event = json.loads(body)
        if event["type"] == "webhook.challenge":
            return 200, event["data"]["nonce"].encode()  # which proves that the host is yours
        take(event)
        return 204, b""

    def log_message(self, *_):
        pass


print(f"Receives webhooks on port {os.environ['WEBHOOK_PORT']}.", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Receiver).serve_forever()
