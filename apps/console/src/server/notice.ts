import { type Refusal, sentenceOf, statusOf } from '@gateway/contract';
import { legible } from '@gateway/contract/legible';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Links by what they say. */
export type Links = Readonly<Record<string, string>>;

/** What a notice carries beside its sentence. */
export interface Around {
  readonly cookies?: readonly string[];
  readonly links?: Links;
  /** Whom the console knows the reader as: what an operator who is to grant a role has to be told. */
  readonly subject?: string;
  /** The page goes on to the sign-in by itself, and takes the fragment of its address along. */
  readonly goesOn?: boolean;
}

/** Whether a person reads the answer in a browser, rather than a program. */
export function wantsPage(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/html');
}

/** The pages' own script: it finds no page to draw, and goes to the sign-in. */
const GOES_ON = '<script type="module" src="/client.js"></script>';

function page(sentence: string, { links = {}, subject, goesOn = false }: Around): string {
  const anchors = Object.entries(links).map(([says, to]) => `<a href="${escaped(to)}">${escaped(says)}</a>`);
  const known = subject === undefined ? '' : `<p>You are signed in as <b>${escaped(legible(subject))}</b>.</p>\n`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gateway console</title>
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/client.css">${goesOn ? GOES_ON : ''}</head>
<body class="notice"><main><img src="/favicon.svg" alt="" width="40" height="40"><h1>Gateway console</h1>
<p>${escaped(sentence)}</p>
${known}<p>${anchors.join('\n')}</p></main></body>
</html>
`;
}

/** A sentence to somebody on the way in or out: a small page for a browser, the envelope for a program. */
export function notice(request: Request, status: number, sentence: string, around: Around = {}): Response {
  const answer = wantsPage(request)
    ? new Response(page(sentence, around), {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      })
    : Response.json(status < 400 ? { message: sentence } : { error: sentence }, { status });
  answer.headers.set('cache-control', 'no-store');
  for (const cookie of around.cookies ?? []) answer.headers.append('set-cookie', cookie);
  return answer;
}

/** A refusal as a notice, with the headers it carries. */
export function refusalNotice(request: Request, refused: Refusal, around: Around = {}): Response {
  const answer = notice(request, statusOf(refused), sentenceOf(refused), around);
  for (const [name, value] of Object.entries(refused.headers)) answer.headers.set(name, value);
  return answer;
}
