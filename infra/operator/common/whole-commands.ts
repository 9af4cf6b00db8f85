/** The values for a command's placeholders, such as `<sessionID>`, by their names. */
type CommandNames = Readonly<Record<string, string | undefined>>;

/** The subject of an alert, with its kind. */
interface Subject {
  readonly kind: string;
  readonly about?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The terminal of the alert or of its payment. */
  readonly terminalId?: string | undefined;
  readonly day?: string | undefined;
}

/** The values that an alert has for placeholders. */
export const namesOf = ({ kind, about, partnerId, sessionId, terminalId, day }: Subject): CommandNames => ({
  partnerID: partnerId,
  sessionID: sessionId,
  terminalID: terminalId,
  day,
  templateID: kind === "tokenLimitNear" ? about : undefined,
});

/** A command that can be pasted. */
export const wholeCommand = (words: string): string => `npm run admin -- ${words}`;

/**
 * The text with whole commands between its backticks, filled with the values. A command stays as it is if a value is missing, or if the
 * text only names it.
 */
export const withWholeCommands = (text: string, names: CommandNames): string =>
  text.replaceAll(/`([^`]+)`/g, (span, typed: string) => {
    const filled = (ofPayment.test(typed) ? `${typed} --partner <partnerID> --session <sessionID>` : typed).replaceAll(
      /<(\w+)>/g,
      (placeholder, name: string) => names[name] ?? placeholder,
    );
    return reading.test(filled) && !filled.includes("<") ? `\`${wholeCommand(filled)}\`` : span;
  });

/** The commands that need a payment's partner and session. */
const ofPayment = /^payment (?:show|timeline)$/;
/** A command that only reads, with its words. */
const reading = /^(?:alert list|(?:alert|key|landing-page|payment|template|terminal) (?:list|show|timeline|why) .+)$/;
