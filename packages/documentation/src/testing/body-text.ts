import type { PageAnswer } from '../corpus/pages.ts';

/** The body of an answer as text; empty where there is none, or a part of a file. */
export function bodyText({ body }: Pick<PageAnswer, 'body'>): string {
  return Buffer.isBuffer(body) ? body.toString() : '';
}
