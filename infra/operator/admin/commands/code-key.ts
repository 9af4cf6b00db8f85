import { codeKeyStatus } from "../../../../shared/use-cases/operator/vouchers/code-key-status.ts";
import { rotatingGroup } from "../rotating-group.ts";

export const codeKey = rotatingGroup({
  name: "code-key",
  does: "the platform's own keys, from which the codes of vouchers and keys are derived",
  setting: "TOKEN_CODE_KEYS",
  secretsOf: ({ codeKeys }) => codeKeys,
  member: "codeKey",
  status: {
    does: "lists the code keys: when each last made a code, until when its codes may be good, and until when it must stay in TOKEN_CODE_KEYS",
    places: { first: "first: makes new codes", other: "knows its own", absent: "not in it" },
    async list(ports, known) {
      const used = await codeKeyStatus(ports, known);
      return used.map(({ codeKeyId: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints the values that TOKEN_CODE_KEYS takes one after the other to have new codes made by a new key; sets nothing",
    of: "key",
    until: "when `code-key status` has passed the last day for the others, leave them out",
  },
});
