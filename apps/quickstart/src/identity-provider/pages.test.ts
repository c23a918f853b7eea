import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { describe, expect, it } from 'vitest';
import { devicePages, escapeHtml, PAGE_HEADERS, page, readSignIn, showSignIn } from './provider.ts';

const HOSTILE = `"><script>alert('x')</script>&amp;`;

/** What a sign-in page sends. */
function shown(action: string, refused?: string) {
  const sent = { status: 0, headers: {}, body: '' };
  const response = {
    writeHead: (status: number, headers: object) => Object.assign(sent, { status, headers }),
    end: (body: string) => Object.assign(sent, { body }),
  };
  showSignIn(response as unknown as ServerResponse, action, refused);
  return sent;
}
/** What is shown on a page of the device flow. */
async function devicePage(show: (context: KoaContextWithOIDC) => Promise<void>): Promise<string> {
  const context = { body: '', set: (headers: object) => expect(headers).toBe(PAGE_HEADERS) };
  await show(context as unknown as KoaContextWithOIDC);
  return context.body;
}

describe('a page', () => {
  it('runs nothing and is never stored', () => {
    expect(PAGE_HEADERS).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; frame-ancestors 'none'$/,
      ),
    });
    expect(page('<p>content</p>')).toContain('<p>content</p>');
    expect(page('')).not.toMatch(/<script|https?:/);
  });

  it('shows text as text', () => {
    expect(escapeHtml(HOSTILE)).toBe("&quot;&gt;&lt;script&gt;alert('x')&lt;/script&gt;&amp;amp;");
    expect(escapeHtml('plain é')).toBe('plain é');
  });
});

describe('the sign-in page', () => {
  it('posts to where it was shown, whatever the address contains', () => {
    expect(shown('/sign-in/abc')).toMatchObject({ status: 200, headers: PAGE_HEADERS });
    expect(shown('/sign-in/abc').body).toContain('<form method="post" action="/sign-in/abc">');
    expect(shown(`/sign-in/${HOSTILE}`).body).not.toContain('<script>');
  });

  it('says that a password was wrong, and only then', () => {
    expect(shown('/', 'demo')).toMatchObject({ status: 401, body: expect.stringContaining('role="alert"') });
    expect(shown('/').body).not.toMatch(/role="alert"|aria-invalid/);
  });

  it('keeps the user of a refused sign-in, as text, and leaves the password to be filled in', () => {
    const inputs = (body: string) => body.match(/<input [^>]*>/g) ?? [];
    const [user = '', password = ''] = inputs(shown('/', 'demo').body);
    expect(user).toContain('value="demo"');
    expect(user).not.toContain('autofocus');
    expect(password).toContain('autofocus');
    expect(password).not.toContain('value=');
    for (const input of [user, password]) expect(input).toContain('aria-describedby="refused"');
    expect(inputs(shown('/').body)[0]).toContain('autofocus');
    expect(inputs(shown('/', '').body)[0]).toContain('autofocus');
    const hostile = shown('/', HOSTILE).body;
    expect(hostile).toContain(`value="${escapeHtml(HOSTILE)}"`);
    expect(hostile).not.toContain('<script>');
  });
});

describe('the form of the sign-in', () => {
  const read = (...chunks: readonly string[]) =>
    readSignIn(Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as IncomingMessage);

  it('has user and password, however it arrives', async () => {
    const form = { user: 'demo@x', password: 'a&b=c é' };
    const text = new URLSearchParams(form).toString();
    expect(await read(text)).toEqual(form);
    expect(await read(...Array.from(text))).toEqual(form);
    expect(await read('user=&password=')).toEqual({ user: '', password: '' });
  });

  it.each(['', 'user=demo', 'password=x', '{"user":"demo","password":"x"}'])('is none in %j', async (text) => {
    expect(await read(text)).toBeNull();
  });

  it('is not read to its end if it is too long', async () => {
    expect(await read('user=demo&password=', 'x'.repeat(10_000), 'x')).toBeNull();
  });
});

describe('the pages of the device flow', () => {
  const FORM = '<form id="op.deviceInputForm"></form>';

  it('ask for the code, and say that one is not known', async () => {
    const first = await devicePage((context) => devicePages.userCodeInputSource(context, FORM, undefined));
    expect(first).toContain(FORM);
    expect(first).not.toContain('role="alert"');
    const again = await devicePage((context) =>
      devicePages.userCodeInputSource(context, FORM, undefined, new Error('x')),
    );
    expect(again).toContain('<p role="alert">This code is not known, or it has expired.</p>');
  });

  it('show the code of the other device as text, with a way to refuse', async () => {
    const body = await devicePage((context) => devicePages.userCodeConfirmSource(context, FORM, {}, {}, HOSTILE));
    expect(body).toContain(`<strong>${escapeHtml(HOSTILE)}</strong>`);
    expect(body).toContain('name="abort" value="yes">No</button>');
  });

  it('say when it is done', async () => {
    expect(await devicePage((context) => devicePages.successSource(context))).toContain(
      'The other device is signed in.',
    );
  });
});
