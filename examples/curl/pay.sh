#!/bin/sh
# Requests a payment, and reads it until it is final.
set -eu

partners() {
  path=$1
  shift
  # Sends the same request until it gets a response. Its identifier names it, so that nothing is done twice.
  curl --silent --show-error --max-time 10 --retry 8 --retry-all-errors --retry-max-time 30 \
    --header "apikey: $APIKEY" --header "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY" \
    --header "Content-Type: application/json" "$@" "$BASE_URL$path"
}

uuid() {
  openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/'
}

session=$(uuid) # store it before the request: the same request again is the same payment
order=$(uuid)   # your order's number

payment=$(partners /pos-payment-request --data "{
  \"sessionID\": \"$session\", \"msgType\": \"paymentRequest\",
  \"merchantID\": \"$MERCHANT_ID\", \"pointOfServiceID\": \"$TERMINAL_ID\",
  \"totalAmountInclVat\": 125.5, \"currency\": \"SEK\", \"captureMode\": \"automatic\",
  \"merchantReferences\": { \"orderId\": \"$order\" }
}")
while ! expr "$payment" : '.*"final":true' >/dev/null; do
  sleep 0.25 # or let the webhooks tell you
  payment=$(partners "/pos-payment/$session")
done
echo "$payment"
