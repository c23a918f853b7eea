import * as z from 'zod';
import { StartFault } from './fault.ts';

/** The console's API, entered as a person enters it. */
export interface ConsoleClient {
  /** All rows of a list, following its cursor. */
  list<Row>(path: string, plural: string, row: z.ZodType<Row>): Promise<readonly Row[]>;
  send<Answer>(method: 'POST' | 'PATCH', path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer>;
}

/**
 * @param address where the console listens
 * @param credentials the header that carries the sign-in: `authorization` or `cookie`
 */
export function consoleClient(address: string, credentials: Readonly<Record<string, string>>): ConsoleClient {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { ...credentials, origin: new URL(address).origin, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    if (!response.ok) throw new StartFault(`The console answered ${response.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    list: async (path, plural, row) => {
      const rows = [];
      let next: string | null = '';
      while (next !== null) {
        const page = await ask('GET', next === '' ? path : `${path}?cursor=${encodeURIComponent(next)}`);
        const read = z.looseObject({ [plural]: z.array(row), next: z.string().nullable() }).parse(page);
        rows.push(...z.array(row).parse(read[plural]));
        next = z.string().nullable().parse(read['next']);
      }
      return rows;
    },
    send: async (method, path, body, answer) => answer.parse(await ask(method, path, body)),
  };
}
