import type { TestConsole } from './console.ts';

let guests = 0;

/** Sends the sign-in form of the hosted console, as a browser does; from an address of its own where none is given. */
export function typed(
  { base }: Pick<TestConsole, 'base'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  guests += 1;
  return fetch(`${base}/auth/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': `127.9.${guests >> 8}.${guests & 255}`, origin: base, ...headers },
    body: new URLSearchParams(fields),
  });
}

/** The shared pair, as it is typed. */
export const TYPED_PAIR = { user: 'operator', password: 'a pass:word' };

/** The cookie that an answer sets, as the browser sends it back. */
export const cookieOf = (answer: Pick<Response, 'headers'>): string =>
  (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
