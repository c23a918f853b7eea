import { errorMessage } from '@gateway/contract/error-code';
import { CommandFailed } from '../process/fault.ts';

/** What a gateway makes of a proof of identity. */
export type Accepted =
  | { readonly accepted: true; readonly endpoints: readonly string[] }
  /** The gateway's sentence. */
  | { readonly accepted: false; readonly status: number; readonly sentence: string };

/** No endpoint has this name: names begin with a letter or a digit. */
const NOWHERE = '_sign-in';
const TIMEOUT_MS = 15_000;

/**
 * Asks a gateway whether it accepts a proof. It has no route for that; but an unknown endpoint is answered with 404, and
 * the names of those there are, only after the proof was accepted. No engine is called, and nothing is charged.
 * @throws CommandFailed where there is no gateway.
 */
export async function probe(gateway: string, proof: string, fetch: typeof globalThis.fetch): Promise<Accepted> {
  let [status, body]: [number, unknown] = [0, null];
  try {
    const response = await fetch(`${gateway}/${NOWHERE}/`, {
      headers: { authorization: `Bearer ${proof}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    [status, body] = [response.status, await response.json().catch(() => null)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CommandFailed(`${gateway} does not answer: ${errorMessage(cause)}`);
  }
  const { error, available } = (body ?? {}) as Partial<Record<string, unknown>>;
  if (status === 404 && Array.isArray(available)) return { accepted: true, endpoints: available.map(String) };
  if ((status === 401 || status === 403) && typeof error === 'string')
    return { accepted: false, status, sentence: error };
  throw new CommandFailed(
    `${gateway} answered ${status}: this address is not a gateway. Check the address of --gateway.`,
  );
}
