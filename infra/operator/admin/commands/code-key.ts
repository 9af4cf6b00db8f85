import { codeKeyStatus } from "../../../../shared/use-cases/operator/vouchers/code-key-status.ts";
import { rotatingGroup } from "../rotating-group.ts";

export const codeKey = rotatingGroup({
  name: "code-key",
  does: "the platform's own keys, from which the codes of vouchers and keys are derived",
  setting: "TOKEN_CODE_KEYS",
  secretsOf: ({ codeKeys }) => codeKeys,
  member: "codeKey",
  status: {
    does: "lists the code keys: when each last made a code, until when its codes may be valid, and until when it must stay in TOKEN_CODE_KEYS",
    places: { first: "first: makes new codes", other: "knows its own codes", absent: "not in the setting" },
    async list(ports, known) {
      const used = await codeKeyStatus(ports, known);
      return used.map(({ codeKeyId: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints, step by step, the values to set TOKEN_CODE_KEYS to, so that a new key makes new codes; changes nothing itself",
    of: "key",
    until: "when the last day that `code-key status` shows for the others has passed, remove them",
  },
});
