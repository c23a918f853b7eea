import { randomUUID } from 'node:crypto';
import { parseDatabaseAddress, withPool } from '@gateway/database';

/** The shown part of an entry of the decision log. */
export interface RecordedDecision {
  readonly sequence: string;
  readonly at: Date | string;
  readonly subject: string | null;
  readonly permission: string;
  readonly resource: string;
  readonly outcome: string;
  readonly reason: string;
  readonly roles: readonly string[];
  readonly digest: string;
}

/** One call through the gateway, as a developer's client makes it, and its log entry. */
export interface RelayedCall {
  /** Null where no answer came: the gateway cannot be reached in the way the caller of `npm start` set it up. */
  readonly status: number | null;
  /** What the engine said, the refusal's sentence, or why there is none. */
  readonly answer: string;
  /** The entry of the decision log, or null where there is none. */
  readonly decision: RecordedDecision | null;
}

export const QUESTION = 'Say hello to the person who started you.';

function spoken(text: string): string {
  try {
    const body = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[]; error?: unknown };
    const content = body.choices?.[0]?.message?.content;
    if (typeof content === 'string') return content;
    return typeof body.error === 'string' ? body.error : text;
  } catch {
    return text;
  }
}

async function decisionOf(ownerUrl: string, requestId: string): Promise<RelayedCall['decision']> {
  const owner = parseDatabaseAddress(ownerUrl);
  const [entry] = await withPool(
    owner,
    { max: 1, applicationName: 'npm start' },
    (sql) => sql<RecordedDecision[]>`
      select sequence::text, at, subject, permission, resource, outcome, reason, roles, encode(digest, 'hex') as digest
      from authorization_decisions where request_id = ${requestId}`,
  );
  return entry ?? null;
}

export async function relayOneCall(
  gateway: string,
  endpoint: string,
  key: string,
  ownerUrl: string,
): Promise<RelayedCall> {
  const requestId = randomUUID();
  try {
    const response = await fetch(`${gateway}/${endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-request-id': requestId },
      body: JSON.stringify({ model: endpoint, messages: [{ role: 'user', content: QUESTION }] }),
    });
    const answer = spoken(await response.text());
    return { status: response.status, answer, decision: await decisionOf(ownerUrl, requestId) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // `fetch` throws nothing else where the network fails
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    return { status: null, answer: cause, decision: null };
  }
}
