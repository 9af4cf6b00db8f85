import os
import time
import uuid

from partners import call

session = str(uuid.uuid4())  # store it before the request: the same request again is the same payment
payment = call("POST", "/pos-payment-request", {
    "sessionID": session,
    "msgType": "paymentRequest",
    "merchantID": os.environ["MERCHANT_ID"],
    "pointOfServiceID": os.environ["TERMINAL_ID"],
    "totalAmountInclVat": 125.5,
    "currency": "SEK",
    "merchantReferences": {"orderId": str(uuid.uuid4())},  # your order's number
    "captureMode": "automatic",
    "responseWebhookUrl": f"http://127.0.0.1:{os.environ['WEBHOOK_PORT']}/webhooks",  # elsewhere https
})
while not payment["final"]:
    time.sleep(0.25)  # or let the webhooks tell you
    payment = call("GET", f"/pos-payment/{session}")
print(f"{session}: {payment['status']}")
