/** The kinds of alert: what each one means, and what the operator is to do. */
export const alertKinds = {
  contradictingReport: {
    means: "A terminal's report contradicts what is recorded of the payment or its refund.",
    toDo: "Compare `payment why <sessionID>` with the terminal's journal and the acquirer's records. If the books are right, close the alert. If they are wrong, `alert show <sessionID>` lists the outcomes that fit. Type one of these `payment resolve` commands, read what would follow, and do it with the `--sequence` that it names. Add `--business-day <day>` if the terminal's journal counts the money on that day.",
  },
  unwantedApproval: {
    means: "A card was charged for a payment that has ended, or that has its approval already.",
    toDo: "Nothing at first: the platform reverses the charge, and `alert list` shows when it was given back: close the alert then. If it is still being given back a day later, have the acquirer reverse it. Type `payment resolve --charge <chargeID> --outcome reversed`, or `kept` if the merchant keeps it; `about` of the alert is the charge. Read what would follow, and do it with the `--sequence` that it names. `--outcome unpaid` is wrong here: it voids the rightful charge, too.",
  },
  reversalFailed: {
    means: "The terminal failed to reverse a charge after the last try.",
    toDo: "Have the acquirer reverse the charge, then `payment resolve --charge <chargeID> --outcome reversed`. If the merchant keeps it, `--outcome kept`: the partner gets a webhook, and can refund it.",
  },
  amountDiffers: {
    means:
      "A terminal captured or refunded another amount than the requested one, or charged another amount than an operator recorded. Or an amount does not show whether a discount was applied.",
    toDo: "`alert show <sessionID>` says which it is, and lists the commands that fit. Find the true amount in the acquirer's records; if the books have it already, close the alert. For a capture, type `payment resolve --outcome paid --charge <chargeID> --amount <amount>`. For a charge that is in doubt, type the same, or `--charge <chargeID>` with `--outcome reversed` or `kept`. For a discount, find out from the terminal's journal or the merchant whether it was applied. Then type `--discount <discountID>` with `--outcome applied` or `refused`, which is final. If the recorded amount is wrong, type `--outcome paid --amount <amount>` instead: it decides the discount, too. Have the acquirer correct a refund of another amount, and type `--refund <refundID>` with its outcome. Each shows what would follow: do it with the `--sequence` that it names.",
  },
  tooManyCharges: {
    means: "A terminal reported more charges for one payment than the payment can keep.",
    toDo: "Take the terminal out of service, and have the acquirer reverse every charge of the payment that is not in its timeline: none of these is recorded. Record the outcome of those that are in it with `payment resolve --charge`.",
  },
  chargeChanged: {
    means: "A terminal reported a known charge again with other details.",
    toDo: "Find out from the acquirer's records whether there is one charge or two. Have a second one reversed: it is not recorded. If the known one differs from what is recorded, record what was captured of it with `payment resolve --outcome paid --amount`, or that it was given back with `--charge`.",
  },
  outcomeUnknown: {
    means:
      "The outcome of a charge, a capture, a void or a refund is not known. Its terminal has not reported it, or its report is not believed.",
    toDo: "Find the outcome in the acquirer's records. If the terminal will not report it any more, type `payment resolve --outcome paid` or `unpaid`; for a refund or a charge, `--refund` or `--charge` with its outcome. Add `--amount <amount>` to `paid` if a part was to be captured, or a discount is open. Add `--business-day <day>` if the terminal's journal counts the money on that day. Read what would follow, and do it with the `--sequence` that it names.",
  },
  orphanReport: {
    means:
      "A terminal reported that money moved, and the report was refused: it names no payment on the terminal, a member is wrong, or its body cannot be read.",
    toDo: "`alert show` shows what was reported. Find the payment, in the acquirer's records or the terminal's journal if the report does not name it. If the money is not recorded there, `payment resolve` it; have the acquirer give back money that belongs to no payment.",
  },
  cardNumberReported: {
    means:
      "A terminal wrote a card number into a text of a report (`detail` has the members). The platform kept its last four digits only.",
    toDo: "Have the terminal's maker correct the software. Tell the person who answers for card data: the number may be in the terminal's own log, too. Close the alert then.",
  },
  dayDiffers: {
    means:
      "A terminal's totals of its business day differ from what is booked, and did so for the whole grace time; or a booking came for a day that was closed.",
    toDo: "`alert show <terminalID>` says how the day differs now, and names the charges and refunds if only one explanation fits. `payment list --day <day> --terminal <terminalID>` lists the payments. If the books are wrong, type `payment resolve` with the payment's outcome and `--business-day <day>`, read what would follow, and do it with the `--sequence` that it names. If the books lack a charge, type `--outcome paid` of the payment whose card it was, without `--charge`. If the terminal is wrong, it may close the day again with corrected totals. Once `alert list` says that the day is closed, close the alert.",
  },
  dayMissing: {
    means: "A terminal with bookings has not closed its business day by the deadline.",
    toDo: "Have the terminal close the day: late totals are compared as any others. Of a terminal that cannot do so any more, compare the bookings of the day with the acquirer's records. Close the alert then.",
  },
  deadLetter: {
    means:
      "A message failed at every delivery that its queue allows, and is in the dead letters of the queue (`about`: queue and message). Its effect has not happened.",
    toDo: "`detail`, the log and `dead-letter show` say why. Once the cause is removed, send it again with `dead-letter replay`. `repair` announces again what was committed, too; a message that cannot be read was not sent by the platform, and can be removed with `dead-letter purge`.",
  },
  tokenLimitNear: {
    means:
      "A template (`about`) has issued four fifths of the vouchers or keys that it may issue on one day, or in all (`detail`). When the limit is reached, its requests are refused.",
    toDo: "`template show` says how many were issued, and `landing-page show` lists a page's requests. If customers are to get more, raise the limit with `template limit`. If somebody is collecting them, stop the template with `template stop`, and `token revoke` what should not have been issued. Close the alert then.",
  },
  keyEndsSoon: {
    means:
      "A partner's key (`about`) is in use and ends within thirty days (`detail`: whose it is, and when it ends). From then on its requests get 401.",
    toDo: "Make another with `key rotate`, and give it to the partner. `key list` says when each key was last used. If the partner needs more time, move the end with `key expire`. Close the alert then.",
  },
  dependencyAway: {
    means:
      "The tables or the bus (`about`) have not responded for minutes. Nothing is lost: messages wait, and callers get 503. `count` is the number of hours in which this was seen.",
    toDo: "Check the storage account or the Service Bus namespace. Waiting messages go on by themselves, up to five minutes after it is back. Close the alert then.",
  },
  mailsFailing: {
    means:
      "Mails with vouchers and keys do not go: the mail server took none of the last five of one template (`about`) within an hour, or it refused the platform's own credentials. `detail` has its latest answer. It is raised once an hour at most, and closed by itself when a mail of the template goes again.",
    toDo: "`detail` says which it is. `EAUTH`: set the right credentials in `SMTP_URL`, and restart. A code with `550` or `554`: the server refuses the addresses, or the sender or the content; its operator or its log says why. Anything else: the server does not respond. Mails that were not refused are tried for a day and a half; send those that were given up again with `token resend`.",
  },
} as const satisfies Readonly<Record<string, { readonly means: string; readonly toDo: string }>>;
