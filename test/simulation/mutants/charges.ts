import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of charges: one is wanted, every other one goes back, and an operator hears of what does not. */
export const chargeMutants: readonly Mutant[] = [
  // Which charge is wanted.
  {
    name: "wants every charge",
    file: `${domain}/approvals.ts`,
    find: "  const { set, effects } = sentBack(payment, charge, step);\n",
    replace: "  const { set, effects } = { set: { charges: [...payment.charges, charge] }, effects: [] };\n",
  },
  {
    name: "does not reverse a second charge",
    file: `${domain}/approvals.ts`,
    find: "  const { set, effects } = sentBack(payment, charge, step);\n",
    replace: "  const { set, effects } = { ...sentBack(payment, charge, step), effects: [] };\n",
  },
  {
    name: "forgets a charge that no state wants",
    file: `${domain}/approvals.ts`,
    find: "  return record(payment, { ...step, event, set, effects, alerts });\n",
    replace: "  return record(payment, { ...step, event, ...(set && effects && alerts && {}) });\n",
  },
  {
    name: "knows a charge by its authorisation only",
    file: `${domain}/approvals.ts`,
    find: "charges.find(({ chargeId }) => chargeId === charge.chargeId);",
    replace: "charges.find((other) => isSameAuthorisation(other, charge));",
  },
  {
    name: "calls nobody for one authorisation under two names",
    file: `${domain}/approvals.ts`,
    find: 'if (charges.some((other) => isSameAuthorisation(other, charge))) return "chargeChanged";',
    replace: 'if (charges.some((other) => isSameAuthorisation(other, charge))) return "known";',
  },
  {
    name: "takes a charge in another currency for its own",
    file: `${domain}/approvals.ts`,
    find: "charge.currency === payment.currency ? discountsInApproval(",
    replace: "charge.currency ? discountsInApproval(",
  },
  {
    name: "keeps a late approval",
    file: `${domain}/transitions.ts`,
    find: '  again("voidRequested", { reason: "lateApproval" }),',
    replace: '  to("authorized", { reason: "lateApproval" }),',
  },
  // How a charge goes back.
  {
    name: "gives a reversal up after one try",
    file: `${domain}/charges.ts`,
    find: "const MAX_REVERSAL_TRIES = 5;",
    replace: "const MAX_REVERSAL_TRIES = 1;",
  },
  {
    name: "withdraws a reversal whose terminal is away",
    file: `${useCases}/payments/handle-timeout.ts`,
    find: "  return reversalOverdue(payment, charge, isUnfetched, context);",
    replace: `  if (await withdraw(deps, payment, charge.reversal.sequence)) return undefined;
  return reversalOverdue(payment, charge, isUnfetched, context);`,
  },
  {
    name: "tries a reversal again without a message",
    file: `${domain}/charges.ts`,
    find: "const effects = isUnfetched ? next",
    replace: "const effects = next.effects.length > 0 ? next",
  },
  {
    name: "names the wanted charge in another's void",
    file: `${domain}/approvals.ts`,
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
    name: "believes a failed void that the charge is back",
    file: `${domain}/charges.ts`,
    find: '    voidFailed: "agrees", // the try has failed; its deadline starts the next one',
    replace: '    voidFailed: "moves",',
  },
  // What it comes to.
  {
    name: "ends a payment while another charge is held",
    file: `${domain}/transitions.ts`,
    find: 'reversed: [to("voided", { reason: "kept", when: ["every charge is closed"] }), stays("voidRequested")],',
    replace: 'reversed: to("voided", { reason: "kept" }),',
  },
  {
    name: "ends a voided payment while another charge is held",
    file: `${domain}/transitions.ts`,
    find: 'voids: true, when: ["every other charge is closed"] }',
    replace: "voids: true }",
  },
  {
    name: "leaves a voided charge authorized",
    file: `${domain}/advance.ts`,
    find: 'const status = captures ? "captured" : voids ? "voided" : undefined;',
    replace: 'const status = captures ? "captured" : undefined;',
  },
  {
    name: "calls nobody for a reversal that failed",
    file: `${domain}/charges.ts`,
    find: '    alerts: [{ alert: "reversalFailed", about: charge.chargeId }],\n',
    replace: "",
  },
  {
    name: "books what was requested, not what was captured",
    file: `${domain}/advance.ts`,
    find: 'captured ?? (captures === "requested" ? requested : authorized)',
    replace: 'captures === "requested" ? requested : authorized',
  },
  {
    name: "does not tell the partner of a reversal's end",
    file: `${domain}/charges.ts`,
    find: '    effects: [{ kind: "webhook", type: "reversal.succeeded", about: charge.chargeId }],\n',
    replace: "",
  },
];
