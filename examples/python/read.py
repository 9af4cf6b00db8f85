from partners import call

for payment in call("GET", "/pos-payments")["payments"]:
    print(f"{payment['sessionID']}: {payment['status']} {payment['amounts']['captured']} {payment['currency']}")
page = call("GET", "/events")  # keep page["next"] for the next call
for event in page["events"]:
    print(f"{event['type']} {event['id']}")
