import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [base64.b64decode(one.removeprefix("whsec_")) for one in os.environ["WEBHOOK_SECRETS"].split()]

# In your shop a database: event and effect are stored in one transaction, before the response.
seen = set()
newest = {}


def is_verified(body, headers):
    """Standard Webhooks: HMAC-SHA256 of id, timestamp and body as it arrived. Two secrets are active while one is rotated."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = ["v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in SECRETS]
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one, other) for one in expected for other in signatures)


def take(event):
    name = f"{event['type']} {event['id']}"
    if event["id"] in seen:
        return print(name, "again", flush=True)
    seen.add(event["id"])
    if not event["type"].startswith("payment."):
        return print(f"{name}: ignored", flush=True)
    payment = event["data"]
    if event["sequence"] < newest.get(payment["sessionID"], 0):
        return print(name, "late", flush=True)
    newest[payment["sessionID"]] = event["sequence"]
    print(f"{name}: {payment['status']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        verified = is_verified(body, self.headers)
        if verified:
            take(json.loads(body))
        self.send_response(204 if verified else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Receiver).serve_forever()
