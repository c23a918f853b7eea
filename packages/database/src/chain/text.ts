/** What PostgreSQL can keep of a text: no NUL, no half of a surrogate pair. */
export function storableText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();
}
