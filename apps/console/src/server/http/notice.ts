import { type Refusal, sentenceOf, statusOf } from '@gateway/contract';
import { inEnglish } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Links by their text. */
export type Links = Readonly<Record<string, string>>;

/** What a notice carries beside its sentence. */
export interface Around {
  readonly cookies?: readonly string[];
  readonly links?: Links;
  /** The subject of the reader: an operator who grants a role needs it. */
  readonly subject?: string;
  /** The page continues to the sign-in by itself, and passes the fragment of its address on. */
  readonly goesOn?: boolean;
  /** A further sentence. */
  readonly note?: string;
  /** After how many seconds the browser asks again by itself. */
  readonly retrySeconds?: number;
}

/** Whether a person reads the answer in a browser, rather than a program. */
export function wantsPage(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/html');
}

/** It goes to the sign-in, and takes the fragment along. */
const GOES_ON = '<script type="module" src="/client.js"></script>';

/** The small page on the way in and out. @param content markup */
export function htmlPage(status: number, content: string, title = 'Gateway console', head = ''): Response {
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/client.css">${head}</head>
<body class="notice"><main><img src="/favicon.svg" alt="" width="40" height="40"><h1>Gateway console</h1>
${content}</main></body>
</html>
`;
  return new Response(text, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}

function page(status: number, sentence: string, { links = {}, subject, goesOn = false, note }: Around): Response {
  const anchors = Object.entries(links).map(([says, to]) => `<a href="${escaped(to)}">${escaped(says)}</a>`);
  const known = subject === undefined ? '' : `<p>You are signed in as <b>${escaped(legible(subject))}</b>.</p>\n`;
  const content = `<p>${escaped(inEnglish(sentence))}</p>
${note === undefined ? '' : `<p>${escaped(note)}</p>\n`}${known}<p>${anchors.join('\n')}</p>`;
  return htmlPage(status, content, undefined, goesOn ? GOES_ON : '');
}

/** A message at sign-in or sign-out: a small page for a browser, the envelope for a program. */
export function notice(request: Request, status: number, sentence: string, around: Around = {}): Response {
  const answer = wantsPage(request)
    ? page(status, sentence, around)
    : Response.json(status < 400 ? { message: sentence } : { error: sentence }, { status });
  answer.headers.set('cache-control', 'no-store');
  if (around.retrySeconds !== undefined) answer.headers.set('refresh', String(around.retrySeconds));
  for (const cookie of around.cookies ?? []) answer.headers.append('set-cookie', cookie);
  return answer;
}

/** A refusal as a notice, with the headers it carries. */
export function refusalNotice(request: Request, refused: Refusal, around: Around = {}): Response {
  const answer = notice(request, statusOf(refused), sentenceOf(refused), around);
  for (const [name, value] of Object.entries(refused.headers)) answer.headers.set(name, value);
  return answer;
}
