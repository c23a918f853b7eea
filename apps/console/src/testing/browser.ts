import { Agent, fetch } from 'undici';

/** One answer on the way. */
export interface Step {
  readonly url: URL;
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** A browser of a few lines: keeps cookies by host, follows redirects, fills in the directory's sign-in forms. */
export interface Browser {
  /** Follows redirects from an address; stops before the first one to a path in `stopAt`. */
  visit(address: string, options?: { form?: Record<string, string>; stopAt?: string }): Promise<Step[]>;
  /**
   * Starts at the console's login and signs in, step by step. With `stopAt`, up to that path. `query` follows the login's
   * address.
   */
  signIn(base: string, user: string, stopAt?: string, query?: string): Promise<Step[]>;
  /** The cookies it would send to a host. */
  cookies(base: string): string;
}

export function createBrowser(ca: string): Browser {
  const dispatcher = new Agent({ connect: { ca } });
  const jars = new Map<string, Map<string, string>>();
  const cookies = (url: URL) => [...(jars.get(url.host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');

  async function ask(url: URL, form?: Record<string, string>): Promise<Step> {
    const answer = await fetch(url, {
      dispatcher,
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: cookies(url), accept: 'text/html' },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const { status, headers } = answer;
    return {
      url,
      status,
      location: headers.get('location'),
      cookies: headers.getSetCookie(),
      text: await answer.text(),
    };
  }

  const browser: Browser = {
    cookies: (base) => cookies(new URL(base)),
    async visit(address, { form, stopAt } = {}) {
      const steps = [await ask(new URL(address), form)];
      for (let last = steps[0]; last?.location && steps.length < 15; last = steps.at(-1)) {
        const next = new URL(last.location, last.url);
        if (next.pathname === stopAt) break;
        steps.push(await ask(next));
      }
      return steps;
    },
    async signIn(base, user, stopAt, query = '') {
      const steps = await browser.visit(`${base}/auth/login${query}`, stopAt === undefined ? {} : { stopAt });
      for (let page = 0; page < 4; page += 1) {
        const last = steps.at(-1);
        const prompt = /name="prompt" value="(\w+)"/.exec(last?.text ?? '')?.[1];
        if (last === undefined || prompt === undefined) break;
        const form = { prompt, login: user, password: 'any' };
        steps.push(...(await browser.visit(last.url.href, stopAt === undefined ? { form } : { form, stopAt })));
      }
      return steps;
    },
  };
  return browser;
}
