import { type Refusal, sentenceOf, statusOf } from '@gateway/contract';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function page(sentence: string): string {
  const text = sentence.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>gateway console</title>
<link rel="icon" href="/favicon.svg"></head>
<body><main><h1>gateway console</h1><p>${text}</p><p><a href="/auth/login">Sign in</a></p></main></body>
</html>
`;
}

/** A sentence to somebody on the way in or out: a small page for a browser, the envelope for a program. */
export function notice(request: Request, status: number, sentence: string, cookies: readonly string[] = []): Response {
  const wantsPage = (request.headers.get('accept') ?? '').includes('text/html');
  const answer = wantsPage
    ? new Response(page(sentence), { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
    : Response.json(status < 400 ? { message: sentence } : { error: sentence }, { status });
  answer.headers.set('cache-control', 'no-store');
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
  return answer;
}

export function refusalNotice(request: Request, refused: Refusal, cookies: readonly string[] = []): Response {
  return notice(request, statusOf(refused), sentenceOf(refused), cookies);
}
