import { partnersClient } from "terminal-payments-partners-client";

const { BASE_URL = "", APIKEY = "", SUBSCRIPTION_KEY = "" } = process.env;

const partners = partnersClient({ baseUrl: BASE_URL, apikey: APIKEY, subscriptionKey: SUBSCRIPTION_KEY });
const { payments } = await partners.payments.list(); // of today; `payments.all` follows the pages
for (const { sessionID, status, amounts, currency } of payments)
  console.log(`${sessionID}: ${status} ${amounts.captured} ${currency}`);
const { events } = await partners.eventPage(); // keep `next` for the next call
for (const { type, id } of events) console.log(`${type} ${id}`);
