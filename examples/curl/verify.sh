#!/bin/sh
# Verifies a webhook by its headers: `verify.sh <webhook-id> <webhook-timestamp> <webhook-signature> <file with the body>`. Exits with 1 if it is not genuine.
set -euf

case $2 in '' | *[!0123456789]*) exit 1 ;; esac # bash runs a command that stands in arithmetic
now=$(date +%s)
[ "$2" -gt $((now - 300)) ] && [ "$2" -lt $((now + 300)) ] || exit 1
for secret in $WEBHOOK_SECRETS; do
  key=$(printf %s "${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
  expected=v1,$({ printf '%s.%s.' "$1" "$2"; cat "$4"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
  for signature in $3; do [ "$signature" = "$expected" ] && exit 0; done
done
exit 1
