/** What a provider sent is not HTTP/1.1 as RFC 9112 writes it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  /** @param detail of the fault; without one where the message is sufficient. */
  constructor(detail?: string) {
    super(`its answer does not match the HTTP/1.1 protocol${detail === undefined ? '' : ` (${detail})`}`);
  }
}
