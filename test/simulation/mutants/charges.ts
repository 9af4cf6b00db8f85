import { domain, type Mutant } from "./mutant.ts";

/** Rules of charges: one is wanted, every other charge is given back, and a failure raises an alert. */
export const chargeMutants: readonly Mutant[] = [
  // Which charge is wanted
  {
    name: "wants every charge",
    file: `${domain}/reports/approvals.ts`,
    find: "  const { set, effects } = newReversal(payment, asTaken(payment, report, charge), step);\n",
    replace:
      "  const { set, effects } = { set: { charges: [...payment.charges, asTaken(payment, report, charge)] }, effects: [] };\n",
  },
  {
    name: "does not reverse a second charge",
    file: `${domain}/reports/approvals.ts`,
    find: "  const { set, effects } = newReversal(payment, asTaken(payment, report, charge), step);\n",
    replace:
      "  const { set, effects } = { ...newReversal(payment, asTaken(payment, report, charge), step), effects: [] };\n",
  },
  {
    name: "does not record a charge that no state wants",
    file: `${domain}/reports/approvals.ts`,
    find: "  return record(payment, { ...step, event, set, effects, alerts });\n",
    replace: "  return record(payment, { ...step, event, ...(set && effects && alerts && {}) });\n",
  },
  {
    name: "recognises a charge only by its authorisation",
    file: `${domain}/reports/known-charge.ts`,
    find: "charges.find(({ chargeId }) => chargeId === charge.chargeId);",
    replace: "charges.find((other) => isSameAuthorisation(other, charge));",
  },
  {
    name: "calls no operator for one authorisation under two names",
    file: `${domain}/reports/known-charge.ts`,
    find: 'if (charges.some((other) => isSameAuthorisation(other, charge))) return "chargeChanged";',
    replace: 'if (charges.some((other) => isSameAuthorisation(other, charge))) return "known";',
  },
  {
    name: "accepts a charge in another currency",
    file: `${domain}/reports/approvals.ts`,
    find: "  const isOwnCurrency = charge.currency === payment.currency;\n",
    replace: '  const isOwnCurrency = charge.currency !== "";\n',
  },
  {
    name: "keeps a late approval",
    file: `${domain}/life/approval-rules.ts`,
    find: '  again("voidRequested", { reason: "lateApproval" }),',
    replace: '  to("authorized", { reason: "lateApproval" }),',
  },
  {
    name: "ignores how long ago a card was approved",
    file: `${domain}/life/rules.ts`,
    find: "  agoMs !== undefined && msBetween(",
    replace: "  agoMs === -1 && msBetween(",
  },
  {
    name: "counts an approval before the partner's cancel",
    file: `${domain}/life/rules.ts`,
    find: " && !isCalledOff(p);",
    replace: ";",
  },
  {
    name: "believes an impossible age of an approval",
    file: "shared/contracts/requests/report-texts.ts",
    find: "z.int().min(0).max(MOST_AGO_MS)",
    replace: "z.number()",
  },
  // How a charge is given back
  {
    name: "gives a reversal up after one try",
    file: `${domain}/life/reversal.ts`,
    find: "const MAX_TRIES = 6;",
    replace: "const MAX_TRIES = 1;",
  },
  {
    name: "retries a reversal without a message",
    file: `${domain}/reports/charges.ts`,
    find: "    effects: next.effects,\n",
    replace: '    effects: next.effects.filter(({ kind }) => kind === "deadline"),\n',
  },
  {
    name: "names the wanted charge in the void of another",
    file: `${domain}/reports/approvals.ts`,
    find: "effects: [...back.effects, requested]",
    replace: `effects: [
      ...back.effects.map((effect) =>
        effect.kind === "message" && wantedCharge(payment)
          ? { ...effect, message: { ...effect.message, chargeId: wantedCharge(payment)?.chargeId } }
          : effect,
      ),
      requested,
    ]`,
  },
  {
    name: "treats a failed void as a success",
    file: `${domain}/reports/charge-verdicts.ts`,
    find: '  voidFailed: "fails",',
    replace: '  voidFailed: "moves",',
  },
  // The results
  {
    name: "ends a payment while another charge is held",
    file: `${domain}/life/transitions.ts`,
    find: "    reversed: givenBack,\n",
    replace: '    reversed: to("voided", { reason: "kept" }),\n',
  },
  {
    name: "does not give the payment's own charge back",
    file: `${domain}/life/advance.ts`,
    find: "      ...(back?.effects ?? []),\n",
    replace: "",
  },
  {
    name: "calls no operator for a failed reversal",
    file: `${domain}/life/reversal.ts`,
    find: '  { alert: "reversalFailed", about, detail },\n',
    replace: "",
  },
  {
    name: "books the requested amount instead of the captured one",
    file: `${domain}/life/advance.ts`,
    find: 'captured ?? (captures === "requested" ? requested : authorized)',
    replace: 'captures === "requested" ? requested : authorized',
  },
  {
    name: "sends no webhook of a reversal's end",
    file: `${domain}/reports/charges.ts`,
    find: 'return isTold ? change : advance(payment, { ...step, effects: [{ kind: "webhook", type, about: charge.chargeId }] });',
    replace: "return change;",
  },
  {
    name: "lets a payment that stays as it is tell of its own charge",
    file: `${domain}/reports/charges.ts`,
    find: "isOwnVoid(payment, charge) && isChanged(payment, change.payment)",
    replace: "isOwnVoid(payment, charge)",
  },
  {
    name: "replaces a charge's identity by the reference of its capture",
    file: `${domain}/reports/evidence.ts`,
    find: "return { ...charge, captureEvidence:",
    replace: "return { ...charge, acquirer: report.acquirer ?? charge.acquirer, captureEvidence:",
  },
  {
    name: "books a refund under the reference of its approval",
    file: `${domain}/life/bookings.ts`,
    find: "const own = refund ?? (charge",
    replace: "const own = (charge",
  },
];
