import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml, PAGE_HEADERS, page } from './page.ts';

/** What a person fills in. */
export interface SignInForm {
  readonly user: string;
  readonly password: string;
}

const LARGEST_FORM = 10_000;

/** A plain HTML form that posts to the address it was shown at. */
export function showSignIn(response: ServerResponse, action: string, refused: boolean): void {
  const content = `<p>This sign-in page belongs to the demo identity provider of npm start. User and password are printed there.</p>
${refused ? '<p role="alert">User or password is wrong.</p>' : ''}
<form method="post" action="${escapeHtml(action)}">
<p><label>User <input name="user" autocomplete="username" required autofocus></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button type="submit">Sign in</button></p>
</form>`;
  response.writeHead(refused ? 401 : 200, PAGE_HEADERS);
  response.end(page(content));
}

/** Reads the posted form; null where it is none. */
export async function readSignIn(request: IncomingMessage): Promise<SignInForm | null> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > LARGEST_FORM) return null;
  }
  const form = new URLSearchParams(text);
  const [user, password] = [form.get('user'), form.get('password')];
  return user === null || password === null ? null : { user, password };
}
