/**
 * Why a database gave no answer, as the end of a sentence for an operator: the server's own first line (a wrong password, a lock
 * that was waited for too long), else what the network said.
 */
export function whyUnanswered(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'CONNECT_TIMEOUT') return 'it does not answer';
  // Where several addresses of one name were tried, only the code says what happened.
  return error.message.split('\n', 1)[0] || code || error.name;
}
