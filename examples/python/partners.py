"""Calls the Partners API with Python's standard library."""

import json
import os
import time
import urllib.error
import urllib.request
from http.client import HTTPException

HEADERS = {
    "apikey": os.environ["APIKEY"],
    "Ocp-Apim-Subscription-Key": os.environ["SUBSCRIPTION_KEY"],
    "Content-Type": "application/json",
}


def call(method, path, body=None):
    """Sends the same request until it gets a response. Its identifier names it, so that nothing is done twice."""
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(8):
        request = urllib.request.Request(os.environ["BASE_URL"] + path, data, HEADERS, method=method)
        wait = 0.0
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504):
                raise SystemExit(error.read().decode())
            wait = float(error.headers.get("Retry-After", 0))
            last = error.read().decode()
        except (OSError, HTTPException) as error:
            last = repr(error)  # no response: nobody knows yet whether it was carried out
        time.sleep(wait + min(5, 0.2 * 2**attempt))
    raise SystemExit(f"Not known. Send the same request again later. The last try ended with: {last}")
