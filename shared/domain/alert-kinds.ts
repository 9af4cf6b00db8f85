/** The kinds of alert: what each one means, and what the operator is to do. */
export const alertKinds = {
  contradictingReport: {
    means:
      "A terminal's report contradicts the record of the payment or its refund. Money that was requested counts as reported. All other money stays where the books have it, until you decide.",
    toDo: "`alert show <sessionID>` says what the books have, and lists the `payment resolve` commands that fit. Compare `payment why <sessionID>` with the terminal's journal and the acquirer's records. A requested capture counts, and so does a refund that had failed: if that is right, close the alert. If nobody requested a capture, have the partner capture that amount, or record `--outcome paid --amount <amount>`. If nobody requested a void, or a charge was captured after it was given back, its money is stopped. Record whether the acquirer has it: `paid` or `kept`, otherwise `unpaid` or `reversed`. If the terminal has fetched a refund that must not be made, wait for its report, and tell the partner of any excess. After any other report, correct the books if they are wrong, and close the alert. Each command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows. Add `--business-day <day>` if the terminal's journal counts the money on that day.",
  },
  unwantedApproval: {
    means: "A card was charged for a payment that has already ended or already has an approval.",
    toDo: "Wait first: the platform reverses the charge. If the terminal keeps failing, the alert `reversalFailed` says what to do. When `alert list` shows that the charge was reversed, close the alert. If the merchant keeps the money, run `payment resolve --charge <chargeID> --outcome kept`. The alert's `about` is the charge. The command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows. Do not use `--outcome unpaid` here: it also voids the rightful charge.",
  },
  reversalFailed: {
    means:
      "The terminal has not given a charge back: its fourth try or a later one failed, or it has not fetched the void for two days. The six tries begin after 0, 6, 18, 42, 90 and 186 hours, and end after 192. A void that is not fetched is withdrawn after 30 days.",
    toDo: "`alert show <sessionID>` says whether tries go on. If they do, `payment why <sessionID>` and `terminal show <terminalID>` say why the terminal fails or is silent: help it, and wait. If there are no more tries, or the customer cannot wait, ask the acquirer to give the charge back. Then record it with `payment resolve --charge <chargeID> --outcome reversed`: a void that waits is removed. If the merchant keeps the money, record `--outcome paid` for the payment's own charge. For any other charge, use `--charge <chargeID> --outcome kept`: the partner gets a webhook, and can refund the charge. For the payment's own charge, `--outcome unpaid` ends the payment at once, and tries go on or begin again. Each command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows.",
  },
  amountDiffers: {
    means:
      "A terminal captured or refunded a different amount than requested, or charged a different amount than an operator recorded. A capture or refund above the request is booked as requested, until you record the whole. Or the amount does not show whether a discount was applied. Or the tip that it reported does not fit the amount.",
    toDo: "`alert show <sessionID>` says which of these it is, and lists the commands that fit. Find the true amount in the acquirer's records. If the books already have it, close the alert. For a capture, run `payment resolve --outcome paid --charge <chargeID> --amount <amount>`, with `--tip <tip>` if a part of it is tip. For a refund, use `--refund <refundID> --outcome succeeded --amount <amount>`. Each takes up to the amount that the terminal reported. Add `--business-day <day>` if the terminal counts it on that day. Or have the acquirer give the excess back, and close the alert. For a charge that is in doubt, run the command for a capture, or use `--charge <chargeID>` with `--outcome reversed` or `kept`. For a discount, find out from the terminal's journal or the merchant whether it was applied. Then use `--discount <discountID>` with `--outcome applied` or `refused`. This decision is final. If the recorded amount is wrong, use `--outcome paid --amount <amount>` instead: it also decides the discount. Each command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows.",
  },
  tooManyCharges: {
    means: "A terminal reported more charges for one payment than a payment can hold.",
    toDo: "Take the terminal out of service. Ask the acquirer to reverse every charge of the payment that is not in its timeline: such charges are not recorded. For each charge in the timeline, record the outcome with `payment resolve --charge`.",
  },
  chargeChanged: {
    means: "A terminal reported a known charge again, with different details.",
    toDo: "Find out from the acquirer's records whether there is one charge or two. If there is a second charge, ask the acquirer to reverse it: it is not recorded. If the known charge differs from its record, record the captured amount with `payment resolve --outcome paid --amount`, or its reversal with `--charge`.",
  },
  outcomeUnknown: {
    means:
      "The outcome of a charge, capture or refund is not known. The terminal has not reported it, or the platform does not believe its report.",
    toDo: "Find the outcome in the acquirer's records. If the terminal will not report it any more, run `payment resolve --outcome paid` or `unpaid`. For a refund or a charge, use `--refund` or `--charge` with its outcome. Add `--amount <amount>` to `paid` if only a part was to be captured, if a discount is open, or if a tip was asked for. Add `--tip <tip>` for the part of it that is tip. Add `--business-day <day>` if the terminal's journal counts the money on that day. The command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows.",
  },
  captureWaits: {
    means:
      "A capture that the partner requested has waited for its terminal for a day, or until its end. The money is neither captured nor given back. While it waits, the alert is raised once a day.",
    toDo: "`detail` says what waits, where, and until when. `terminal show <terminalID>` says when the terminal was last there: have it switched on and connected. When it fetches the capture, `detail` says so. If the wait has ended, the capture is not tried again by itself: ask the partner to request it again, or to cancel the payment. When the payment is captured or voided, close the alert. The acquirer holds the money for a limited time only. If the terminal will not come back, have the acquirer capture or release the money, and record it with `payment resolve --outcome paid` or `unpaid`. The command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows.",
  },
  orphanReport: {
    means:
      "A terminal reported that money moved, and the platform rejected the report. The report names no payment on the terminal, a member is wrong, or its body cannot be read.",
    toDo: "`alert show` shows what was reported. Find the payment. If the report does not name it, look in the acquirer's records or the terminal's journal. If the payment's record lacks the money, add it with `payment resolve`. If the money belongs to no payment, ask the acquirer to return it.",
  },
  cardNumberReported: {
    means:
      "A terminal wrote a card number, track data or a security code into a text of a report (`detail` names the members). The platform stored at most the number's last four digits.",
    toDo: "Ask the terminal's maker to correct the software. Tell the person who is responsible for card data: the number may also be in the terminal's own log. Then close the alert.",
  },
  dayDiffers: {
    means:
      "A terminal's totals of its business day differ from the bookings, and did so for the whole grace time. Or a booking was added to a day that was already closed.",
    toDo: "`alert show <terminalID>` says how the day differs now, and names the charges and refunds if only one explanation fits. `payment list --day <day> --terminal <terminalID>` lists the payments. If the books are wrong, run `payment resolve` with the payment's outcome and `--business-day <day>`. The command shows the consequences. To record the outcome, run it again with the `--sequence` that it shows. If the books lack a charge, use `--outcome paid`, without `--charge`, for the payment that the card paid. If the terminal is wrong, it may close the day again with corrected totals. When `alert list` says that the day is closed, close the alert.",
  },
  dayMissing: {
    means: "A terminal with bookings has not closed its business day by the deadline.",
    toDo: "Have the terminal close the day: late totals are compared like any others. If the terminal cannot close the day any more, compare the bookings of the day with the acquirer's records. Then close the alert.",
  },
  deadLetter: {
    means:
      "A message failed at every delivery that its queue allows, and is now a dead letter of the queue (`about`: queue and message). Its effect was not carried out.",
    toDo: "`detail`, the log and `dead-letter show` say why. When the cause is removed, send the message again with `dead-letter replay`. `repair` also announces committed effects again. The platform did not send a message that cannot be read: remove it with `dead-letter purge`.",
  },
  tokenLimitNear: {
    means:
      "A template (`about`) has issued four fifths of the vouchers or keys that it may issue on one day or in total (`detail`). When it reaches the limit, its requests are rejected.",
    toDo: "`template show` says how many were issued, and `landing-page show` lists the requests of a page. If customers should get more, raise the limit with `template limit`. If a person or a program is collecting them, stop the template with `template stop`, and revoke the collected ones with `token revoke`. Then close the alert.",
  },
  keyEndsSoon: {
    means:
      "A partner's key (`about`) is in use and expires within thirty days. `detail` says which partner has it, and when it expires. After that, requests with it get 401.",
    toDo: "Create another key with `key rotate`, and give it to the partner. `key list` says when each key was last used. If the partner needs more time, let the old key expire later with `key expire`. Then close the alert.",
  },
  unreadablePayment: {
    means:
      "A restore left out a payment whose record cannot be read (`import --without`). `detail` has its money as far as it can be read. Its bookings are kept, and requests of its session get 409.",
    toDo: "Find the payment in the acquirer's records and in the terminal's journal. Tell the partner what the customer paid. If money must be returned, ask the acquirer to return it. A report about the payment raises `orphanReport`. Then close the alert.",
  },
  dependencyAway: {
    means:
      "The tables or the bus (`about`) have not responded for several minutes. Nothing is lost: messages wait, and callers get 503. `count` is the number of hours in which this happened.",
    toDo: "Check the storage account or the Service Bus namespace. When it responds again, waiting messages continue by themselves within five minutes. Then close the alert.",
  },
  mailsFailing: {
    means:
      "Mails with vouchers and keys are not sent. The mail server accepted none of the last five mails of one template (`about`) within an hour, or it rejected the platform's own credentials. `detail` has its latest response. The alert is raised at most once an hour. It closes by itself when a mail of the template is sent again.",
    toDo: "`detail` says which it is. If it is `EAUTH`, set the right credentials in `SMTP_URL`, and restart. If it is a code with `550` or `554`, the server rejects the addresses, the sender or the content: its operator or its log says why. If it is anything else, the server does not respond. For a day and a half, the platform retries mails that were not rejected. If it gave up a mail, send the mail again with `token resend`.",
  },
} as const satisfies Readonly<Record<string, { readonly means: string; readonly toDo: string }>>;
