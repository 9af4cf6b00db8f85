/** The voucher's or key's code in a mail's text, which is alone on an indented line. Undefined if there is none. */
export const codeIn = (text: string): string | undefined => /^ {4}(\S{4,64})\s*$/m.exec(text)?.[1];
