/**
 * Copies a text to the clipboard. Rejects if the browser does not allow it. Browsers have `navigator.clipboard` only at https and on
 * loopback, and other machines open the page at http.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("This browser does not copy here. Select the text.");
}
